"""Agreement of two assessors on the items that both graded, and of walls with items judged one by one."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Greatest, Least

from assessment.core.quality import PairAgreement, Proportion, confusion_by_topic, pair_agreement, proportion
from assessment.models.aggregates import SharedTally
from evaluation.tracks.models import Task
from trackside.arrays import Ints


def read_columns(names: Sequence[str], source: str, parameters: Sequence[int | list[int]]) -> list[Ints]:
    """Return columns of type bigint as arrays, without a null.

    ``source`` is the query from FROM on. PostgreSQL sends all rows as one value, in a tenth of the time of
    single rows.
    """
    packed = " || ".join(f"int8send({name})" for name in names)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT string_agg({packed}, ''::bytea) {source}", parameters)
        ((content,),) = cursor.fetchall()
    numbers = np.frombuffer(content or b"", dtype=">i8").reshape(-1, len(names))
    return list(numbers.T.astype(np.int64))


Two = tuple[int, int]

COLUMNS = ("topic", "assessor_id", "other_id", "grade", "other_grade", "count")
SHARED = """
    FROM (
        SELECT dense_rank() OVER (ORDER BY topic) - 1 AS topic,
            assessor_id, other_id, grade, other_grade, count
        FROM assessment_sharedtally
        WHERE task_id = %s AND assessor_id = ANY(%s) AND other_id = ANY(%s)
            AND grade = ANY(%s) AND other_grade = ANY(%s)
    ) AS shared
"""


def find_pairs(task: Task, scale: Sequence[int], people: Mapping[int, str]) -> list[Two]:
    """Return each pair of assessors who graded a common pool item, in order of names."""
    shared = SharedTally.objects.filter(
        task=task, assessor__in=people, other__in=people, grade__in=scale, other_grade__in=scale
    )
    pairs = shared.values_list(Least("assessor", "other"), Greatest("assessor", "other"))
    totals = pairs.annotate(total=Sum("count")).filter(total__gt=0)
    names = [sorted((people[pk], pk) for pk in pair) for *pair, _ in totals]
    return [(first, second) for (_, first), (_, second) in sorted(names)]


def measure_pairs(
    task: Task, scale: tuple[int, ...], pairs: Sequence[Two], people: Mapping[int, str]
) -> list[PairAgreement]:
    """Compare the chosen pairs of assessors, in the given order."""
    if not pairs:
        return []
    chosen_people = sorted({pk for pair in pairs for pk in pair})
    columns = read_columns(COLUMNS, SHARED, [task.pk, chosen_people, chosen_people, list(scale), list(scale)])
    matrices = confusion_by_topic(pairs, *columns, scale=scale)
    return [
        pair_agreement(people[first], people[second], pair_matrices, scale)
        for (first, second), pair_matrices in zip(pairs, matrices, strict=True)
    ]


COMPARED = """
    SELECT wall.assessor_id, item.topic, wall.grade, single.grade, count(*),
        sum(wall.active_seconds), sum(single.active_seconds)
    FROM assessment_currentjudgment AS wall
    JOIN assessment_currentjudgment AS single USING (item_id, assessor_id)
    JOIN assessment_judgment AS on_wall ON on_wall.id = wall.judgment_id
    JOIN assessment_judgment AS singly ON singly.id = single.judgment_id
    JOIN assessment_judgeditem AS item ON item.id = wall.item_id
    WHERE wall.task_id = %s AND wall.purpose IN ('work', 'gold') AND single.purpose = 'repeat'
        AND on_wall.wall IS NOT NULL AND singly.wall IS NULL
        AND wall.grade = ANY(%s) AND single.grade = ANY(%s)
    GROUP BY wall.assessor_id, item.topic, wall.grade, single.grade
"""


class _Cell(NamedTuple):
    assessor: int
    topic: str
    on_wall: int
    singly: int
    item_count: int
    wall_seconds: float | None
    single_seconds: float | None


@dataclass(frozen=True)
class WallCheck:
    """Items judged on a wall and again singly by one person, or by everybody.

    ``missed`` is the share of the items with the highest grade singly that have a lower one on the wall.
    Seconds are means of the active time on an item, null if none were measured.
    """

    agreement: PairAgreement
    missed: Proportion
    wall_seconds: float | None
    single_seconds: float | None


def find_wall_checks(task: Task, scale: tuple[int, ...], people: Mapping[int, str]) -> list[WallCheck]:
    """Compare both surfaces: for everybody if there are several people, then by person in order of names."""
    with connection.cursor() as cursor:
        cursor.execute(COMPARED, [task.pk, list(scale), list(scale)])
        cells = [_Cell(*row) for row in cursor.fetchall()]
    by_person: dict[int, list[_Cell]] = defaultdict(list)
    for cell in cells:
        by_person[cell.assessor].append(cell)
    everybody = [_check("Everybody", cells, scale)] if len(by_person) > 1 else []
    ordered = sorted(by_person, key=lambda person: people[person])
    return everybody + [_check(people[person], by_person[person], scale) for person in ordered]


def _check(name: str, cells: Sequence[_Cell], scale: tuple[int, ...]) -> WallCheck:
    matrices: dict[str, Ints] = defaultdict(lambda: np.zeros((len(scale), len(scale)), dtype=np.int64))
    for cell in cells:
        matrices[cell.topic][scale.index(cell.on_wall), scale.index(cell.singly)] += cell.item_count
    top = [cell for cell in cells if cell.singly == max(scale)]
    missed = sum(cell.item_count for cell in top if cell.on_wall < cell.singly)
    count = sum(cell.item_count for cell in cells)
    return WallCheck(
        pair_agreement(name, "", np.array(list(matrices.values())), scale),
        proportion(missed, sum(cell.item_count for cell in top)),
        _mean([cell.wall_seconds for cell in cells], count),
        _mean([cell.single_seconds for cell in cells], count),
    )


def _mean(sums: Sequence[float | None], count: int) -> float | None:
    measured = [total for total in sums if total is not None]
    return sum(measured) / count if measured else None
