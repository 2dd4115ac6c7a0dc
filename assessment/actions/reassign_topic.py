"""Give somebody's topic to another assessor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from assessment.actions.end_assignment import end_assignment
from assessment.actions.find_assessors import find_assessors
from assessment.actions.lay_out_items import lay_out_items
from assessment.models import Assignment, Kind
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from evaluation.models import User


class CannotTakeTopic(InputError):
    """The person named cannot be the topic's next assessor."""


@transaction.atomic
def reassign_topic(*, assignment: Assignment, to: User, by: User) -> Assignment:
    """End the assignment and give its topic to another, who judges what is left of it.

    What a former owner has judged stands. A second assessor's successor judges all, for two people's grades
    are no one's agreement with a third. Raises AssignmentEnded, CannotTakeTopic.
    """
    ended = end_assignment(assignment=assignment, by=by)
    if ended.is_by_items:
        raise CannotTakeTopic(
            f"{ended.pool} is judged item by item: close the assignment, and its items go back to the queue."
        )
    if ended.kind == Kind.ADJUDICATION:
        raise CannotTakeTopic(
            f"{ended.topic}: these are single items for a third person. Close the assignment, then hand over "
            "what is open of them in the list of disagreements."
        )
    if not find_assessors(pool=ended.pool).contains(to):
        raise CannotTakeTopic(f"{to} is no assessor of this track, or has a team with a run in the pool.")
    if Assignment.objects.going_on().filter(pool=ended.pool, topic=ended.topic, assessor=to).exists():
        raise CannotTakeTopic(f"{to} judges topic {ended.topic} already. Choose somebody else.")
    made = Assignment.objects.create(
        pool=ended.pool, topic=ended.topic, assessor=to, kind=ended.kind, assigned_by=by
    )
    lay_out_items(assignments=[made])
    return made
