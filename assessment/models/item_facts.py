"""What decides whether a judgment of an item is taken, read in one statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, JSONField, OuterRef, Subquery

from assessment.models.assignment import AssignedItem, Assignment, Kind, Purpose
from assessment.models.judgment import Judgment
from evaluation.models import Criteria, Document, Given, Task, kept

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet


class ItemFacts(NamedTuple):
    """An assignment as it is for one of its items.

    ``image`` is the SHA-256 of the document's image, null for a text. ``stored`` is the key of the event that
    was stored under the client's UUID before, null where none was. ``pass_percent`` is null where the task
    has no exam.
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

    @classmethod
    def locked(
        cls, assignment: int, *, docno: str, purpose: Purpose, version: int, client_uuid: UUID
    ) -> ItemFacts:
        """Put this transaction behind others that judge in the assignment, then read.

        Raises Assignment.DoesNotExist.
        """
        if not _lock().rows(assignment=assignment):
            raise Assignment.DoesNotExist
        # A statement of its own: it sees what the transaction waited for has stored.
        (facts,) = _facts().rows(
            assignment=assignment, docno=docno, purpose=purpose, version=version, client_uuid=client_uuid
        )
        return cls(*facts)

    @property
    def task(self) -> Task:
        """The task by its key; the rest is read where it is needed."""
        return Task.from_db(DEFAULT_DB_ALIAS, ["id"], [self.task_id])

    @property
    def criteria(self) -> Criteria | None:
        """The version named, its key and grades; null where there is none."""
        if self.criteria_id is None:
            return None
        return Criteria.from_db(DEFAULT_DB_ALIAS, ["id", "grades"], [self.criteria_id, self.grades])

    @property
    def is_leased(self) -> bool:
        """Whether items of the pool are the assessor's by leases."""
        return self.kind == Kind.ITEMS


@kept
def _lock() -> QuerySet[Assignment, tuple[int]]:
    return Assignment.objects.select_for_update().filter(pk=Given("assignment")).values_list("pk")


@kept
def _facts() -> QuerySet[Assignment, tuple[Any, ...]]:
    task = OuterRef("pool__task")
    docno = Given("docno")
    items = AssignedItem.objects.filter(assignment=OuterRef("pk"), docno=docno, purpose=Given("purpose"))
    documents = Document.objects.filter(collection=OuterRef("pool__task__collection"), docno=docno)
    criteria = Criteria.objects.filter(task=task, version=Given("version"))
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
    )
