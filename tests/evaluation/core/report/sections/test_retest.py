"""A judge asked twice: which sets belong together, and how alike they are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evaluation.core.report.tables import Findings, Number
from evaluation.core.report.sections.grading.judge_pairs import judge_pairs_section
from evaluation.core.report.sections.grading.retest import repeated_pairs, repeats_section
from evaluation.core.report.study import Study
from tests.evaluation.core.report.judged_study import ASKED, judged_study
from tests.evaluation.core.report.study import small_study


@pytest.fixture(scope="module")
def study() -> Study:
    return judged_study()


def _with(study: Study, **second: Any) -> Study:
    """The study with another provenance of the second model."""
    sets = list(study.sets)
    facts = dict(sets[2].facts) | {"provenance": ASKED | second}
    sets[2] = replace(sets[2], facts=facts)
    return replace(study, sets=tuple(sets))


def test_sets_of_one_identity_and_another_seed_are_test_and_retest(study: Study) -> None:
    assert list(repeated_pairs(study)) == [(1, 2, "seed")]


def test_another_order_of_image_and_fields_is_reported(study: Study) -> None:
    other = _with(study, order={"image": "last", "fields": ["body", "title"]})
    words = "order: image first, fields title, body; image last, fields body, title"
    assert list(repeated_pairs(other)) == [(1, 2, words)]


def test_sets_of_different_judges_are_no_repeats(study: Study) -> None:
    assert list(repeated_pairs(_with(study, identity="xyz"))) == []
    assert repeats_section(small_study(), Findings({})).tables == ()
    assert "repeatability is not known" in repeats_section(small_study(), Findings({})).says[0]


def test_numbers_are_those_of_both_sets(study: Study) -> None:
    before = Findings({}, (judge_pairs_section(study, Findings({})),))
    grades, orders = repeats_section(study, before).tables
    record = grades.record(one="llava", other="llava again")
    assert record
    assert record["items"] == 192
    same = record["same grade"]
    assert isinstance(same, Number)
    assert same.value == pytest.approx((study.grades[1] == study.grades[2]).mean())
    assert same.low is not None
    pairwise = before.table("pairwise-kappa")
    kappa = pairwise and pairwise.record(one="llava", other="llava again")
    assert kappa
    assert record["kappa"] == kappa["kappa"]
    distance = record["mean distance of raw scores"]
    assert isinstance(distance, Number)
    distances = np.abs(study.raw_scores[1] - study.raw_scores[2])
    assert distance.value == pytest.approx(distances.mean())
    # All topics have 16 pairs, so that the jackknife's error is that of the mean of the topics' means.
    by_topic = np.array([distances[study.topic_of_pair == topic].mean() for topic in range(12)])
    assert distance.low is not None
    assert distance.high is not None
    half = (distance.high - distance.low) / 2
    assert half >= stats.t.ppf(0.975, 11) * stats.sem(by_topic) * (1 - 1e-9)
    means = study.values[:, 1].mean(axis=2)
    order = orders.record(measure="AP")
    assert order
    tau = order["tau"]
    assert isinstance(tau, Number)
    assert tau.value == pytest.approx(stats.kendalltau(means[1], means[2]).statistic)
