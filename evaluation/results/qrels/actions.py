"""Publish grades of people or models as an immutable set of qrels."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels, QrelsKind, QrelsPair, line_of
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

    The counts of pairs by outcome are added to the provenance. Raises NothingToPublish without any grade,
    grade-off-scale for one that the task's criteria do not have.
    """
    rows = sorted(pairs)
    graded = [row for row in rows if row.grade is not None]
    if not graded:
        raise NothingToPublish(
            f"{task}: no pair has a grade yet, so there are no qrels to publish. Grade some first."
        )
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)  # judgments can be saved meanwhile
    _refuse_off_scale(task, name, graded)
    numbers = Criteria.objects.numbers(task.pk)
    content = "".join(
        line_of(row.topic, row.docno, numbers[row.grade]) for row in graded if row.grade is not None
    )
    latest = Qrels.objects.filter(task=task, name=name).aggregate(latest=Max("version"))["latest"] or 0
    qrels = Qrels.objects.create(
        task=task,
        name=name,
        version=latest + 1,
        kind=kind,
        pool=pool,
        provenance=provenance.to_json() | {"outcomes": dict(Counter(row.outcome for row in rows))},
        sha256=hashlib.sha256(content.encode()).hexdigest(),
        topics=sorted({row.topic for row in graded}, key=str.encode),
        pair_count=len(rows),
        graded_count=len(graded),
        created_by=by,
    )
    columns = ("qrels_id", "topic", "docno", "grade", "raw_score", "outcome", "shown_sha256", "seen")
    copy_rows(QrelsPair, columns, ((qrels.pk, *row) for row in rows))
    return qrels


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
