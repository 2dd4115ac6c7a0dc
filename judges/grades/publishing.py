"""Fit mappings from raw scores to grades, and publish the grades of a job."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Max
from django.urls import reverse

from evaluation.access.people import User
from evaluation.qrels.actions import GradedPair, publish_qrels
from evaluation.qrels.models import Qrels, QrelsKind
from evaluation.work.operations.actions import (
    OperationKind,
    OperationResult,
    register_operation,
    start_operation,
)
from evaluation.work.operations.models import Operation
from judges.catalogue.models import Judge
from judges.grades.models import Mapping
from judges.grades.provenance import build_provenance
from judges.jobs.calls import Call
from judges.jobs.models import Job
from trackside.errors import InputError
from trackside.judging.inputs import Gap
from trackside.judging.mappings.alternatives import cuts_of
from trackside.judging.mappings.cuts import Cuts
from trackside.judging.mappings.rules import (
    BY_PEOPLE,
    FIXED,
    GRADES,
    PAPER,
    Frozen,
    PerTopic,
    Scored,
    choose_fitting_topics,
    fit,
)


@transaction.atomic
def fit_mapping(
    *,
    job: Job,
    by: User,
    rule: str = PAPER,
    cuts: tuple[float, float] | None = None,
    people: Qrels | None = None,
    share: float = 0.5,
    seed: int = 0,
) -> Mapping:
    """Fit a rule on the raw scores of a completed job, as the next version for its judge, pool and rule.

    With ``cuts`` nothing is fitted: a score of at least the first gets grade 1, of at least the second 2. Use
    0.5 and 1.5 for a judge that answers with the grade itself. A rule by people is fitted on a share of the
    topics in the human qrels ``people``, drawn by the seed. Raises job-not-completed, people-needed,
    cuts-do-not-rise, too-few-topics, or the errors of ``core.mappings.rules.fit``.
    """
    Judge.objects.select_for_update().get(pk=job.judge_id)  # serialises version numbers
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise InputError(
            f"{job}: a rule is fitted on all scores of a completed job. Wait for its end.",
            code="job-not-completed",
        )
    if rule in BY_PEOPLE and people is None:
        raise InputError(
            f"The rule {rule} is fitted on people's grades: choose human qrels of the task.",
            code="people-needed",
        )
    people = people if rule in BY_PEOPLE and not cuts else None
    scored = read_scored_pairs(job=job, people=people)
    topics = {each.topic for each in scored if each.people is not None}
    fitting = choose_fitting_topics(topics, share=share, seed=seed) if people else ()
    fitted = fit(PAPER if cuts else rule, scored, fitting)  # raises NothingToMap also for cuts set by hand
    frozen = Cuts(GRADES, cuts) if cuts else fitted
    name = FIXED if cuts else rule
    versions = Mapping.objects.filter(judge=job.judge_id, pool=job.pool_id, rule=name)
    return Mapping.objects.create(
        judge=job.judge,
        pool=job.pool,
        rule=name,
        version=(versions.aggregate(latest=Max("version"))["latest"] or 0) + 1,
        people=people,
        fitting_topics=list(fitting),
        created_by=by,
        **_columns(frozen, len(scored)),
    )


def read_scored_pairs(*, job: Job, people: Qrels | None = None) -> list[Scored]:
    """Return the job's scored pairs, with people's grades from these qrels if they have one."""
    rows = people.pairs.graded().values_list("topic", "docno", "grade") if people else ()
    grades = {(topic, docno): grade for topic, docno, grade in rows}
    calls = job.calls.scored().of_pool().order_by("topic", "docno")
    return [
        Scored(topic, raw_score, expected_score, grades.get((topic, docno)))
        for topic, docno, raw_score, expected_score in calls.values_list(
            "topic", "docno", "raw_score", "expected_score"
        )
        if raw_score is not None
    ]


def _columns(frozen: Frozen, score_count: int) -> dict[str, Any]:
    """Return the database columns of a fitted rule."""
    by_topic = frozen.by_topic if isinstance(frozen, PerTopic) else {}
    return {
        "thresholds": list(cuts_of(frozen)),
        "score_count": (frozen.n if isinstance(frozen, Cuts) else None) or score_count,
        "by_topic": {topic: [*each.thresholds, each.n] for topic, each in by_topic.items()},
    }


PUBLISH = "job_publish"


def request_publication(*, job: Job, mapping: Mapping | None, by: User) -> Operation:
    """Queue the publication of the job's grades; without a mapping it first fits one by paper-2024.

    Raises job-not-completed, mapping-of-another-judge, OperationUnderWay.
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
    topics are excluded, and the provenance lists them. Raises job-not-completed, mapping-of-another-judge,
    NothingToPublish.
    """
    check_publishable(job, mapping)
    pairs = [_graded(call, grade) for call, grade in mapping.graded_calls(job)]
    return publish_qrels(
        task=job.pool.task,
        name=job.judge.name,
        kind=QrelsKind.MODEL,
        pairs=pairs,
        provenance=build_provenance(job=job, mapping=mapping, pairs=pairs),
        by=by,
        pool=job.pool,
    )


def _graded(call: Call, grade: int | None) -> GradedPair:
    outcome = Gap.NO_GRADE if grade is None and call.raw_score is not None else call.outcome
    return GradedPair(call.topic, call.docno, grade, call.raw_score, outcome)


def check_publishable(job: Job, mapping: Mapping | None) -> None:
    """Raise job-not-completed or mapping-of-another-judge; None is a mapping that is not fitted yet."""
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise InputError(
            f"{job}: only a completed job has grades to publish. Wait for its end.", code="job-not-completed"
        )
    if mapping and mapping.judge_id != job.judge_id:
        raise InputError(
            f'The mapping "{mapping}" was fitted for the judge "{mapping.judge}". Fit one for "{job.judge}".',
            code="mapping-of-another-judge",
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
