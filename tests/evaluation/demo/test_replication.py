"""The source paper's question, answered on the demo's world."""

from dataclasses import replace

import pytest

from evaluation.core.statistics.estimate import Estimate, Reason
from evaluation.demo.edition import Edition
from evaluation.demo.replication import EditionEffect, compare, markdown, seed_range

pytestmark = pytest.mark.whole

FINDING = EditionEffect(
    seed=1,
    judge="a sibling",
    measure="AP",
    family="dense",
    tau=Estimate.of(0.5),
    kappa=Estimate.of(0.1),
    people_delta=Estimate.of(-20.0),
    judge_delta=Estimate.of(30.0),
    difference=Estimate.of(50.0),
    excess=Estimate.of(12.0),
    verdict="no sign",
)


def test_compare_finds_no_bias_in_people_themselves(edition: Edition) -> None:
    findings = list(compare(edition, {"nobody's": edition.people}))
    assert [(each.measure, each.family) for each in findings] == [
        ("nDCG@10", "CLIP-based"),
        ("nDCG@10", "dense"),
        ("AP", "CLIP-based"),
        ("AP", "dense"),
    ]
    for finding in findings:
        assert finding.tau.value == pytest.approx(1)
        assert finding.kappa.value == pytest.approx(1)
        assert finding.difference.value == pytest.approx(0)
        assert finding.excess.value == pytest.approx(0, abs=1e-9)
        assert "favours" not in finding.verdict


def test_markdown_gives_a_row_a_seed_and_their_mean() -> None:
    """Means of tau .5 and .7, of differences 50 and 10, of excesses 12 and -2."""
    other = replace(
        FINDING, seed=2, tau=Estimate.of(0.7), difference=Estimate.of(10.0), excess=Estimate.of(-2.0)
    )
    table = markdown([FINDING, other])
    assert "Judge: a sibling. Family: dense runs against all others." in table
    assert "| AP | 1 | 0.50 | 0.10 | −20.0 | +30.0 | +50.0 | +12.0 | no sign |" in table
    assert "| AP | mean | 0.60 | 0.10 | −20.0 | +30.0 | +30.0 | +5.0 |  |" in table


def test_markdown_calls_undefined_what_is_undefined() -> None:
    table = markdown([replace(FINDING, tau=Estimate.undefined(Reason.CONSTANT))])
    assert "| AP | 1 | undefined | 0.10 |" in table


@pytest.mark.parametrize(("text", "seeds"), [("1-5", [1, 2, 3, 4, 5]), ("3", [3])])
def test_seed_range_reads_one_or_a_range(text: str, seeds: list[int]) -> None:
    assert seed_range(text) == seeds
