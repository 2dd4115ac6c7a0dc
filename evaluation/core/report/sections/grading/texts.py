"""Does a judge grade long documents, or those with the topic's words, higher than people do?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.favour.over_grading import item_excess
from evaluation.core.report.tables import Column, Number, Section, Table
from evaluation.core.statistics.estimate import Estimand, Estimate, Reason
from evaluation.core.statistics.ranks import mid_ranks_within
from evaluation.core.uncertainty import difference_intervals, jackknife_interval

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Flags, Floats, Ints
    from evaluation.core.report.favour.over_grading import ItemExcess
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study
    from evaluation.core.report.texts import Texts

LENGTH, OVERLAP = "words of the document", "overlap with the topic"
QUARTERS = (0.25, 0.5, 0.75)
FEWEST_ITEMS = 5  # items of a topic, for a correlation within it
NEW_TOPICS = Estimand.NEW_TOPICS.words

BY_QUARTER = (
    Column("judge"),
    Column("by"),
    Column("quarter", "d"),
    Column("from", ".3g"),
    Column("to", ".3g"),
    Column("topics", ",d"),
    Column("items", ",d"),
    Column("excess grade", "+z.3f", has_interval=True, estimand=f"of items between these ends, {NEW_TOPICS}"),
)
WITHIN = (
    Column("judge"),
    Column("by"),
    Column("topics", ",d"),
    Column("topics with rho", ",d"),
    Column("rho", "z.2f", has_interval=True, estimand=f"mean over topics, {NEW_TOPICS}"),
)


def texts_section(study: Study) -> Section:
    """Excess grades by quarter of length and of overlap, and their rank correlation within topics."""
    title = "Grades and texts"
    if study.texts is None or np.isnan(study.texts.words).all():
        words = "No document texts are known, so effects of length and overlap cannot be estimated."
        return Section("texts", title, (words,))
    found = [
        (judge, by, items, values[items.pairs])
        for judge in study.others
        for items in (item_excess(study, judge),)
        for by, values in _features(study.texts)
    ]
    quarters = [
        (study.name(judge), by, *row)
        for judge, by, items, values in found
        for row in _quarters(study, items, values)
    ]
    within = [
        (study.name(judge), by, *_within(study.topic_of_pair[items.pairs], items.excess, values))
        for judge, by, items, values in found
    ]
    notes = (
        "Excess grade: the judge's grade minus its mean over the items with the same people's grade; 0 on "
        "average. Quarters are of all items that people and the judge graded. Overlap: distinct words that "
        "topic and document share, as a share of the smaller one's.",
    )
    by_quarter = "Excess grades by length and by overlap."
    tables = (
        Table("over-grading-by-text", by_quarter, BY_QUARTER, tuple(quarters), notes),
        Table(
            "over-grading-within-topics",
            "Spearman's rho of the excess grade within topics.",
            WITHIN,
            tuple(within),
            (f"Over topics with at least {FEWEST_ITEMS} items, where neither side has all values equal.",),
        ),
    )
    return Section("texts", title, (), tables)


def _features(texts: Texts) -> tuple[tuple[str, Floats], ...]:
    return (LENGTH, texts.words), (OVERLAP, texts.overlaps)


def _quarters(study: Study, items: ItemExcess, values: Floats) -> Iterator[tuple[Cell, ...]]:
    """Rows of the quarters. Equal values share a quarter, so a quarter may be empty and have no row."""
    known = ~np.isnan(values)
    if not known.any():
        return
    topics, groups = study.topic_of_pair[items.pairs][known], items.groups[known]
    excess, values = items.excess[known], values[known]
    quarter: Ints = np.searchsorted(np.quantile(values, QUARTERS), values)
    for place in range(len(QUARTERS) + 1):
        is_in = quarter == place
        if is_in.any():
            own = values[is_in]
            value = Estimate.of(excess[is_in].mean())
            without = _means_without_topics(topics, excess, groups, is_in, items.shifts)
            number = Number.of(value, jackknife_interval(value, without, freedom="topics"))
            ends = float(own.min()), float(own.max())
            yield place + 1, *ends, np.unique(topics[is_in]).size, own.size, number


def _means_without_topics(topics: Ints, excess: Floats, groups: Ints, is_in: Flags, shifts: Floats) -> Floats:
    """Mean excess of a quarter without each topic, which moves the judge's mean grades too.

    The ends of the quarter stay fixed, because the mean is over items between these ends; if they moved, the
    interval would cover 98 %. NaN without items.
    """
    present, topic = np.unique(topics, return_inverse=True)
    size = shifts.shape[1]
    cells = np.bincount(topic[is_in] * size + groups[is_in], minlength=present.size * size)
    by_topic = cells.reshape(present.size, size)
    counts, sums = by_topic.sum(axis=1), np.bincount(topic[is_in], excess[is_in], present.size)
    moved = ((by_topic.sum(axis=0) - by_topic) * shifts[present]).sum(axis=1)
    rest = counts.sum() - counts
    found: Floats = np.divide(sums.sum() - sums + moved, rest, out=np.full(rest.size, np.nan), where=rest > 0)
    return found


def _within(topics: Ints, excess: Floats, values: Floats) -> tuple[Cell, ...]:
    known = ~np.isnan(values)
    found = _spearman_by_topic(topics[known], excess[known], values[known])
    rhos = found[~np.isnan(found)]
    if not rhos.size:
        return found.size, 0, Number(None, Reason.TOO_FEW)
    interval = difference_intervals(rhos[None]).interval(0)
    return found.size, rhos.size, Number.of(Estimate.of(rhos.mean()), interval)


def _spearman_by_topic(topics: Ints, x: Floats, y: Floats) -> Floats:
    """Spearman's rho of each topic's items, topics ascending.

    NaN for fewer than ``FEWEST_ITEMS`` items or if all values of a side are equal.
    """
    of_topic, topic, sizes = np.unique(topics, return_inverse=True, return_counts=True)
    left, right = (mid_ranks_within(each, topic) - (sizes[topic] + 1) / 2 for each in (x, y))
    products, lefts, rights = (
        np.bincount(topic, each, of_topic.size) for each in (left * right, left**2, right**2)
    )
    spread = np.sqrt(lefts * rights)
    is_defined = (sizes >= FEWEST_ITEMS) & (spread > 0)
    rhos: Floats = np.divide(products, spread, out=np.full(of_topic.size, np.nan), where=is_defined)
    return rhos
