"""Agreement of each pair of assessors on the items that both graded."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection
from django.db.models import Count, Sum

from assessment.core.quality import PairAgreement, count_shared, pair_agreements
from assessment.models.aggregates import JudgedItem, Tally
from assessment.models.assignment import Purpose
from assessment.quality.columns import read_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.core.arrays import Flags, Ints
    from evaluation.tracks.models import Task

    Two = tuple[int, int]
    Grades = dict[tuple[str, str], int]

GRADED = """
    FROM assessment_currentjudgment
    WHERE task_id = %s AND purpose = 'work' AND grade = ANY(%s) AND assessor_id = ANY(%s)
"""
SHARED = """
    SELECT two.first, two.second, item.topic, a.grade, b.grade, count(*)
    FROM unnest(%s::bigint[], %s::bigint[]) AS two (first, second)
    JOIN assessment_currentjudgment AS a ON a.task_id = %s AND a.assessor_id = two.first
    JOIN assessment_currentjudgment AS b ON b.item_id = a.item_id AND b.assessor_id = two.second
    JOIN assessment_judgeditem AS item ON item.id = a.item_id
    WHERE a.purpose = 'work' AND b.purpose = 'work' AND a.grade = ANY(%s) AND b.grade = ANY(%s)
    GROUP BY two.first, two.second, item.topic, a.grade, b.grade ORDER BY 1, 2, 3, 4, 5
"""


def find_pairs(task: Task, scale: Sequence[int], people: Mapping[int, str]) -> list[Two]:
    """Return each pair of assessors who graded a common pool item, in order of names.

    If two assessors together graded more items of a topic than it has, they share one. Single judgments are
    read only of assessors for whom these counts do not decide.
    """
    names, certain, possible = _by_counts(task, scale)
    unknown = np.triu(possible & ~certain, k=1)
    if unknown.any():
        asked = names[unknown.any(axis=0) | unknown.any(axis=1)]
        items, assessors = read_columns(
            ["item_id", "assessor_id"], GRADED, [task.pk, list(scale), asked.tolist()]
        )
        graders, shared = count_shared(items, assessors)
        places = np.searchsorted(names, graders)
        certain[np.ix_(places, places)] |= shared > 0
    found = []
    for row, column in np.argwhere(np.triu(certain, k=1)):
        two = sorted((int(names[row]), int(names[column])), key=lambda each: people[each])
        found.append((two[0], two[1]))
    return sorted(found, key=lambda two: (people[two[0]], people[two[1]]))


def _by_counts(task: Task, scale: Sequence[int]) -> tuple[Ints, Flags, Flags]:
    """Return the graders, ascending, and two matrices by counts: which pairs share an item, and which may."""
    tallies = Tally.objects.filter(task=task, purpose=Purpose.WORK, grade__in=scale, count__gt=0).order_by()
    counted = list(tallies.values_list("topic", "assessor").annotate(total=Sum("count")))
    sizes = dict(
        JudgedItem.objects.filter(task=task).order_by().values_list("topic").annotate(total=Count("pk"))
    )
    names = np.unique(np.array([assessor for _, assessor, _ in counted], dtype=np.int64))
    place = {name: at for at, name in enumerate(names.tolist())}
    graded: dict[str, Ints] = defaultdict(lambda: np.zeros(len(names), dtype=np.int64))
    for topic, assessor, total in counted:
        graded[topic][place[assessor]] = total
    certain, possible = np.zeros((2, len(names), len(names)), dtype=np.bool_)
    for topic, counts in graded.items():
        both = (counts > 0) & (counts > 0)[:, None]
        possible |= both
        certain |= both & (counts + counts[:, None] > sizes[topic])
    return names, certain, possible


def measure_pairs(
    task: Task, scale: tuple[int, ...], chosen: Sequence[Two], people: Mapping[int, str]
) -> list[PairAgreement]:
    """Compare the chosen pairs of assessors, in the given order.

    The database counts the items of a topic by both grades; agreement depends only on these counts.
    """
    grades: dict[Two, tuple[Grades, Grades]] = defaultdict(lambda: ({}, {}))
    firsts, seconds = [two[0] for two in chosen], [two[1] for two in chosen]
    on_scale = list(scale)
    with connection.cursor() as cursor:
        cursor.execute(SHARED, [firsts, seconds, task.pk, on_scale, on_scale])
        for first, second, topic, a, b, count in cursor.fetchall():
            of_first, of_second = grades[first, second]
            items = [(topic, str(number)) for number in range(len(of_first), len(of_first) + count)]
            of_first.update(dict.fromkeys(items, a))
            of_second.update(dict.fromkeys(items, b))
    return [
        pair
        for two in chosen
        for pair in pair_agreements(
            {people[each]: own for each, own in zip(two, grades[two], strict=True)}, scale
        )
    ]
