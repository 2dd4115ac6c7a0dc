"""Assignments and judgments for tests."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from assessment.assigning.layout import lay_out_items
from assessment.judging.actions import record_judgment, undo_judgment
from assessment.judging.remarks import record_remark
from assessment.models import Assignment, CannotJudge, Judgment, Remark
from assessment.quality.actions import adjudicate_item
from evaluation.models import Document, Phase, Pool, Task, User
from tests.factories import make_assessor, make_pool, make_task

PAIRS = (("T1", "D2"), ("T2", "D1"), ("T1", "D1"), ("T1", "D3"))


def make_judging_pool(*, pairs: Sequence[tuple[str, str]] = PAIRS, **fields: Any) -> Pool:
    """A pool of a task in judging, with topics T1 and T2 and documents D1 to D3; T1 shows D2, D1, D3."""
    task = make_task(phase=fields.pop("phase", Phase.JUDGING), topic_count=2, document_count=3, **fields)
    return make_pool(task, pairs=pairs)


def make_assignment(pool: Pool | None = None, *, topic: str = "T1", **fields: Any) -> Assignment:
    """Assign the topic's items to an assessor, to a new one unless given."""
    pool = pool or make_judging_pool()
    assessor = fields.pop("assessor", None) or make_assessor(pool.task.track)
    assignment = Assignment.objects.create(
        pool=pool, topic=topic, assessor=assessor, assigned_by=pool.created_by, **fields
    )
    if not assignment.is_by_items:
        lay_out_items(assignments=[assignment])
    return assignment


def adjudicate(task: Task, docno: str, grade: int, *, by: User, **changes: Any) -> Judgment:
    """The form that the organizer's screen sends for an item of T1."""
    document = Document.objects.get(collection=task.collection, docno=docno)
    sent: dict[str, Any] = {
        "image_sha256": document.image_id or "",
        "client_uuid": uuid.uuid4(),
        "shown_at": timezone.now(),
    }
    return adjudicate_item(task=task, topic="T1", docno=docno, grade=grade, by=by, **sent | changes)


def judge(assignment: Assignment, docno: str, mark: int | CannotJudge, **changes: Any) -> Judgment:
    """The form that the assessor's screen sends for the item, with ``changes``."""
    document = Document.objects.get(collection=assignment.pool.task.collection, docno=docno)
    sent: dict[str, Any] = {
        "image_sha256": document.image_id or "",
        "criteria_version": 1,
        "client_uuid": uuid.uuid4(),
        "shown_at": timezone.now(),
        "active_seconds": 2.5,
        "by": User.objects.get(pk=assignment.assessor_id),
    }
    return record_judgment(assignment=assignment, docno=docno, mark=mark, **sent | changes)


def undo(
    assignment: Assignment, judgment: Judgment | uuid.UUID, client_uuid: uuid.UUID | None = None
) -> Judgment:
    """Undo a judgment of the assignment as its assessor."""
    return undo_judgment(
        assignment=assignment,
        undoes=judgment.client_uuid if isinstance(judgment, Judgment) else judgment,
        client_uuid=client_uuid or uuid.uuid4(),
        by=assignment.assessor,
    )


def remark(assignment: Assignment, docno: str = "D1", comment: str = "", **changes: Any) -> Remark:
    """Remark on an item of the assignment as its assessor, with ``changes``."""
    sent: dict[str, Any] = {"is_flagged": False, "client_uuid": uuid.uuid4(), "by": assignment.assessor}
    return record_remark(assignment=assignment, docno=docno, comment=comment, **sent | changes)
