"""The audit of a task: queue it, run it, and tell how old its result is."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Any

from django.apps import apps
from django.db.models import DateTimeField, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.expressions import BaseExpression
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Greatest
from django.urls import reverse

from evaluation.collections.chosen_fields import ImportKind
from evaluation.collections.models import Document, Topic, TopicState
from evaluation.organizing.auditing.rows import OnRead, peoples_qrels, rankings, records
from evaluation.organizing.imports.models import Import, ImportState
from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.tracks.facts import Facts, read_facts
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.panels import OpenAction, OpenActions
from evaluation.tracks.work.operations.actions import (
    OperationKind,
    OperationResult,
    register_operation,
    start_operation,
    store_progress,
)
from evaluation.tracks.work.operations.models import Operation, OperationOutcome
from trackside.auditing.audit import audit_records
from trackside.auditing.findings import Findings
from trackside.errors import InputError
from trackside.imports.faults import Faults
from trackside.imports.records import Record, sound_records
from trackside.text.counted import counted

AUDIT = "audit"
MOST_DOCUMENTS = 2_000_000  # 300 bytes of memory each, 600 with a picture
SHOWN_EVERY = 2.0  # seconds between two updates of the progress


def request_audit(*, task: Task, by: User) -> Operation:
    """Queue an audit of the task. Raises nothing-to-audit, OperationUnderWay."""
    if not audit_state(task).has_content:
        raise InputError(
            f"{task} has no active topic and no document. Import some, then audit them.",
            code="nothing-to-audit",
        )
    return start_operation(task=task, kind=AUDIT, by=by)


def _audit(operation: Operation) -> OperationResult:
    task = operation.task
    topics = task.topics.active()
    documents = Document.objects.filter(collection=task.collection_id)
    sides = {"topic": topics.count(), "document": documents.count()}
    if sides["document"] > MOST_DOCUMENTS:
        raise InputError(
            f"{task.collection} has {sides['document']:,} documents. The site compares up to "
            f"{MOST_DOCUMENTS:,} in memory. Use the command trackside audit on their files."
        )
    on_read = _progress(operation, sum(sides.values()))
    findings, qrels = Findings(), peoples_qrels(task)
    found = audit_records(
        findings=findings,
        topics=_sound("topic", topics, "number", findings, on_read) if sides["topic"] else None,
        documents=_sound("document", documents, "docno", findings, on_read) if sides["document"] else None,
        qrels=qrels,
        runs=rankings(task),
    ).to_json()
    result = {
        "collection": task.collection_id,
        "topic_count": sides["topic"],
        "document_count": sides["document"],
        "qrels": [each.name for each in qrels],
        "run_count": task.runs.accepted().count(),
        "kind_count": len(found),
        "wrong_count": sum(kind["is_wrong"] for kind in found),
        "faults": found,
    }
    return OperationResult(f"{counted(len(found), 'kind')} of fault.", result)


def _sound(
    noun: str, items: QuerySet[Any], name: str, findings: Findings, on_read: OnRead
) -> Iterator[Record]:
    faults = Faults()
    yield from sound_records(records(items, name, on_read), faults, must_have_content=False)
    findings.add_faults(noun, faults)


def _progress(operation: Operation, total: int) -> Callable[[int], None]:
    count, shown_at = 0, 0.0

    def on_read(number: int) -> None:
        nonlocal count, shown_at
        count += number
        if monotonic() - shown_at >= SHOWN_EVERY:
            shown_at = monotonic()
            store_progress(operation, f"{count:,} of {total:,} topics and documents are read.")

    return on_read


def audit_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return when the last complete audit began, what it found, and when its data changed last.

    Runs are checked when they are uploaded, so new ones make no audit old.
    """
    audits = Operation.objects.filter(task=OuterRef("pk"), kind=AUDIT, outcome=OperationOutcome.DONE)
    latest = audits.order_by("-ended_at")
    numbers = {
        name: Subquery(
            latest.annotate(number=Cast(KeyTextTransform(name, "findings"), IntegerField())).values("number")[
                :1
            ]
        )
        for name in ("collection", "kind_count", "wrong_count")
    }
    topics = Topic.objects.filter(task=OuterRef("pk"), state=TopicState.ACTIVE)
    documents = Document.objects.filter(collection=OuterRef("collection"))
    return {
        "audited_at": Subquery(latest.values("claimed_at")[:1]),
        **{f"audit_{name}": number for name, number in numbers.items()},
        "changed_at": Greatest(*_changes(), output_field=DateTimeField()),
        # The first row by its index; a planner may read a whole table for Exists.
        "first_topic": Subquery(topics.order_by("number").values("pk")[:1]),
        "first_document": Subquery(documents.order_by("docno").values("pk")[:1]),
    }


def _changes() -> Iterable[Subquery]:
    """Yield when topics, imported documents and people's grades changed last; null if they never did.

    Documents that are edited one by one are not looked for: their events have no index by time.
    """
    imports = Import.objects.filter(
        state=ImportState.DONE,
        task__collection=OuterRef("collection"),
        kind__in=(ImportKind.TOPICS, ImportKind.COLLECTION, ImportKind.DOCNOS),
    )
    grades = Qrels.objects.filter(task=OuterRef("pk"), kind=QrelsKind.HUMAN)
    topics = apps.get_model("evaluation", "TopicEvent").objects.filter(task=OuterRef("pk"))
    for rows, at in ((imports, "ended_at"), (grades, "created_at"), (topics, "pgh_created_at")):
        yield Subquery(rows.order_by(f"-{at}").values(at)[:1])


@dataclass(frozen=True)
class AuditState:
    """When the task was audited (None: never), how many kinds of fault are open, and whether data changed."""

    audited_at: datetime | None
    kind_count: int
    wrong_count: int
    is_stale: bool
    has_content: bool


def audit_state(task: Task) -> AuditState:
    """Return the state of the task's audit."""
    (facts,) = read_facts(task, [audit_facts])
    return _state(task, facts)


def _state(task: Task, facts: Facts) -> AuditState:
    audited_at, changed_at = facts["audited_at"], facts["changed_at"]
    is_other = facts["audit_collection"] != task.collection_id
    return AuditState(
        audited_at,
        facts["audit_kind_count"] or 0,
        facts["audit_wrong_count"] or 0,
        audited_at is not None and (is_other or (changed_at is not None and changed_at > audited_at)),
        (facts["first_topic"] or facts["first_document"]) is not None,
    )


def _tell(task: Task, facts: Facts) -> Iterable[OpenAction]:
    state, address = _state(task, facts), reverse("task_audit", args=[task.track.slug, task.slug])
    if not state.has_content:
        return
    if state.audited_at is None:
        yield OpenAction("warn", "Not audited", address, "find doubles, broken pictures and wrong grades")
    elif state.is_stale:
        yield OpenAction("warn", "Data changed after the audit", address, "audit again")
    elif state.wrong_count:
        words = f"Audited: values are wrong by {counted(state.wrong_count, 'kind')} of fault"
        yield OpenAction("warn", words, address, "mend them and audit again")
    else:
        yield OpenAction("ok", f"Audited: {counted(state.kind_count, 'kind')} of fault to look at", address)


AUDIT_GUARDS = OpenActions(_tell, audit_facts)


def register_audit() -> None:
    """Register the audit among the operations."""
    kind = OperationKind(AUDIT, "Audit the task", _audit, _page_of, "What it found", is_read_only=True)
    register_operation(kind)


def _page_of(operation: Operation) -> str:
    return reverse("task_audit", args=[operation.task.track.slug, operation.task.slug])
