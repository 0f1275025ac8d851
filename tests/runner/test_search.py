import itertools
import random
from typing import Any

import pytest

from runner.best.expectation import expect
from runner.best.measured import Measured
from runner.best.search import Effort, Search, Trial

STYLES = [
    ("vertex", "edge"),
    ("topology", "data"),
    ("push", "pull"),
    ("rw", "rmw"),
    ("thread", "warp", "block"),
    ("i", "j", "k"),
]
NAMES = ["-".join(("bfs", "cuda", *words)) for words in itertools.product(*STYLES)]
NOTHING_KNOWN = expect(NAMES, 10, 20, [])


class World:
    """Programs whose times follow from their styles; running them costs a start, on a clock of its own."""

    def __init__(self, seed: int, noise: float = 0.03, failing: float = 0.1) -> None:
        self.random = random.Random(seed)
        effects = {word: self.random.uniform(0, 1.5) for words in STYLES for word in words}
        pairs = {pair: self.random.uniform(-0.1, 0.1) for pair in itertools.product(effects, effects)}
        self.times = {}
        for name in NAMES:
            words = name.split("-")[2:]
            log = sum(effects[word] for word in words) + sum(pairs[pair] for pair in itertools.combinations(words, 2))
            self.times[name] = 1e-3 * 2.718**log
        self.failing = {name for name in NAMES if self.random.random() < failing}
        self.noise = noise
        self.start_s = 0.3
        self.now = 0.0
        self.trials: list[Any] = []
        self.costs_s: dict[Any, float] = {}

    def measure(self, name: str, effort: Effort) -> Trial:
        self.trials.append(name)
        samples = [self.times[name] * (1 + abs(self.random.gauss(0, self.noise))) for _ in range(9)]
        while len(samples) > 1 and sum(samples) > effort.solving_s:
            samples.pop()
        wall_s = self.start_s + self.times[name] + sum(samples)
        self.costs_s[name] = min(wall_s, effort.timeout_s)
        self.now += self.costs_s[name]
        failed = name in self.failing or wall_s > effort.timeout_s
        return Trial([] if failed else samples, self.times[name] + sum(samples), wall_s)

    def search(self, budget_s: float, names: Any = NAMES, expectation: Any = NOTHING_KNOWN) -> Any:
        return Search(names, self.measure, budget_s, expectation, seed=1, clock=lambda: self.now).run()

    @property
    def best_s(self) -> float:
        return min(seconds for name, seconds in self.times.items() if name not in self.failing)


def test_a_good_program_is_found_long_before_all_are_tried() -> None:
    regrets = []
    for seed in range(12):
        world = World(seed, failing=0)
        ranking = world.search(budget_s=0.25 * len(NAMES) * 0.3)
        assert len(ranking.candidates) < 0.3 * len(NAMES)
        regrets.append(world.times[ranking.candidates[0].name] / world.best_s - 1)
    assert sum(regret < 0.05 for regret in regrets) >= 8


def test_with_enough_time_all_are_tried_and_the_best_is_certain() -> None:
    world = World(1, noise=0.001, failing=0.3)
    names = NAMES[::4]
    ranking = world.search(1000, names, expect(names, 10, 20, []))
    assert len(ranking.candidates) == ranking.programs == len(names)
    world.times = {name: world.times[name] for name in names}
    assert world.times[ranking.candidates[0].name] == world.best_s
    assert ranking.confidence > 0.9


def test_the_budget_is_kept_up_to_one_trial() -> None:
    world = World(2)
    ranking = world.search(budget_s=10)
    assert ranking.wall_s < 10 + 1
    assert world.search(budget_s=0).candidates


def test_a_small_budget_on_a_busy_machine_ends_with_an_answer() -> None:
    world = World(1, failing=0)
    world.start_s = 5.0
    ranking = world.search(budget_s=1)
    assert [len(candidate.samples_s) > 0 for candidate in ranking.candidates] == [True]


def test_a_failure_is_never_the_winner() -> None:
    world = World(3, failing=1.0)
    assert world.search(budget_s=10).candidates[0].samples_s == []


@pytest.mark.parametrize("count", [1, 2])
def test_few_programs_are_enough(count: int) -> None:
    world = World(4, failing=0)
    ranking = world.search(100, NAMES[:count], expect(NAMES[:count], 10, 20, []))
    assert len(ranking.candidates) == count


def test_measurements_on_other_graphs_lead_to_good_programs_at_once() -> None:
    regrets = []
    for seed in range(6):
        world, other = World(seed, failing=0), World(seed, failing=0)
        other.times = {name: 2 * seconds * world.random.uniform(0.9, 1.1) for name, seconds in world.times.items()}
        known = expect(NAMES, 10, 20, [Measured("other", 1000, 4000, "m", other.times)])
        ranking = world.search(budget_s=3, expectation=known)
        assert len(ranking.candidates) <= 10
        regrets.append(world.times[ranking.candidates[0].name] / world.best_s - 1)
    assert max(regrets) < 0.1


def test_a_slow_program_is_stopped_early_and_never_wins() -> None:
    world = World(5, failing=0)
    slow = NAMES[7]
    world.times[slow] = 60.0
    ranking = world.search(budget_s=1000)
    (candidate,) = (candidate for candidate in ranking.candidates if candidate.name == slow)
    assert candidate.samples_s == []
    assert world.costs_s[slow] < 1


def test_only_programs_that_may_be_the_fastest_are_measured_again() -> None:
    world = World(6, failing=0, noise=0.001)
    ranking = world.search(budget_s=1000)
    again = {name for name in NAMES if world.trials.count(name) > 1}
    assert 2 <= len(again) <= 8
    assert all(world.times[name] < 1.11 * world.times[ranking.candidates[0].name] for name in again)


def test_programs_are_made_ready_in_batches_the_suggested_ones_first() -> None:
    """Making them ready takes of the budget, but for the first time: what is suggested gets its chance."""
    world, made = World(2, failing=0), []

    def prepare(names: Any) -> None:
        made.append(list(names))
        world.now += 5.0

    def measure(name: str, effort: Effort) -> Trial:
        assert name in itertools.chain(*made)
        return world.measure(name, effort)

    first = NAMES[5:8]
    search = Search(NAMES, measure, 10.0, NOTHING_KNOWN, 1, lambda: world.now, prepare=prepare, first=first, batch=4)
    ranking = search.run()
    assert world.trials[:3] == first == made[0]
    assert [len(names) for names in made] == [3, 4]
    assert len(set(itertools.chain(*made))) == 7
    assert len(ranking.candidates) <= 7
    assert ranking.programs == len(NAMES)
