"""Freeze the pairs of a job that people should check as a pool."""

from django.db import transaction

from evaluation.access.people import User
from evaluation.pools.actions import freeze_pairs
from evaluation.pools.models import Pool
from evaluation.work.operations.actions import (
    OperationKind,
    OperationResult,
    register_operation,
    start_operation,
)
from evaluation.work.operations.models import Operation
from judges.grades.publishing import describe_job, find_job_of, page_of_job
from judges.jobs.models import Job, Side
from trackside.errors import InputError
from trackside.judging.answers import Outcome
from trackside.judging.flags import speaks_to_a_judge

CHECK = "job_check"


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


@transaction.atomic
def build_check_pool(*, job: Job, by: User, seed: int = 0) -> Pool:
    """Freeze the job's flagged pairs as a pool of kind `check`, for people to grade like any other.

    Raises nothing-flagged, pool-name-taken.
    """
    flagged = flag_pairs(job=job)
    if not flagged:
        raise InputError(
            f"{job}: no text of its pairs reads like an instruction, and none was refused.",
            code="nothing-flagged",
        )
    return freeze_pairs(
        task=job.pool.task,
        name=f"check of {job.judge} on {job.pool.name}"[:60],
        pairs=flagged,
        reason={"method": "check", "job": job.pk, "judge": job.judge.name, "pool": job.pool.name},
        seed=seed,
        by=by,
    )


def request_check_pool(*, job: Job, by: User) -> Operation:
    """Queue the freezing of a pool of the job's flagged pairs. Raises OperationUnderWay."""
    return start_operation(
        task=job.pool.task, kind=CHECK, about=describe_job(job), options={"job": job.pk}, by=by
    )


def _check(operation: Operation) -> OperationResult:
    pool = build_check_pool(job=find_job_of(operation), by=operation.requested_by)
    return OperationResult(f"Frozen: pool {pool.name}, {pool.items.count():,} pairs. Assign it now.")


def register_operations() -> None:
    """Register the kind of operation."""
    register_operation(OperationKind(CHECK, "Make a pool for people", _check, page_of_job, "The job"))
