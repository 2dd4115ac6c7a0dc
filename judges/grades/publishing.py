"""Publish a job's grades as an operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.urls import reverse

from evaluation.access.people import User
from evaluation.core.errors import InputError
from evaluation.operations.actions import OperationKind, OperationResult, register_operation, start_operation
from evaluation.qrels.actions import publish_qrels
from evaluation.qrels.models import Qrels, QrelsKind
from judges.grades.mapping import JobNotCompleted, fit_mapping, grade_pairs
from judges.grades.models import Mapping
from judges.grades.provenance import build_provenance
from judges.jobs.models import Job

if TYPE_CHECKING:
    from evaluation.operations.models import Operation


class MappingOfAnotherJudge(InputError):
    """The mapping belongs to another judge: thresholds are in the units of one judge's raw scores."""


PUBLISH = "job_publish"


def request_publication(*, job: Job, mapping: Mapping | None, by: User) -> Operation:
    """Queue the publication of the job's grades; without a mapping it first fits one by paper-2024.

    Raises JobNotCompleted, MappingOfAnotherJudge, OperationUnderWay.
    """
    check_publishable(job, mapping)
    options = {"job": job.pk, "mapping": mapping and mapping.pk}
    return start_operation(task=job.pool.task, kind=PUBLISH, about=describe_job(job), options=options, by=by)


def _publish(operation: Operation) -> OperationResult:
    job, by, key = find_job_of(operation), operation.requested_by, operation.options["mapping"]
    mappings = Mapping.objects.select_related("judge", "pool__task")
    mapping = mappings.get(pk=key) if key else fit_mapping(job=job, by=by)
    qrels = publish_job(job=job, mapping=mapping, by=by)
    return OperationResult(f"Published {qrels}: {qrels.graded_count:,} pairs with a grade.")


def register_operations() -> None:
    """Register the kind of operation."""
    register_operation(OperationKind(PUBLISH, "Publish a judge's grades", _publish, page_of_job, "The job"))


@transaction.atomic
def publish_job(*, job: Job, mapping: Mapping, by: User) -> Qrels:
    """Publish the grades by a frozen mapping under the judge's name; unscored pairs are gaps.

    The mapping may be fitted on another pool. If it was fitted on people's grades of some topics, these
    topics are excluded, and the provenance lists them. Raises JobNotCompleted, MappingOfAnotherJudge,
    NothingToPublish.
    """
    check_publishable(job, mapping)
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


def check_publishable(job: Job, mapping: Mapping | None) -> None:
    """Raise JobNotCompleted or MappingOfAnotherJudge; None is a mapping that is not fitted yet."""
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise JobNotCompleted(f"{job}: only a completed job has grades to publish. Wait for its end.")
    if mapping and mapping.judge_id != job.judge_id:
        raise MappingOfAnotherJudge(
            f'The mapping "{mapping}" was fitted for the judge "{mapping.judge}". Fit one for "{job.judge}".'
        )


def describe_job(job: Job) -> str:
    """Return judge and number of the job, as ``about`` of its operations."""
    return f"{job.judge}, job {job.pk}"


def find_job_of(operation: Operation) -> Job:
    """Return the job of an operation on its grades."""
    return Job.objects.select_related("judge", "pool__task__track").get(pk=operation.options["job"])


def page_of_job(operation: Operation) -> str:
    """Return the address of the job's page."""
    place = [operation.task.track.slug, operation.task.slug]
    return reverse("job_detail", args=[*place, operation.options["job"]])
