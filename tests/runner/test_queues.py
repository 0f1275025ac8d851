from pathlib import Path
from typing import Any

import pytest

from runner.jobs.graphs import Graph
from runner.jobs.plan import Job, Parameters
from runner.jobs.programs import Program
from runner.sweeps.queues import Queue

PROGRAMS = [Program(f"p{i}", "cpp", "bfs", "bfs", Path(), Path(), str(i)) for i in range(6)]
GRAPHS = [Graph(name=name, path=Path(), sha256=name, vertices=1, edges=0) for name in "ab"]
JOBS = [Job(program, graph, Parameters(), "", "m", None) for program in PROGRAMS for graph in GRAPHS]


@pytest.fixture
def queue() -> Queue:
    return Queue(JOBS, JOBS, seed=1, alone=True)


def take_all(queue: Queue) -> list[tuple[Job, ...]]:
    taken = []
    while queue.is_waiting:
        taken.append(queue.take())
    return taken


def test_groups_are_of_one_program_and_shuffled_by_the_seed(queue: Any) -> None:
    groups = take_all(queue)
    assert sorted(group[0].program.name for group in groups) == [program.name for program in PROGRAMS]
    assert all({job.program for job in group} == {group[0].program} and len(group) == 2 for group in groups)
    assert groups == take_all(Queue(JOBS, JOBS, seed=1, alone=True))
    assert groups != take_all(Queue(JOBS, JOBS, seed=2, alone=True))


def test_what_is_given_back_comes_again_one_by_one_unless_it_has_its_record(queue: Any) -> None:
    first, *_ = groups = take_all(queue)
    assert queue.close(first[0].key)
    assert not queue.close(first[0].key)
    queue.give_back(first)
    queue.give_back(groups[1])
    assert take_all(queue) == [(first[1],), (groups[1][0],), (groups[1][1],)]


def test_a_job_that_kills_every_worker_is_found(queue: Any) -> None:
    first, second = JOBS[:2]
    queue.blame([first, second])
    queue.blame([first])
    assert not queue.is_deadly(first)
    queue.blame([first])
    assert queue.is_deadly(first)
    assert not queue.is_deadly(second)


def test_hopeless_jobs_are_dropped(queue: Any) -> None:
    dropped = queue.drop(lambda job: job.program.name == "p2" or job.graph.name == "a")
    assert set(map(id, dropped)) == {id(job) for job in JOBS if job.program.name == "p2" or job.graph.name == "a"}
    assert sorted(group[0].program.name for group in take_all(queue)) == ["p0", "p1", "p3", "p4", "p5"]
