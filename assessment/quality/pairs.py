"""Agreement of each pair of assessors on the items that both graded."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection
from django.db.models import Count, Sum

from assessment.core.quality import (
    GradedItems,
    PairAgreement,
    TopicsOfItems,
    count_shared,
    pair_agreement,
    shared_grades,
)
from assessment.models.aggregates import JudgedItem, Tally
from assessment.models.assignment import Purpose
from assessment.quality.columns import read_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from evaluation.core.arrays import Flags, Ints
    from evaluation.tracks.models import Task

    Two = tuple[int, int]

GRADED = """
    FROM assessment_currentjudgment
    WHERE task_id = %s AND purpose = 'work' AND grade = ANY(%s) AND assessor_id = ANY(%s)
"""
ITEMS = """
    SELECT string_agg(int8send(id), ''::bytea) FROM assessment_judgeditem
    WHERE task_id = %s AND topic = ANY(%s) GROUP BY topic ORDER BY topic
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
    """Compare the chosen pairs of assessors, in the given order."""
    if not chosen:
        return []
    assessors = sorted({each for two in chosen for each in two})
    graded, topics = _graded_items(task, scale, assessors), _topics_of_items(task, assessors)
    return [
        pair_agreement(
            people[first],
            people[second],
            shared_grades(graded[first], graded[second], topics, scale),
            scale,
        )
        for first, second in chosen
    ]


def _graded_items(task: Task, scale: Sequence[int], assessors: Sequence[int]) -> dict[int, GradedItems]:
    columns = ["assessor_id", "item_id", "grade"]
    names, items, grades = read_columns(columns, GRADED, [task.pk, list(scale), list(assessors)])
    order = np.lexsort((items, names))
    names, items, grades = names[order], items[order], grades[order]
    starts = np.searchsorted(names, assessors)
    ends = np.searchsorted(names, assessors, side="right")
    return {
        assessor: GradedItems(items[start:end], grades[start:end])
        for assessor, start, end in zip(assessors, starts, ends, strict=True)
    }


def _topics_of_items(task: Task, assessors: Sequence[int]) -> TopicsOfItems:
    """Return the judged items of the topics of these assessors, also where all judgments are undone."""
    judged = Tally.objects.filter(task=task, assessor__in=assessors, purpose=Purpose.WORK)
    with connection.cursor() as cursor:
        cursor.execute(ITEMS, [task.pk, sorted(set(judged.values_list("topic", flat=True)))])
        by_topic = [np.frombuffer(items, dtype=">i8") for (items,) in cursor.fetchall()]
    items = np.concatenate(by_topic).astype(np.int64)
    topics = np.repeat(np.arange(len(by_topic)), [len(each) for each in by_topic])
    order = np.argsort(items)
    return TopicsOfItems(items[order], topics[order], len(by_topic))
