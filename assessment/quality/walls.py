"""Rows of the page on quality: what walls cost, by person."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection

from assessment.core.quality import Proportion, proportion
from assessment.core.wall_losses import FEWEST, Finding
from assessment.models.plan import JudgingPlan
from assessment.wall.control import WallCosts, find_wall_costs
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task

REPEATED = """
    SELECT again.assessor_id, count(*) FILTER (WHERE again.grade = before.grade), count(*)
    FROM assessment_currentjudgment AS again
    JOIN assessment_currentjudgment AS before USING (item_id, assessor_id)
    JOIN assessment_judgment AS event ON event.id = before.judgment_id
    WHERE again.task_id = %s AND again.purpose = 'repeat' AND before.purpose IN ('work', 'gold')
        AND event.wall IS NULL AND again.grade = ANY(%s) AND before.grade = ANY(%s)
    GROUP BY again.assessor_id
"""


@dataclass(frozen=True)
class WallRow:
    """What walls cost one person, or everybody, and how often the same grade came again singly."""

    name: str
    costs: WallCosts
    plan: JudgingPlan
    repeats: Proportion
    person: int | None

    @property
    def finding(self) -> Finding:
        """What can be said of the losses."""
        return self.costs.grades.finding(self.plan.wall_loss)

    @property
    def has_walls(self) -> bool:
        """Whether the person has walls; for everybody, whether the task has."""
        return self.plan.shows_walls_to(self.person or 0)

    @property
    def is_like_chance(self) -> bool:
        """Whether enough single items have others' grades, and do not agree with them for certain."""
        kappa = self.costs.grades.kappa
        return self.costs.grades.compared_count >= FEWEST and (kappa is None or kappa.high is None)

    @property
    def shares(self) -> list[tuple[Any, ...]]:
        """Each grade with its share on walls and singly, the highest first."""
        grades = self.costs.grades
        return list(zip(grades.scale, *grades.share_of_each.tolist(), strict=True))[::-1]


def find_walls(task: Task, people: Mapping[int, str]) -> list[WallRow]:
    """Return the row of everybody if there are several people with single items, then theirs by name."""
    scale = list(Criteria.objects.current(task).scale)
    with connection.cursor() as cursor:
        cursor.execute(REPEATED, [task.pk, scale, scale])
        repeats = {person: proportion(same, count) for person, same, count in cursor.fetchall()}
    names: dict[int | None, str] = {None: "Everybody"} | dict(people)
    plan, costs = JudgingPlan.objects.of(task), find_wall_costs(task)
    ordered = sorted(costs, key=lambda person: (person is not None, names[person]))
    return [
        WallRow(names[person], costs[person], plan, repeats.get(person, proportion(0, 0)), person)
        for person in ordered
    ]
