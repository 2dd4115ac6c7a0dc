"""Settle items on which assessors disagree."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Unpack
from uuid import UUID

from django.db import transaction
from django.db.models import Value
from django.utils.translation import gettext

from assessment.judging.actions import ShownFields
from assessment.models.judgment import Judgment
from assessment.models.purposes import AdjudicationMode, Purpose
from assessment.models.remark import Remark, keep_words, leaves_words
from assessment.models.replacing import NOT_SAID, Replaces, check_replaces, pair_lock
from evaluation.collections.models import Document
from evaluation.platform.access.people import User
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.errors import InputError


@transaction.atomic
def adjudicate_item(
    *,
    task: Task,
    topic: str,
    docno: str,
    grade: int,
    client_uuid: UUID,
    shown_at: datetime,
    by: User,
    active_seconds: float | None = None,
    comment: str = "",
    saw_record: bool = False,
    replaces: Replaces = NOT_SAID,
    given_at: datetime | None = None,
    **shown: Unpack[ShownFields],
) -> Judgment:
    """Append an adjudicator's grade of the item; for a known UUID return the stored event.

    Its mode is open if the page showed the grades on record (``saw_record``), or if the person has graded the
    item before, after which it shows them. It counts in published qrels by every rule except the owner's.
    Raises nothing-to-adjudicate, grade-not-in-criteria, other-image, event-id-taken, JudgmentConflict.
    """
    _lock(task, topic, docno, by)
    if judgment := Judgment.objects.filter(client_uuid=client_uuid).first():
        return _same(judgment, (by.pk, task.pk, topic, docno, grade))
    criteria = _criteria(task, topic, docno, grade, shown["image_sha256"])
    own = settled_by(task, topic, docno, by)
    check_replaces(replaces, own, mark=grade)
    is_open = saw_record or Judgment.objects.adjudications(task, topic, docno, by).exists()
    pair: dict[str, Any] = {"task": task, "topic": topic, "docno": docno}
    pair |= {"purpose": Purpose.ADJUDICATION, "assessor": by}
    judgment = Judgment(
        **pair,
        criteria=criteria,
        grade=grade,
        comment=comment,
        client_uuid=client_uuid,
        shown_at=shown_at,
        given_at=given_at,
        replaces_rule=replaces.rule,
        replaces=replaces.uuid,
        active_seconds=active_seconds,
        mode=AdjudicationMode.OPEN if is_open else AdjudicationMode.BLIND,
        **shown,
    )
    return _stored(judgment, own, Remark.objects.filter(**pair).current())


def _stored(judgment: Judgment, own: Judgment | None, remarks: Iterable[Remark]) -> Judgment:
    if leaves_words(judgment, own.client_uuid if own else None):
        keep_words(judgment, [own] if own else [], remarks)
    judgment.save(force_insert=True)
    return judgment


def _criteria(task: Task, topic: str, docno: str, grade: int, image_sha256: str) -> Criteria:
    """Return the criteria of a grade; raises nothing-to-adjudicate, grade-not-in-criteria, other-image."""
    if not Judgment.objects.counted().of_work().filter(task=task, topic=topic, docno=docno).exists():
        problem = gettext("Nobody has graded this item of topic {topic}, so there is nothing to settle.")
        raise InputError(problem.format(topic=topic), code="nothing-to-adjudicate")
    criteria = Criteria.objects.current(task)
    criteria.check_grade(grade)
    _check_image(Document.objects.get(collection=task.collection_id, docno=docno), image_sha256)
    return criteria


def settled_by(task: Task, topic: str, docno: str, by: User) -> Judgment | None:
    """Return the item's latest adjudication if it is the person's own: pages show no other as theirs."""
    judgments = Judgment.objects.not_undone().filter(task=task, topic=topic, docno=docno)
    latest = judgments.filter(purpose=Purpose.ADJUDICATION).last()
    return latest if latest and latest.assessor_id == by.pk else None


def _lock(task: Task, topic: str, docno: str, by: User) -> None:
    """Lock the task against other adjudicators, and the pair against the person's assignment of it."""
    lock = pair_lock(Value(by.pk), Value(Purpose.ADJUDICATION), Value(topic), Value(docno))
    Task.objects.select_for_update(no_key=True).filter(pk=task.pk).values_list("pk", lock).get()


def _check_image(document: Document, image_sha256: str) -> None:
    if image_sha256 != (document.image_id or ""):
        raise InputError(
            gettext("The image shown is not this item's. Load the page again and repeat the grade."),
            code="other-image",
        )


def _same(judgment: Judgment, values: tuple[int, int, str, str, int]) -> Judgment:
    existing = (judgment.assessor_id, judgment.task_id, judgment.topic, judgment.docno, judgment.grade)
    if existing != values or judgment.purpose != Purpose.ADJUDICATION:
        raise InputError(
            gettext("Another judgment has the same number. Load the page again and repeat yours."),
            code="event-id-taken",
        )
    return judgment


@transaction.atomic
def undo_adjudication(
    *,
    task: Task,
    topic: str,
    docno: str,
    undoes: UUID,
    client_uuid: UUID,
    by: User,
    given_at: datetime | None = None,
) -> Judgment:
    """Append an event that undoes the person's own grade; for a known undo return the stored event.

    Raises nothing-settled.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    judgments = Judgment.objects.adjudications(task, topic, docno, by)
    if judgment := judgments.filter(client_uuid=client_uuid, undoes__client_uuid=undoes).first():
        return judgment
    undone = judgments.current().first()
    if undone is None or undone.client_uuid != undoes or Judgment.objects.filter(client_uuid=client_uuid):
        raise InputError(
            gettext("This grade does not exist or is undone already. Load the page again."),
            code="nothing-settled",
        )
    return undone.undo_by(by, client_uuid, given_at)


@transaction.atomic
def comment_adjudication(
    *, task: Task, topic: str, docno: str, comment: str, client_uuid: UUID, by: User
) -> Remark:
    """Append an adjudication's reason, replacing earlier ones; for a known UUID return the stored event.

    Raises event-id-taken.
    """
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if remark := Remark.objects.filter(client_uuid=client_uuid).first():
        if (remark.assessor_id, remark.task_id, remark.topic, remark.docno) != (by.pk, task.pk, topic, docno):
            raise InputError(
                gettext("Another remark has the same number. Load the page again and repeat yours."),
                code="event-id-taken",
            )
        return remark
    return Remark.objects.create(
        task=task,
        topic=topic,
        docno=docno,
        purpose=Purpose.ADJUDICATION,
        assessor=by,
        comment=comment,
        client_uuid=client_uuid,
    )
