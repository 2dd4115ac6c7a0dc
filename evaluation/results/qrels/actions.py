"""Publish grades of people or models as an immutable set of qrels."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max

from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels, QrelsKind, QrelsPair, line_of
from evaluation.results.qrels.practice import PAIR, check_own, find_shared, let_leave, let_practised_leave
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from evaluation.tracks.work.table_rows import copy_rows
from trackside.errors import InputError
from trackside.findings.provenance import Provenance


class NothingToPublish(InputError):
    """No pair has a grade yet."""


class GradedPair(NamedTuple):
    """A pair with its grade; a null grade is a gap, and ``outcome`` holds the reason.

    ``shown_sha256`` is the hash of the document as shown to who graded it, ``seen`` how much of it was seen.
    """

    topic: str
    docno: str
    grade: int | None
    raw_score: float | None
    outcome: str
    shown_sha256: str = ""
    seen: str = ""


@transaction.atomic
def publish_qrels(
    *,
    task: Task,
    name: str,
    kind: QrelsKind,
    pairs: Iterable[GradedPair],
    provenance: Provenance,
    by: User,
    pool: Pool | None = None,
) -> Qrels:
    """Store the pairs as the next version of the task's qrels of that name, and queue the report.

    The counts of pairs by outcome are added to the provenance. Topics that left to a practice task are left
    out; topics whose grades a practice task opens leave the other tasks of the track. Raises NothingToPublish
    without any grade, grade-off-scale for one that the task's criteria do not have, qrels-not-released,
    no-topic-left.
    """
    return _store(task, name, kind, pairs, provenance.to_json(), by, pool)


@transaction.atomic
def publish_again(*, qrels: Qrels, task: Task, by: User) -> Qrels:
    """Publish the grades of published qrels for a practice task, or again without topics that left.

    Raises as publish_qrels.
    """
    rows = qrels.pairs.values_list("topic", "docno", "grade", "raw_score", "outcome")
    pairs = [GradedPair(*row) for row in rows]
    pool = qrels.pool if task.pk == qrels.task_id else None
    return _store(task, qrels.name, QrelsKind(qrels.kind), pairs, qrels.provenance, by, pool)


def _store(
    task: Task,
    name: str,
    kind: QrelsKind,
    pairs: Iterable[GradedPair],
    provenance: dict[str, Any],
    by: User,
    pool: Pool | None,
) -> Qrels:
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)  # judgments can be saved meanwhile
    if not task.is_practice:
        let_practised_leave(task)
    gone = set(task.topics.gone().values_list("number", flat=True))
    rows = sorted(row for row in pairs if row.topic not in gone)
    graded = [row for row in rows if row.grade is not None]
    if not graded:
        words = f"{task}: no pair has a grade yet, so there are no qrels to publish. Grade some first."
        raise NothingToPublish(words)
    _refuse_off_scale(task, name, graded)
    numbers = Criteria.objects.numbers(task.pk)
    lines = (line_of(row.topic, row.docno, numbers[row.grade]) for row in graded if row.grade is not None)
    latest = Qrels.objects.filter(task=task, name=name).aggregate(latest=Max("version"))["latest"] or 0
    qrels = Qrels.objects.create(
        task=task,
        name=name,
        version=latest + 1,
        kind=kind,
        pool=pool,
        provenance=provenance | {"outcomes": dict(Counter(row.outcome for row in rows))},
        sha256=hashlib.sha256("".join(lines).encode()).hexdigest(),
        topics=sorted({row.topic for row in graded}, key=str.encode),
        pair_count=len(rows),
        graded_count=len(graded),
        created_by=by,
    )
    columns = ("qrels_id", "topic", "docno", "grade", "raw_score", "outcome", "shown_sha256", "seen")
    copy_rows(QrelsPair, columns, ((qrels.pk, *row) for row in rows))
    if task.is_practice:
        _open_grades(task, qrels, by)
    return qrels


def _open_grades(practice: Task, qrels: Qrels, by: User) -> None:
    """Let its graded topics leave the unreleased tasks of the track that have them, for good.

    The grades of those tasks are published again without them.
    """
    check_own(practice, list(qrels.pairs.graded().values_list(*PAIR)))
    for task_id, shared in find_shared(practice).items():
        task = Task.objects.select_for_update(no_key=True).get(pk=task_id)
        if numbers := let_leave(task, shared, qrels.topics):
            _leave(task, numbers, by)


def _leave(task: Task, numbers: Collection[str], by: User) -> None:
    for qrels in Qrels.objects.filter(task=task).current():
        if set(numbers) & set(qrels.topics):
            try:
                publish_again(qrels=qrels, task=task, by=by)
            except NothingToPublish as error:
                raise InputError(
                    f"{qrels} of {task.name} would have no topic left: all of them are in the practice task. "
                    "Grade fewer of its topics.",
                    code="no-topic-left",
                ) from error


def _refuse_off_scale(task: Task, name: str, graded: Sequence[GradedPair]) -> None:
    """Refuse what no report could read; published qrels are immutable."""
    scale = Criteria.objects.current(task).scale
    stray = [row for row in graded if row.grade not in scale]
    if stray:
        raise InputError(
            f"{name}: {len(stray):,} of {len(graded):,} grades are not on the scale "
            f"{', '.join(map(str, scale))} of {task}, the first is {stray[0].grade} for topic "
            f"{stray[0].topic}, {stray[0].docno}. Nothing was published. Grade on the scale of the criteria.",
            code="grade-off-scale",
        )
