"""The walls of an assignment: its items in the order of display, up to 24 at a time."""

from django.db.models import Exists, OuterRef

from assessment.core.walls import lay_walls
from assessment.models.assignment import Assignment
from assessment.models.judgment import Judgment
from assessment.models.plan import ExtraQuestion, JudgingPlan
from assessment.models.purposes import AssignmentKind, Purpose


def has_walls(assignment: Assignment) -> bool:
    """Return whether the assessor may judge the assignment on walls.

    A wall has no place for replies, so a question that needs one turns walls off.
    """
    task = assignment.pool.task
    return (
        assignment.kind != AssignmentKind.ADJUDICATION
        and JudgingPlan.objects.of(task).shows_walls_to(assignment.assessor_id)
        and not ExtraQuestion.objects.filter(task=task, is_required=True).exists()
    )


def walls_of(assignment: Assignment) -> list[list[int]]:
    """Return the places of each wall, always the same ones; new items are appended.

    An item is on a wall at its first sighting only: repeats, and items that the assessor judged before the
    assignment was made, are judged one by one. A wall is empty while one of its judged items is shown again.
    """
    if not has_walls(assignment):
        return []
    judgments = Judgment.objects.filter(
        task=assignment.pool.task_id,
        topic=assignment.topic,
        assessor=assignment.assessor_id,
        docno=OuterRef("docno"),
        judged_at__lt=assignment.assigned_at,
    )
    items = list(
        assignment.items.exclude(Exists(judgments)).order_by("place").values_list("place", "docno", "purpose")
    )
    open_places = set(assignment.open_places())
    repeats = {docno for place, docno, purpose in items if purpose == Purpose.REPEAT and place in open_places}
    veiled = {place for place, docno, _ in items if docno in repeats and place not in open_places}
    walls = lay_walls([place for place, _, purpose in items if purpose != Purpose.REPEAT])
    return [[] if veiled.intersection(wall) else wall for wall in walls]


def first_open_wall(assignment: Assignment) -> int | None:
    """Return the number of the first wall with an item that needs a judgment, from 1."""
    open_places = set(assignment.open_places())
    walls = enumerate(walls_of(assignment), start=1)
    return next((number for number, wall in walls if open_places.intersection(wall)), None)
