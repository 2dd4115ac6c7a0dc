"""Agreement of each two assessors on the items that both graded."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from assessment.core.quality import PairAgreement, agree_in_pairs, count_shared
from assessment.quality.columns import read_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.tracks.models import Task

    Two = tuple[int, int]
    Grades = dict[tuple[str, str], int]

GRADED = """
    FROM assessment_currentjudgment
    WHERE task_id = %s AND purpose = 'work' AND grade = ANY(%s)
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
    """Return each two assessors with a common item of work, in order of names."""
    items, assessors = read_columns(["item_id", "assessor_id"], GRADED, [task.pk, list(scale)])
    names, shared = count_shared(items, assessors)
    found = []
    for row, column in np.argwhere(np.triu(shared, k=1)):
        two = sorted((int(names[row]), int(names[column])), key=lambda each: people[each])
        found.append((two[0], two[1]))
    return sorted(found, key=lambda two: (people[two[0]], people[two[1]]))


def measure_pairs(
    task: Task, scale: tuple[int, ...], chosen: Sequence[Two], people: Mapping[int, str]
) -> list[PairAgreement]:
    """Compare the chosen pairs of assessors, in their order.

    The database counts the items of a topic by both grades; the identity of items does not matter here.
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
        for pair in agree_in_pairs(
            {people[each]: own for each, own in zip(two, grades[two], strict=True)}, scale
        )
    ]
