"""How the grades of a task spread: over all of its pools, and over their parts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from assessment.core.distribution import Part, make_distribution
from evaluation.models import PoolItem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from assessment.models import Judgment
    from evaluation.models import Task


@dataclass(frozen=True)
class GradeRow:
    """The judgments of one part; ``difference`` is its mean grade less that of all. Null without grades."""

    kind: str
    name: str
    distribution: list[Part]
    mean: float | None
    difference: float | None


def grade_rows(
    task: Task, judgments: Sequence[Judgment], people: Mapping[int, str], scale: Sequence[int]
) -> list[GradeRow]:
    """All judgments, then by pool where there are several, by assessor and by topic."""
    overall = _mean(judgments)
    rows = [_row("all", "All", judgments, overall, scale)]
    parts = {
        "pool": _by_pool(task, judgments),
        "assessor": _grouped((people[each.assessor_id], each) for each in judgments),
        "topic": _grouped((each.topic, each) for each in judgments),
    }
    for kind, named in parts.items():
        if len(named) > 1:
            rows += [_row(kind, name, theirs, overall, scale) for name, theirs in sorted(named.items())]
    return rows


def _by_pool(task: Task, judgments: Iterable[Judgment]) -> dict[str, list[Judgment]]:
    pools: dict[tuple[str, str], list[str]] = defaultdict(list)
    for topic, docno, name in PoolItem.objects.filter(pool__task=task).values_list(
        "topic", "docno", "pool__name"
    ):
        pools[topic, docno].append(name)
    return _grouped((name, each) for each in judgments for name in pools[each.topic, each.docno])


def _grouped(named: Iterable[tuple[str, Judgment]]) -> dict[str, list[Judgment]]:
    found: dict[str, list[Judgment]] = defaultdict(list)
    for name, judgment in named:
        found[name].append(judgment)
    return found


def _row(
    kind: str, name: str, judgments: Sequence[Judgment], overall: float | None, scale: Sequence[int]
) -> GradeRow:
    mean = _mean(judgments)
    difference = None if mean is None or overall is None or kind == "all" else mean - overall
    marks = [each.mark for each in judgments]
    return GradeRow(kind, name, make_distribution(marks, scale), mean, difference)


def _mean(judgments: Iterable[Judgment]) -> float | None:
    grades = [each.grade for each in judgments if each.grade is not None]
    return fmean(grades) if grades else None
