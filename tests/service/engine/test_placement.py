"""Rows follow their hypotheses through any sequence of changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from service.engine.job import Job
from service.engine.placement import Placement
from service.messages import SearchOptions, Segment
from service.search.greedy import GreedySearch


def job() -> Job:
    return Job(Segment((5,), SearchOptions()), lambda _: None, 0.0, 9, GreedySearch(3, 9))


@given(st.data())
def test_every_hypothesis_is_found_in_the_row_that_its_job_names(data: st.DataObject) -> None:
    placement = Placement()
    jobs: list[Job] = []
    contents: list[tuple[int, ...]] = []  # what lies in each row: its history
    expected: dict[int, list[tuple[int, ...]]] = {}
    for turn in range(data.draw(st.integers(1, 5))):
        for _ in range(data.draw(st.integers(0, 3))):
            jobs.append(job())
            placement.add(jobs[-1])
            contents.append((id(jobs[-1]),))
            expected[id(jobs[-1])] = [(id(jobs[-1]),)]
        changed = [j for j in jobs if data.draw(st.booleans())]
        changes = [(j, data.draw(st.lists(st.integers(0, len(j.rows) - 1), max_size=4))) for j in changed]
        for j, parents in changes:
            expected[id(j)] = [expected[id(j)][p] for p in parents]
        rows = placement.change(changes)
        contents = [contents[row] for row in rows]
        jobs = [j for j in jobs if j.rows]
        assert placement.num_rows == len(contents) == sum(len(j.rows) for j in jobs), turn
        for j in jobs:
            assert [contents[row] for row in j.rows] == expected[id(j)]


def test_rows_that_go_on_stay_and_the_last_one_closes_a_hole() -> None:
    placement, jobs = Placement(), [job() for _ in range(4)]
    for one in jobs:
        placement.add(one)
    assert placement.change([(jobs[1], ())]).tolist() == [0, 3, 2]
    assert [one.rows for one in jobs] == [[0], [], [2], [1]]


def test_a_copy_goes_into_a_row_that_its_own_segment_gave_up() -> None:
    placement, one = Placement(), job()
    placement.add(one)
    assert placement.change([(one, [0, 0, 0])]).tolist() == [0, 0, 0]
    assert placement.change([(one, [2, 1, 2])]).tolist() == [2, 1, 2]
    assert one.rows == [2, 1, 0]
