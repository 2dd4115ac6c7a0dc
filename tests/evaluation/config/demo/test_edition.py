"""An edition of the track without a site."""

from pathlib import Path

import pytest

from evaluation.config.demo.edition import Edition, clipscore_qrels


def test_hold_edition_pools_the_top_of_every_run(edition: Edition) -> None:
    pool = set(edition.pool)
    for run, ranking in zip(edition.runs, edition.rankings, strict=True):
        top = {(topic, docno) for topic, docnos in ranking.top(run.pool_depth).items() for docno in docnos}
        assert top <= pool


def test_hold_edition_has_people_grade_the_whole_pool(edition: Edition) -> None:
    grades = edition.people.to_dict()
    assert {(topic, docno) for topic in grades for docno in grades[topic]} == set(edition.pool)


def test_clipscore_qrels_grade_half_the_pool_0_and_a_quarter_2(edition: Edition, clip: Path) -> None:
    """By the mapping's quantiles; equal scores, of which there are few, may move a pair or two."""
    grades = [grade for _, given in clipscore_qrels(edition, clip) for grade in given.values()]
    assert len(grades) == len(edition.pool)
    assert grades.count(0) == pytest.approx(len(grades) / 2, abs=3)
    assert grades.count(2) == pytest.approx(len(grades) / 4, abs=3)
