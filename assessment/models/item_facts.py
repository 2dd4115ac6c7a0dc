"""Read all that decides whether a judgment is accepted in one statement."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, F, JSONField, OuterRef, QuerySet, Subquery

from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.judgment import Judgment
from assessment.models.purposes import Purpose
from assessment.models.remark import Remark, keep_words, leaves_words
from assessment.models.replacing import Replaces, check_replaces, pair_lock
from evaluation.collections.models import Document
from evaluation.platform.access.compiled import Given, compiled
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task


class ItemFacts(NamedTuple):
    """The state of an assignment and of one of its items.

    ``image`` is the SHA-256 of the document's image, null for a text. ``stored`` is the primary key of an
    event with the client's UUID, or null. ``pass_percent`` is null if the task has no exam.
    ``latest_version`` is that of the task's criteria. ``current_id`` and the three that follow are of the
    assessor's current judgment of the item for this purpose, ``remark_id`` is the latest remark; null without
    one.
    """

    task_id: int
    topic: str
    kind: str
    assessor: int
    paused_at: datetime | None
    ended_at: datetime | None
    is_in_judging: bool
    has_item: bool
    image: str | None
    pass_percent: int | None
    stored: int | None
    criteria_id: int | None
    grades: list[dict[str, Any]]
    nominal_name: str | None
    nominal_reasons: str | None
    latest_version: int
    current_id: int | None
    current_uuid: UUID | None
    current_grade: int | None
    current_reason: str | None
    remark_id: int | None

    @classmethod
    def locked(
        cls, assignment: int, *, docno: str, purpose: Purpose, version: int, client_uuid: UUID
    ) -> ItemFacts:
        """Lock the assignment and the pair, so that concurrent judgments wait, then read their state.

        Raises Assignment.DoesNotExist.
        """
        if not _lock().rows(assignment=assignment, docno=docno, purpose=purpose):
            raise Assignment.DoesNotExist
        # A separate statement reads what the transactions that held the lock before have committed.
        (facts,) = _facts().rows(
            assignment=assignment, docno=docno, purpose=purpose, version=version, client_uuid=client_uuid
        )
        return cls(*facts)

    @property
    def task(self) -> Task:
        """The task with its key only; other fields are loaded on access."""
        return Task.from_db(DEFAULT_DB_ALIAS, ["id"], [self.task_id])

    @property
    def criteria(self) -> Criteria | None:
        """The requested version of the criteria with its key and answers, or null."""
        if self.criteria_id is None:
            return None
        names = ["id", "grades", "nominal_name", "nominal_reasons"]  # in the order of the model's fields
        values = (self.criteria_id, self.grades, self.nominal_name, self.nominal_reasons)
        return Criteria.from_db(DEFAULT_DB_ALIAS, names, values)

    @property
    def current(self) -> Judgment | None:
        """The assessor's current judgment of the item with its key, UUID and mark, or null."""
        if self.current_id is None:
            return None
        names = ["id", "grade", "reason", "undoes_id", "client_uuid"]  # in the order of the model's fields
        values = (self.current_id, self.current_grade, self.current_reason, None, self.current_uuid)
        return Judgment.from_db(DEFAULT_DB_ALIAS, names, values)

    def kept(self, event: Judgment, replaces: Replaces) -> Judgment | None:
        """Return the current judgment if it stays, null if the new one is to be stored.

        One by rest, or a copy with an equal mark, replaces no judgment, comment or flag; it is stored only to
        change the replies of the one that it names. Raises JudgmentConflict.
        """
        own = Judgment.objects.filter(task=self.task_id, topic=self.topic, docno=event.docno)
        current_id, is_unasked = self.current_id, event.is_by_rest or event.copied_from is not None
        if event.purpose != Purpose.EXTRA:
            check_replaces(replaces, self.current, mark=event.mark, is_by_rest=event.is_by_rest)
        elif current_id is None and is_unasked:
            extra = own.filter(assessor=self.assessor, purpose=Purpose.EXTRA).current()
            current_id = extra.values_list("pk", flat=True).first()
        if current_id is None or not is_unasked:
            return None
        current = own.get(pk=current_id)
        has_other_replies = event.replaces == current.client_uuid and event.replies != current.replies
        return None if has_other_replies or not (event.is_by_rest or event.mark == current.mark) else current

    def add_words(self, event: Judgment) -> None:
        """Give a new judgment the comment and flag on record if it leaves them as they are."""
        if leaves_words(event, self.current_uuid):
            judgments = list(Judgment.objects.filter(pk=self.current_id)) if self.current_id else []
            remarks = list(Remark.objects.filter(pk=self.remark_id)) if self.remark_id else []
            keep_words(event, judgments, remarks)


@compiled
def _lock() -> QuerySet[Assignment, tuple[int, str]]:
    lock = pair_lock(F("assessor"), Given("purpose"), F("topic"), Given("docno"))
    return Assignment.objects.select_for_update().filter(pk=Given("assignment")).values_list("pk", lock)


@compiled
def _facts() -> QuerySet[Assignment, tuple[Any, ...]]:
    task = OuterRef("pool__task")
    docno = Given("docno")
    items = AssignedItem.objects.filter(assignment=OuterRef("pk"), docno=docno, purpose=Given("purpose"))
    documents = Document.objects.filter(collection=OuterRef("pool__task__collection"), docno=docno)
    criteria = Criteria.objects.filter(task=task, version=Given("version"))
    pair = {"task": task, "topic": OuterRef("topic"), "docno": docno}
    pair |= {"assessor": OuterRef("assessor"), "purpose": Given("purpose")}
    latest = Judgment.objects.not_undone().filter(**pair).order_by("-pk")[:1]
    remarks = Remark.objects.filter(**pair).order_by("-pk")
    return Assignment.objects.filter(pk=Given("assignment")).values_list(
        "pool__task",
        "topic",
        "kind",
        "assessor",
        "paused_at",
        "ended_at",
        Exists(Task.objects.in_judging().filter(pk=task)),
        Exists(items),
        Subquery(documents.values("image")),
        "pool__task__judging_plan__pass_percent",
        Subquery(Judgment.objects.filter(client_uuid=Given("client_uuid")).values("pk")),
        Subquery(criteria.values("pk")),
        Subquery(criteria.values("grades"), output_field=JSONField()),
        *(Subquery(criteria.values(f"nominal_{part}")) for part in ("name", "reasons")),
        Subquery(Criteria.objects.filter(task=task).order_by("-version").values("version")[:1]),
        *(Subquery(latest.values(name)) for name in ("pk", "client_uuid", "grade", "reason")),
        Subquery(remarks.values("pk")[:1]),
    )
