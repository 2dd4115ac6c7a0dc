"""Publish a job's grades, and pool the pairs that people should check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from evaluation.access.people import User
from evaluation.core.errors import InputError
from evaluation.pools.actions import freeze_pairs
from evaluation.qrels.actions import publish_qrels
from evaluation.qrels.models import Qrels, QrelsKind
from judges.core.answers import Outcome
from judges.core.flags import speaks_to_a_judge
from judges.grades.mapping import JobNotCompleted, grade_pairs
from judges.grades.models import Mapping
from judges.grades.provenance import build_provenance
from judges.jobs.models import Job, Side

if TYPE_CHECKING:
    from evaluation.pools.models import Pool


class MappingOfAnotherJudge(InputError):
    """The mapping belongs to another judge: thresholds are in the units of one judge's raw scores."""


@transaction.atomic
def publish_job(*, job: Job, mapping: Mapping, by: User) -> Qrels:
    """Publish the grades by a frozen mapping under the judge's name; unscored pairs are gaps.

    The mapping may be fitted on another pool. If it was fitted on people's grades of some topics, these
    topics are excluded, and the provenance lists them. Raises JobNotCompleted, MappingOfAnotherJudge,
    NothingToPublish.
    """
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise JobNotCompleted(f"{job}: only a completed job has grades to publish. Wait for its end.")
    if mapping.judge_id != job.judge_id:
        raise MappingOfAnotherJudge(
            f'The mapping "{mapping}" was fitted for the judge "{mapping.judge}". Fit one for "{job.judge}".'
        )
    pairs = grade_pairs(job=job, mapping=mapping)
    return publish_qrels(
        task=job.pool.task,
        name=job.judge.name,
        kind=QrelsKind.MODEL,
        pairs=pairs,
        provenance=build_provenance(job=job, mapping=mapping, pairs=pairs),
        by=by,
        pool=job.pool,
    )


def flag_pairs(*, job: Job) -> list[tuple[str, str]]:
    """Return pairs whose text reads like an instruction to a model, and pairs that it refused to score."""
    rows = list(job.calls.of_pool().order_by("topic", "docno").values_list("topic", "docno", "outcome"))
    topics = _suspicious(job, Side.TOPIC, {topic for topic, _, _ in rows})
    documents = _suspicious(job, Side.DOCUMENT, {docno for _, docno, _ in rows})
    return [
        (topic, docno)
        for topic, docno, outcome in rows
        if topic in topics or docno in documents or outcome == Outcome.REFUSAL
    ]


def _suspicious(job: Job, side: Side, names: set[str]) -> set[str]:
    items = job.items(side, names)
    return {name for name, item in items.items() if any(speaks_to_a_judge(text) for _, text in item.fields)}


class NothingFlagged(InputError):
    """No pair of the job is suspicious."""


@transaction.atomic
def build_check_pool(*, job: Job, by: User, seed: int = 0) -> Pool:
    """Freeze the job's flagged pairs as a pool of kind `check`, for people to grade like any other.

    Raises NothingFlagged, PoolNameTaken.
    """
    flagged = flag_pairs(job=job)
    if not flagged:
        raise NothingFlagged(f"{job}: no text of its pairs reads like an instruction, and none was refused.")
    return freeze_pairs(
        task=job.pool.task,
        name=f"check of {job.judge} on {job.pool.name}"[:60],
        pairs=flagged,
        reason={"method": "check", "job": job.pk, "judge": job.judge.name, "pool": job.pool.name},
        seed=seed,
        by=by,
    )
