"""Take back one judgment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from assessment.actions.record_judgment import AssignmentPaused, AssignmentStopped, JudgingNotOpen
from assessment.models import Assignment, JudgingPlan, Judgment, Purpose
from evaluation.core.errors import InputError
from evaluation.models import Phase, Task

if TYPE_CHECKING:
    from uuid import UUID

    from assessment.models.judgment import JudgmentQuerySet
    from evaluation.models import User


class NothingToUndo(InputError):
    """The judgment named is not the latest one of its item."""


@transaction.atomic
def undo_judgment(*, assignment: Assignment, undoes: UUID, client_uuid: UUID, by: User) -> Judgment:
    """Append an event that undoes the judgment sent as ``undoes``; the one before it stands again.

    The same undo sent again gets the first event back. Only the latest standing judgment of an item can be
    undone. Raises JudgingNotOpen, AssignmentPaused, AssignmentStopped, NothingToUndo.
    """
    assignment = Assignment.objects.select_for_update().get(pk=assignment.pk)
    task = Task.objects.with_phase().get(pools=assignment.pool_id)
    mine = Judgment.objects.filter(task=task, topic=assignment.topic, assessor=by)
    if stored := mine.filter(client_uuid=client_uuid, undoes__client_uuid=undoes).first():
        return stored
    if task.phase != Phase.JUDGING:
        raise JudgingNotOpen(f"{task} is not open for judging now. Ask the organizers; nothing was undone.")
    if assignment.ended_at:
        raise AssignmentStopped(assignment.topic)
    if assignment.paused_at:
        raise AssignmentPaused(assignment.topic)
    undone = next((each for each in mine.current() if each.client_uuid == undoes), None)
    if undone is None or Judgment.objects.filter(client_uuid=client_uuid).exists():
        raise NothingToUndo(
            "This judgment is not there, or is undone already. Load the page again to see what stands."
        )
    if assignment.is_by_items and undone.purpose == Purpose.WORK and not _stands_still(mine, undone):
        lease = JudgingPlan.objects.of(task).lease
        assignment.slots.filter(docno=undone.docno).update(expires_at=Now() + lease)
    return Judgment.objects.create(
        task=task,
        topic=undone.topic,
        docno=undone.docno,
        purpose=undone.purpose,
        image_sha256=undone.image_sha256,
        criteria=undone.criteria,
        assessor=by,
        undoes=undone,
        client_uuid=client_uuid,
    )


def _stands_still(mine: JudgmentQuerySet, undone: Judgment) -> bool:
    """Whether the item keeps a judgment of work: the one before is current again, and fills its slot."""
    return mine.standing().of_work().filter(docno=undone.docno).exclude(pk=undone.pk).exists()
