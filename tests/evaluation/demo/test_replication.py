"""The source paper's question, answered on the demo's world."""

from dataclasses import replace

import pytest

from evaluation.demo.edition import Edition
from evaluation.demo.replication import EditionEffect, compare, markdown, seed_range
from trackside.findings.verdicts import FamilyVerdict

pytestmark = pytest.mark.whole


@pytest.fixture
def effects(edition: Edition) -> list[EditionEffect]:
    """People themselves as a judge."""
    return list(compare(edition, {"nobody's": edition.people}))


def test_compare_finds_no_excess_in_people_themselves(effects: list[EditionEffect]) -> None:
    assert [(effect.family.measure, effect.family.family) for effect in effects] == [
        ("nDCG@10", "CLIP-based"),
        ("nDCG@10", "dense"),
        ("AP", "CLIP-based"),
        ("AP", "dense"),
    ]
    for effect in effects:
        assert effect.tau == pytest.approx(1)
        assert effect.judge.grades.kappa == pytest.approx(1)
        assert effect.difference == pytest.approx(0)
        assert effect.family.excess == pytest.approx(0, abs=1e-9)
        assert effect.family.verdict is FamilyVerdict.UNDEFINED  # too few topics for an interval


def test_markdown_gives_a_row_a_seed_and_their_mean(effects: list[EditionEffect]) -> None:
    one, two = (
        replace(effects[3], seed=seed, family=replace(effects[3].family, excess=excess, low=low, high=50.0))
        for seed, excess, low in ((1, 12.0, 4.0), (2, -2.0, -54.0))
    )
    table = markdown([one, two])
    assert "Judge: nobody's. Family: dense runs against all others." in table
    assert "| +12.0 | +4.0 to +50.0 | undefined |" in table
    assert "| AP | mean | 1.00 | 1.00 |" in table
    assert "| +0.0 | +5.0 |  |  |" in table


def test_markdown_calls_undefined_what_is_undefined(effects: list[EditionEffect]) -> None:
    effect = replace(effects[0], family=replace(effects[0].family, excess=None, low=None, high=None))
    assert "| undefined | none | undefined |" in markdown([effect])


@pytest.mark.parametrize(("text", "seeds"), [("1-5", [1, 2, 3, 4, 5]), ("3", [3])])
def test_seed_range_reads_one_or_a_range(text: str, seeds: list[int]) -> None:
    assert seed_range(text) == seeds
