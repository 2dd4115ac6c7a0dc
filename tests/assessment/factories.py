"""Assignments, leases, judgments, and pages and rows that show them, for tests."""

import html
import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessment.assigning.actions import open_queue
from assessment.assigning.layout import lay_out_items
from assessment.judging.actions import record_judgment, undo_judgment
from assessment.judging.leases import lease_items
from assessment.judging.remarks import record_remark
from assessment.models import Assignment, AssignmentKind, Judgment, Remark, Slot
from assessment.models.replacing import Replaces, ReplacesRule
from assessment.quality.actions import adjudicate_item
from evaluation.models import Document, Phase, Pool, Qrels, Task, User
from tests.factories import make_assessor, make_pool, make_task

ANY = Replaces(ReplacesRule.ANY)
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
        "replaces": ANY,
    }
    return adjudicate_item(task=task, topic="T1", docno=docno, grade=grade, by=by, **sent | changes)


def judge(assignment: Assignment, docno: str, mark: int | str, **changes: Any) -> Judgment:
    """The form that the assessor's screen sends for the item, with ``changes``; replaces any judgment."""
    document = Document.objects.get(collection=assignment.pool.task.collection, docno=docno)
    sent: dict[str, Any] = {
        "image_sha256": document.image_id or "",
        "criteria_version": 1,
        "client_uuid": uuid.uuid4(),
        "shown_at": timezone.now(),
        "active_seconds": 2.5,
        "replaces": ANY,
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


def rows_of(qrels: Qrels) -> list[tuple[str, str, int | None, str]]:
    return list(qrels.pairs.order_by("topic", "docno").values_list("topic", "docno", "grade", "outcome"))


def address(name: str, given: Assignment, *args: str) -> str:
    return reverse(name, args=[given.pool.task.track.slug, given.pool.task.slug, *args])


def make_two(mark: int = 2) -> tuple[Assignment, Assignment]:
    pool = make_judging_pool()
    ann, ben = (make_assessor(pool.task.track, name=name) for name in ("Ann", "Ben"))
    owner, second = (
        make_assignment(pool, assessor=ann),
        make_assignment(pool, assessor=ben, kind=AssignmentKind.SECOND),
    )
    judge(owner, "D1", 0, active_seconds=8.0, comment="=nothing fits")
    judge(owner, "D2", 1, active_seconds=4.0)
    judge(second, "D1", mark, active_seconds=2.0, comment="it fits")
    return owner, second


def make_queue(*, assessors: int = 2, percent: int = 0, count: int = 2) -> tuple[Pool, list[User]]:
    """The pool of T1 (D2, D1, D3) and T2 (D1), open item by item, and its assessors."""
    pool = make_judging_pool()
    people = [make_assessor(pool.task.track) for _ in range(assessors)]
    open_queue(pool=pool, percent=percent, seed=1, assessor_count=count)
    return pool, people


def docnos_of(assignment: Assignment) -> list[str]:
    return list(assignment.items.order_by("place").values_list("docno", flat=True))


def expire(assignment: Assignment) -> None:
    assignment.slots.update(expires_at=Now() - timedelta(seconds=1))


def take_topic(pool: Pool, person: User, topic: str, size: int = 20) -> Assignment:
    """A lease of that topic: the other topic's free slots are deleted meanwhile."""
    others = Slot.objects.filter(pool=pool).exclude(topic=topic)
    held = list(others.filter(assignment__isnull=True).values_list("pk", flat=True))
    positions = dict(others.values_list("pk", "position"))
    Slot.objects.filter(pk__in=held).delete()
    leased = lease_items(pool=pool, by=person, size=size)
    Slot.objects.bulk_create(
        Slot(pk=pk, pool=pool, topic="T2", docno="D1", turn=0, position=positions[pk]) for pk in held
    )
    return leased


def page(client: Client, name: str, assignment: Assignment, *place: int) -> str:
    client.force_login(assignment.assessor)
    answer = client.get(reverse(name, args=[assignment.pk, *place]))
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())
