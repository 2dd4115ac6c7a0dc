"""What a wall changes: the same items judged on it and, later, one by one by the same person."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from django.db import connection

from assessment.core.quality import PairAgreement, Proportion, pair_agreement, proportion
from evaluation.tracks.models import Task
from trackside.arrays import Ints

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
