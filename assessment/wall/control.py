"""What walls cost each assessor of a task, and the end of walls for those whom they cost too much."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pghistory
from django.db import connection, transaction

from assessment.assigning.lookups import has_walls
from assessment.core.arranging import WALL_SIZE
from assessment.core.wall_losses import ON_WALL, SINGLY, WallGrades, sums_by_wall
from assessment.models.assignment import Assignment
from assessment.models.plan import JudgingPlan
from assessment.wall.repeats import deal_again
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.arrays import Floats

# An item counts for the surface to which it was dealt, whatever was opened or changed later. Walls count on
# which an item was judged; an item that its assessor had judged before the assignment does not.
DEALT = """
    WITH dealt AS (
        SELECT assignment.assessor_id, item.id AS item_id, drawn.is_single::int AS surface,
            drawn.single_every, own.grade, own.active_seconds,
            assignment.id * 1000000 + (drawn.place - 1) / %(size)s AS wall,
            bool_or(event.wall IS NOT NULL)
                OVER (PARTITION BY assignment.id, (drawn.place - 1) / %(size)s) AS is_on_a_wall
        FROM assessment_assignment AS assignment
        JOIN evaluation_pool AS pool ON pool.id = assignment.pool_id
        JOIN assessment_assigneditem AS drawn ON drawn.assignment_id = assignment.id
        JOIN assessment_judgeditem AS item
            ON item.task_id = pool.task_id AND item.topic = assignment.topic AND item.docno = drawn.docno
        JOIN assessment_currentjudgment AS own ON own.item_id = item.id
            AND own.assessor_id = assignment.assessor_id AND own.purpose = drawn.purpose
        JOIN assessment_judgment AS event ON event.id = own.judgment_id
        WHERE pool.task_id = %(task)s AND drawn.single_every IS NOT NULL AND own.grade = ANY(%(scale)s)
            AND own.judged_at >= assignment.assigned_at
            AND (%(assessor)s::bigint IS NULL OR assignment.assessor_id = %(assessor)s)
    )
"""
GRADES = f"""
    {DEALT} SELECT assessor_id, wall, surface, single_every, grade, -1, count(*),
        coalesce(sum(active_seconds), 0), count(active_seconds)
    FROM dealt WHERE is_on_a_wall GROUP BY assessor_id, wall, surface, single_every, grade
"""  # noqa: S608 - our own constant
COMPARED = f"""
    {DEALT} SELECT assessor_id, wall, surface, single_every, grade, other_grade, sum(1.0 / other_count), 0, 0
    FROM (
        SELECT dealt.*, other.grade AS other_grade,
            count(*) OVER (PARTITION BY dealt.assessor_id, wall, dealt.item_id) AS other_count
        FROM dealt JOIN assessment_currentjudgment AS other ON other.item_id = dealt.item_id
            AND other.assessor_id <> dealt.assessor_id AND other.purpose = 'work'
            AND other.grade = ANY(%(scale)s)
        WHERE is_on_a_wall
    ) AS pairs GROUP BY assessor_id, wall, surface, single_every, grade, other_grade
"""  # noqa: S608 - our own constant


class _Cell(NamedTuple):
    """Items of one person on one wall with the same grades; ``other`` is somebody else's, or -1."""

    assessor: int
    wall: int
    surface: int
    every: int
    grade: int
    other: int
    item_count: float
    seconds: float
    measured_count: int

    @property
    def weight(self) -> float:
        """The items, each by 1 / the chance of being dealt to its surface."""
        return float(self.item_count) * (
            self.every if self.surface == SINGLY else self.every / (self.every - 1)
        )


@dataclass(frozen=True)
class WallCosts:
    """What walls cost one person, or everybody; seconds are means of the active time on an item, or null."""

    grades: WallGrades
    seconds: tuple[float | None, float | None]  # on walls, singly


def find_wall_costs(task: Task, *, assessor: int | None = None) -> dict[int | None, WallCosts]:
    """Return the costs by person with single items, and under None those of everybody if there are several.

    ``assessor`` chooses one person.
    """
    scale = tuple(sorted(Criteria.objects.current(task).scale))
    values = {"task": task.pk, "scale": list(scale), "size": WALL_SIZE, "assessor": assessor}
    cells, compared = _cells(GRADES, values), _cells(COMPARED, values)
    people = {person for person, own in cells.items() if any(cell.surface == SINGLY for cell in own)}
    costs: dict[int | None, WallCosts] = {
        person: _costs(cells[person], compared[person], scale) for person in people
    }
    if len(people) > 1:
        costs[None] = _costs([*chain(*cells.values())], [*chain(*compared.values())], scale)
    return costs


def _cells(query: str, values: dict[str, Any]) -> dict[int, list[_Cell]]:
    cells: dict[int, list[_Cell]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        for row in cursor.fetchall():
            cells[row[0]].append(_Cell(*row))
    return cells


def _costs(cells: Sequence[_Cell], compared: Sequence[_Cell], scale: tuple[int, ...]) -> WallCosts:
    on_wall, singly = ([cell for cell in cells if cell.surface == surface] for surface in (ON_WALL, SINGLY))
    grades = WallGrades(
        _sums(cells, scale),
        _sums(compared, scale, is_compared=True),
        _count(singly),
        _count([cell for cell in compared if cell.surface == SINGLY]),
        scale,
    )
    return WallCosts(grades, (_mean_seconds(on_wall), _mean_seconds(singly)))


def _sums(cells: Sequence[_Cell], scale: tuple[int, ...], *, is_compared: bool = False) -> Floats:
    """Add the weights up by wall, surface and grade, and by the other's grade if it is compared."""
    _, walls = np.unique([cell.wall for cell in cells], return_inverse=True)
    grades = [[cell.surface for cell in cells], [scale.index(cell.grade) for cell in cells]]
    if is_compared:
        grades.append([scale.index(cell.other) for cell in cells])
    shape = (2, *[len(scale)] * (len(grades) - 1))
    indices = tuple(np.array(row, dtype=np.int64) for row in grades)
    return sums_by_wall(walls, indices, np.array([cell.weight for cell in cells]), shape)


def _count(cells: Sequence[_Cell]) -> int:
    return round(sum(cell.item_count for cell in cells))


def _mean_seconds(cells: Sequence[_Cell]) -> float | None:
    count = sum(cell.measured_count for cell in cells)
    return sum(cell.seconds for cell in cells) / count if count else None


@transaction.atomic
def review_walls(*, assignment: Assignment) -> None:
    """End walls for the assessor if a finished topic shows that they lose more than the plan allows.

    Between topics: a wall on the screen stays. Single items of earlier topics are dealt again.
    """
    if not has_walls(assignment) or assignment.open_places():
        return
    deal_again(assignment)
    task, assessor = assignment.pool.task, assignment.assessor_id
    costs = find_wall_costs(task, assessor=assessor).get(assessor)
    plan = JudgingPlan.objects.select_for_update().get(task=task)
    if costs and plan.shows_walls_to(assessor) and costs.grades.finding(plan.wall_loss) == "loses":
        plan.single_people = sorted([*plan.single_people, assessor])
        with pghistory.context(user=None, url=None, task="review_walls"):  # no change by the assessor
            plan.save(update_fields=["single_people"])
