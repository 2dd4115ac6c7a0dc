"""Length and overlap by hand; excess grades by quarter and within topics against a second computation."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from evaluation.core.measures.lookup import ABSENT
from evaluation.core.report.favour.over_grading import item_excess
from evaluation.core.report.tables import Number
from evaluation.core.report.sections.grading.texts import LENGTH, OVERLAP, texts_section
from evaluation.core.report.study import Study
from evaluation.core.report.texts import PairText, Texts, measure_texts
from evaluation.core.statistics.estimate import Estimate
from evaluation.core.uncertainty import jackknife_interval
from tests.evaluation.core.report.judged_study import DOCNOS, TOPICS, judged_study
from tests.simulations.simulated_tracks import DOCS, Setting, draw_population


def _texts() -> dict[tuple[str, str], PairText]:
    rng = np.random.default_rng(9)
    return {
        (topic, docno): PairText(int(rng.integers(5, 500)), float(rng.integers(0, 5)) / 4)
        for topic in TOPICS
        for docno in DOCNOS
    }


@pytest.fixture(scope="module")
def study() -> Study:
    return judged_study(texts=_texts())


def test_words_and_overlap_by_hand() -> None:
    # The topic has the words red, brick and house. d1 has six words, five of them distinct (a, red, barn,
    # and, house), of which the topic has two: 2 / 3. d2 has one word, none of the topic's.
    found = measure_texts(
        {"T1": "Red brick house", "T2": ""},
        [("d1", "A red barn and a House"), ("d2", "tree"), ("d3", "..."), ("d4", "other")],
        [("T1", "d1"), ("T1", "d2"), ("T1", "d3"), ("T2", "d1")],
    )
    assert found == {
        ("T1", "d1"): PairText(6, 2 / 3),
        ("T1", "d2"): PairText(1, 0.0),
        ("T2", "d1"): PairText(6, None),
    }


def test_without_texts_the_section_reports_it() -> None:
    section = texts_section(judged_study())
    assert section.tables == ()
    assert "No document texts are known" in section.says[0]


def test_mean_grades_are_found_again_without_each_topic_and_the_ends_of_a_quarter_stay() -> None:
    """The printed interval is the jackknife of the items between the ends, each time from its own study."""
    population = draw_population(Setting(12, uneven=0.5), np.random.default_rng(4))
    words = np.random.default_rng(5).integers(5, 500, 12 * DOCS).astype(np.float64)
    words *= np.repeat(np.arange(1, 13), DOCS)  # topics differ in length
    topics = np.arange(12)
    texts = Texts(words, np.full(words.size, np.nan))
    record = next(texts_section(replace(population.study(topics), texts=texts)).tables[0].records())

    def mean_excess(kept: np.ndarray) -> float:
        items = item_excess(population.study(kept), 1)
        own = words[(kept[:, None] * DOCS + np.arange(DOCS)).ravel()][items.pairs]
        return float(items.excess[own <= np.quantile(words, 0.25)].mean())

    without = np.array([mean_excess(topics[topics != topic]) for topic in topics])
    found = record["excess grade"]
    assert isinstance(found, Number)
    assert found.interval is not None
    assert found.value == pytest.approx(mean_excess(topics))
    expected = jackknife_interval(Estimate.of(mean_excess(topics)), without, freedom="topics")
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.low, expected.high))


def test_quarters_have_the_mean_excess_of_their_items(study: Study) -> None:
    table = texts_section(study).tables[0]
    assert study.texts
    words = study.texts.words
    people, own = study.grades[0], study.grades[3]
    expected = own - np.array([own[people == grade].mean() for grade in (0, 1, 2)])[people]
    cuts = np.percentile(words, [25, 50, 75])
    groups = [
        words <= cuts[0],
        (words > cuts[0]) & (words <= cuts[1]),
        (words > cuts[1]) & (words <= cuts[2]),
    ]
    groups.append(words > cuts[2])
    rows = table.where(judge="clip", by=LENGTH)
    assert [row[2] for row in rows.rows] == [1, 2, 3, 4]
    for row, group in zip(rows.records(), groups, strict=True):
        assert row["items"] == group.sum()
        assert (row["from"], row["to"]) == (words[group].min(), words[group].max())
        excess = row["excess grade"]
        assert isinstance(excess, Number)
        assert excess.value == pytest.approx(expected[group].mean())
        assert excess.low is not None
        assert excess.high is not None
        assert excess.low < expected[group].mean() < excess.high


def test_interval_leaves_each_topic_out_of_the_mean_grades_too(study: Study) -> None:
    """The jackknife by its definition: the whole study without each topic."""
    assert study.texts
    words = study.texts.words
    cuts = np.percentile(words, [25, 50, 75])
    is_in = words > cuts[2]
    left_out = []
    for topic in range(12):
        kept = study.topic_of_pair != topic
        grades = np.where(kept, study.grades, ABSENT)
        items = item_excess(replace(study, grades=grades), 1)
        left_out.append(items.excess[is_in[items.pairs]].mean())
    error = np.sqrt(11 / 12 * np.square(np.array(left_out) - np.mean(left_out)).sum())
    record = texts_section(study).tables[0].where(judge="llava", by=LENGTH).rows[3]
    number = record[7]
    assert isinstance(number, Number)
    assert number.low is not None
    assert number.high is not None
    assert (number.high - number.low) / 2 / error == pytest.approx(stats.t.ppf(0.975, 11))


def test_equal_values_are_in_one_quarter(study: Study) -> None:
    rows = texts_section(study).tables[0].where(judge="llava", by=OVERLAP).rows
    ends = [(row[3], row[4]) for row in rows]
    for (_, high), (low, _) in pairwise(ends):
        assert isinstance(high, float)
        assert isinstance(low, float)
        assert high < low
    assert sum(row[6] for row in rows if isinstance(row[6], int)) == 192


def test_rho_within_topics_is_the_mean_of_scipys(study: Study) -> None:
    assert study.texts
    items = item_excess(study, 1)
    rhos = []
    for topic in range(12):
        own = study.topic_of_pair[items.pairs] == topic
        rhos.append(stats.spearmanr(items.excess[own], study.texts.words[items.pairs[own]]).statistic)
    record = texts_section(study).tables[1].record(judge="llava", by=LENGTH)
    assert record
    assert record["topics with rho"] == 12
    rho = record["rho"]
    assert isinstance(rho, Number)
    assert rho.value == pytest.approx(np.mean(rhos))


def test_a_judge_that_grades_by_length_is_seen(study: Study) -> None:
    assert study.texts
    grades = study.grades.copy()
    grades[3] = np.clip(study.grades[0] + (study.texts.words > np.median(study.texts.words)), 0, 2)
    table = texts_section(replace(study, grades=grades)).tables[1]
    record = table.record(judge="clip", by=LENGTH)
    assert record
    rho = record["rho"]
    assert isinstance(rho, Number)
    assert rho.low is not None
    assert rho.low > 0
