"""Record assessors' comments and flags on items."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from assessment.judging.actions import check_assignment
from assessment.models.assignment import Assignment
from assessment.models.item_facts import ItemFacts
from assessment.models.purposes import Purpose
from assessment.models.remark import Remark
from evaluation.platform.access.people import User
from trackside.errors import InputError

ANY_VERSION = 0  # of the criteria: a remark has none


@transaction.atomic
def record_remark(
    *,
    assignment: Assignment,
    docno: str,
    purpose: Purpose = Purpose.WORK,
    comment: str,
    is_flagged: bool,
    client_uuid: UUID,
    by: User,
) -> Remark:
    """Append a comment and a flag, which replace earlier ones; for a known UUID return the stored event.

    Raises not-assigned, judgment-id-taken, JudgingNotOpen, AssignmentPaused, AssignmentStopped,
    ExamNotPassed.
    """
    facts = ItemFacts.locked(
        assignment.pk, docno=docno, purpose=purpose, version=ANY_VERSION, client_uuid=client_uuid
    )
    if remark := Remark.objects.filter(client_uuid=client_uuid).first():
        if (remark.assessor_id, remark.topic, remark.docno) != (by.pk, facts.topic, docno):
            raise InputError(
                gettext("Another remark has the same number. Load the page again and repeat yours."),
                code="judgment-id-taken",
            )
        return remark
    check_assignment(facts, by)
    return Remark.objects.create(
        task=facts.task,
        topic=facts.topic,
        docno=docno,
        purpose=purpose,
        assessor=by,
        comment=comment,
        is_flagged=is_flagged,
        client_uuid=client_uuid,
    )
