"""An edition of the track without a site."""

from pathlib import Path

import pytest

from evaluation.demo.edition import Edition, chance_qrels, clipscore_qrels
from trackside.judging.presets import CLIP_PRESETS
from trackside.statistics.agreement.coefficients import cohen_kappa

pytestmark = pytest.mark.whole


def test_hold_edition_pools_the_top_of_every_run(edition: Edition) -> None:
    pool = set(edition.pool)
    for run, ranking in zip(edition.runs, edition.rankings, strict=True):
        top = {(topic, docno) for topic, docnos in ranking.top(run.pool_depth).items() for docno in docnos}
        assert top <= pool


def test_hold_edition_has_people_grade_the_whole_pool(edition: Edition) -> None:
    grades = edition.people.to_dict()
    assert {(topic, docno) for topic in grades for docno in grades[topic]} == set(edition.pool)


@pytest.mark.parametrize("name", ["clip-four-fields", "clip-four-fields-chunk-max", "clip-context-only"])
def test_clipscore_qrels_grade_half_the_pool_0_and_a_quarter_2(
    edition: Edition, clip: Path, name: str
) -> None:
    """By the mapping's quantiles; the few equal scores may move a pair or two."""
    qrels = clipscore_qrels(edition, clip, CLIP_PRESETS[name])
    grades = [grade for given in qrels.values() for grade in given.values()]
    assert len(grades) == len(edition.pool)
    assert grades.count(0) == pytest.approx(len(grades) / 2, abs=3)
    assert grades.count(2) == pytest.approx(len(grades) / 4, abs=3)


def test_chance_qrels_have_the_shares_of_the_mapping_and_know_nothing(edition: Edition) -> None:
    """Random scores have no ties. With n pairs and no agreement kappa is within 4 / sqrt(n) of 0."""
    chance, people = chance_qrels(edition).to_dict(), edition.people.to_dict()
    pairs = [(people[topic][docno], chance[topic][docno]) for topic, docno in edition.pool]
    given = [grade for _, grade in pairs]
    assert given.count(2) == pytest.approx(len(given) / 4, abs=1)
    kappa = cohen_kappa([grade for grade, _ in pairs], given, (0, 1, 2)).value
    assert kappa == pytest.approx(0, abs=4 / len(pairs) ** 0.5)
