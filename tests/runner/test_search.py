import itertools
import random

import pytest

from runner.search import Search, Trial

STYLES = [
    ("vertex", "edge"),
    ("topology", "data"),
    ("push", "pull"),
    ("rw", "rmw"),
    ("thread", "warp", "block"),
    ("i", "j", "k"),
]
NAMES = ["-".join(words) for words in itertools.product(*STYLES)]


class World:
    """Programs whose times follow from their styles; running them costs a start of 0.3 s, on a clock of its own."""

    def __init__(self, seed: int, noise: float = 0.03, failing: float = 0.1) -> None:
        self.random = random.Random(seed)
        effects = {word: self.random.uniform(0, 1.5) for words in STYLES for word in words}
        pairs = {pair: self.random.uniform(-0.1, 0.1) for pair in itertools.product(effects, effects)}
        self.times = {}
        for name in NAMES:
            words = name.split("-")
            log = sum(effects[word] for word in words) + sum(pairs[pair] for pair in itertools.combinations(words, 2))
            self.times[name] = 1e-3 * 2.718**log
        self.failing = {name for name in NAMES if self.random.random() < failing}
        self.noise = noise
        self.now = 0.0
        self.trials = 0

    def measure(self, name: str, repetitions: int, timeout_s: float) -> Trial:
        self.trials += 1
        samples = [self.times[name] * (1 + abs(self.random.gauss(0, self.noise))) for _ in range(repetitions)]
        wall_s = 0.3 + sum(samples)
        self.now += min(wall_s, timeout_s)
        return Trial([] if name in self.failing or wall_s > timeout_s else samples, wall_s)

    def search(self, budget_s: float):
        return Search(NAMES, self.measure, budget_s, seed=1, clock=lambda: self.now).run()

    @property
    def best_s(self) -> float:
        return min(seconds for name, seconds in self.times.items() if name not in self.failing)


def test_a_good_program_is_found_long_before_all_are_tried():
    regrets = []
    for seed in range(12):
        world = World(seed, failing=0)
        ranking = world.search(budget_s=0.25 * len(NAMES) * 0.3)
        assert len(ranking.candidates) < 0.3 * len(NAMES)
        regrets.append(world.times[ranking.candidates[0].name] / world.best_s - 1)
    assert sum(regret < 0.05 for regret in regrets) >= 8


def test_with_enough_time_all_are_tried_and_the_best_is_certain():
    world = World(1, noise=0.001, failing=0.3)
    names = NAMES[::4]
    ranking = Search(names, world.measure, 1000, seed=1, clock=lambda: world.now).run()
    assert len(ranking.candidates) == ranking.programs == len(names)
    world.times = {name: world.times[name] for name in names}
    assert world.times[ranking.candidates[0].name] == world.best_s
    assert ranking.confidence > 0.9


def test_the_budget_is_kept_up_to_one_trial():
    world = World(2)
    ranking = world.search(budget_s=10)
    assert ranking.wall_s < 10 + 1
    assert world.search(budget_s=0).candidates


def test_a_failure_is_never_the_winner():
    world = World(3, failing=1.0)
    assert world.search(budget_s=10).candidates[0].samples_s == []


@pytest.mark.parametrize("count", [1, 2])
def test_few_programs_are_enough(count):
    world = World(4, failing=0)
    ranking = Search(NAMES[:count], world.measure, 100, seed=1, clock=lambda: world.now).run()
    assert len(ranking.candidates) == count
