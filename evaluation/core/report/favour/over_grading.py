"""Excess grades of single items: a judge's grade minus its mean over the items with the same people's grade.

Leniency and noise cancel out: the excess of a judge that cannot see runs is 0 on average for every family.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.estimate import Estimate, Reason
from evaluation.core.statistics.families.contrasts import mean_contrast, undefined_contrast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.families.contrasts import Contrast


@dataclass(frozen=True)
class ExcessGrades:
    """Mean excess grade [run, topic] of the results of each run above its depth; NaN where none is graded.

    ``shifts`` [run, topic] is the change of the run's mean over the other topics if the topic is left out,
    because the judge's mean grades change too.
    """

    values: Floats
    shifts: Floats


@dataclass(frozen=True)
class ItemExcess:
    """Pairs that people and a judge graded: the excess grade and the group of each pair.

    ``shifts`` [topic, group] is the change of the excess of a group's items if a topic is left out.
    """

    pairs: Ints
    excess: Floats
    groups: Ints
    shifts: Floats


def item_excess(study: Study, judge: int, *, within: str = "", is_reversed: bool = False) -> ItemExcess:
    """Excess grades within people's grade, or within people's grade and topic (as `run_blind`).

    ``is_reversed`` gives the excess of people's grades within the judge's grade.
    """
    pairs = study.shared_pairs(PEOPLE, judge)
    sides = (judge, PEOPLE) if is_reversed else (PEOPLE, judge)
    given, own = (study.grades[place][pairs] for place in sides)
    topics = study.topic_of_pair[pairs]
    is_by_topic = (within or study.design.run_blind) == "topic"
    key = given + topics * (int(given.max(initial=0)) + 1) if is_by_topic else given
    names, groups = np.unique(key, return_inverse=True)
    size, topic_count = names.size, len(study.topics)
    counts = np.bincount(groups, minlength=size)
    sums = np.bincount(groups, weights=own, minlength=size)
    means = sums / np.maximum(counts, 1)
    shifts = np.zeros((topic_count, size))
    if not is_by_topic:
        cells = topics * size + groups
        of_topic = np.bincount(cells, minlength=topic_count * size).reshape(topic_count, size)
        graded = np.bincount(cells, weights=own, minlength=topic_count * size).reshape(topic_count, size)
        rest = counts - of_topic
        shifts = means - np.divide(sums - graded, rest, out=np.tile(means, (topic_count, 1)), where=rest > 0)
    return ItemExcess(pairs, own - means[groups], groups, shifts)


def mean_excess(study: Study, items: ItemExcess, depths: Sequence[int]) -> ExcessGrades:
    """Average over the graded results of each run on each topic; ``depths`` limits the ranks of each run."""
    place = np.full(study.topic_of_pair.size, -1)
    place[items.pairs] = np.arange(items.pairs.size)
    size, topic_count = items.shifts.shape[1], len(study.topics)
    values = np.full((len(study.runs), topic_count), np.nan)
    shifts = np.zeros_like(values)
    for run, (found, depth) in enumerate(zip(study.retrieved, depths, strict=True)):
        own = place[found.pairs[found.ranks < depth]]
        own = own[own >= 0]
        topics = study.topic_of_pair[items.pairs[own]]
        counts = np.bincount(topics, minlength=topic_count)
        sums = np.bincount(topics, weights=items.excess[own], minlength=topic_count)
        np.divide(sums, counts, out=values[run], where=counts > 0)
        cells = np.bincount(topics * size + items.groups[own], minlength=topic_count * size)
        shares = cells.reshape(topic_count, size) / np.maximum(counts, 1)[:, None]
        others = (shares.sum(axis=0) - shares) / np.maximum((counts > 0).sum() - (counts > 0), 1)[:, None]
        shifts[run] = (others * items.shifts).sum(axis=1)
    return ExcessGrades(values, shifts)


def contrast_of_items(study: Study, grades: ExcessGrades, family: str) -> Contrast:
    """Compare the family's mean excess grade with the others', over runs and topics with graded results."""
    known = ~np.isnan(grades.values)
    runs, topics = np.flatnonzero(known.any(axis=1)), np.flatnonzero(known.any(axis=0))
    if not topics.size:
        return undefined_contrast(Estimate.undefined(Reason.NO_SHARED_TOPIC))
    values, shifts = (each[np.ix_(runs, topics)] for each in (grades.values, grades.shifts))
    flags, teams = study.in_family(family)[runs], [study.teams[run] for run in runs]
    return mean_contrast(values, shifts, flags, teams, seed=study.design.seed, alpha=study.design.alpha)
