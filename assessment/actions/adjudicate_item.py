"""Settle an item that people grade differently, with their grades in sight."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from assessment.actions.record_judgment import check_grade
from assessment.models import Judgment, Purpose
from evaluation.core.errors import InputError
from evaluation.models import Criteria, Document, Task

if TYPE_CHECKING:
    from evaluation.models import User


class NothingToAdjudicate(InputError):
    """Nobody has graded the item."""


@transaction.atomic
def adjudicate_item(
    *, task: Task, topic: str, docno: str, grade: int, by: User, comment: str = ""
) -> Judgment:
    """Append the head assessor's grade of the item. A later one takes its place.

    It counts in published qrels by every rule but the owner's. Raises NothingToAdjudicate, GradeOffScale.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if not Judgment.objects.standing().of_work().filter(task=task, topic=topic, docno=docno).exists():
        raise NothingToAdjudicate(
            f"Nobody has graded this item of topic {topic}, so there is nothing to settle."
        )
    criteria = Criteria.objects.current(task)
    check_grade(criteria, grade)
    document = Document.objects.get(collection=task.collection_id, docno=docno)
    return Judgment.objects.create(
        task=task,
        topic=topic,
        docno=docno,
        purpose=Purpose.ADJUDICATION,
        image_sha256=document.image_id or "",
        criteria=criteria,
        assessor=by,
        grade=grade,
        comment=comment,
        client_uuid=uuid.uuid4(),
        shown_at=timezone.now(),
    )
