"""A pool with people's grades, and jobs of imported judges."""

import pytest

from evaluation.models import Pool
from judges.models import Job
from tests.factories import make_pool, make_task
from tests.judges.factories import fitted, import_file

# Raw scores of three judges; c has none for T2 D2, and only a has one for T2 D3.
SCORES = {
    "a": {
        ("T1", "D1"): 9,
        ("T1", "D2"): 5,
        ("T1", "D3"): 1,
        ("T2", "D1"): 8,
        ("T2", "D2"): 2,
        ("T2", "D3"): 9,
    },
    "b": {("T1", "D1"): 7, ("T1", "D2"): 6, ("T1", "D3"): 2, ("T2", "D1"): 3, ("T2", "D2"): 1},
    "c": {("T1", "D1"): 2, ("T1", "D2"): 9, ("T1", "D3"): 1, ("T2", "D1"): 9},
}


@pytest.fixture
def pool() -> Pool:
    pairs = [(topic, docno) for topic in ("T1", "T2") for docno in ("D1", "D2", "D3")]
    return make_pool(make_task(topic_count=2, document_count=3), pairs=pairs)


@pytest.fixture
def members(pool: Pool) -> list[Job]:
    """Jobs of three imported judges, each with grades 1 from a score of 4 and 2 from 8."""
    jobs = []
    for name, scores in SCORES.items():
        lines = "".join(f"{topic} 0 {docno} {score}\n" for (topic, docno), score in scores.items())
        jobs.append(import_file(name, lines, pool))
        fitted(jobs[-1], cuts=(4, 8))
    return jobs
