"""Fit mappings from raw scores to grades, publish the grades of a job, and have people check some pairs."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.urls import reverse

from evaluation.platform.access.people import User
from evaluation.results.qrels.actions import GradedPair, publish_qrels
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.pools.actions import freeze_pairs
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.work.operations.actions import (
    OperationKind,
    OperationResult,
    register_operation,
    start_operation,
)
from evaluation.tracks.work.operations.models import Operation
from judges.catalogue.models import OF_TRACKS, Judge
from judges.grades.models import Mapping
from judges.grades.provenance import build_provenance
from judges.jobs.calls import Call
from judges.jobs.models import Job, Side
from trackside.errors import InputError
from trackside.judging.answers import Outcome
from trackside.judging.canaries import speaks_to_a_judge
from trackside.judging.forms import answer_form
from trackside.judging.inputs import Gap
from trackside.judging.mappings.mapping import Cuts
from trackside.judging.mappings.rules import (
    AS_GIVEN,
    BY_PEOPLE,
    FIXED,
    Frozen,
    Scored,
    choose_fitting_topics,
    cuts_of,
    default_rule,
    fit,
)


@transaction.atomic
def fit_mapping(
    *,
    job: Job,
    by: User,
    rule: str = "",
    cuts: Sequence[float] = (),
    people: Qrels | None = None,
    share: float = 0.5,
    seed: int = 0,
) -> Mapping:
    """Fit a rule on the raw scores of a completed job, as the next version for its judge, pool and rule.

    The grades are those of the task's current criteria. Without a rule, ``choose_rule`` decides. With
    ``cuts``, one fewer than grades, nothing is fitted: a score of at least the first gets the second grade. A
    rule by people is fitted on a share of the topics in the human qrels ``people``, drawn by the seed. Raises
    job-not-completed, people-needed, cuts-do-not-rise, too-few-topics, or the errors of ``rules.fit``.
    """
    check_of_pool(job)
    Judge.objects.select_for_update().get(pk=job.judge_id)  # serialises version numbers
    _check_fitting(job, rule, people)
    people = people if rule in BY_PEOPLE and not cuts else None
    scored, scale = read_scored_pairs(job=job, people=people), scale_of(job)
    topics = {pair.topic for pair in scored if pair.people is not None}
    fitting = choose_fitting_topics(topics, share=share, seed=seed) if people else ()
    name = FIXED if cuts else rule or choose_rule(job=job, scored=scored)
    frozen = fit(name, scored, fitting, scale=scale, cuts=cuts)
    versions = Mapping.objects.filter(judge=job.judge_id, pool=job.pool_id, rule=name)
    return Mapping.objects.create(
        judge=job.judge,
        pool=job.pool,
        rule=name,
        scale=list(scale),
        version=(versions.aggregate(latest=Max("version"))["latest"] or 0) + 1,
        people=people,
        fitting_topics=list(fitting),
        created_by=by,
        **_columns(frozen, len(scored)),
    )


def _check_fitting(job: Job, rule: str, people: Qrels | None) -> None:
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


def check_of_pool(job: Job) -> None:
    """Raise job-is-a-probe for a probe."""
    if job.probe:
        raise InputError(
            f"{job}: a probe judges a sample only. Start a job on the pool.", code="job-is-a-probe"
        )


def scale_of(job: Job) -> tuple[int, ...]:
    """Return the grades of the current criteria of the job's task."""
    return Criteria.objects.current(job.pool.task).scale


def choose_rule(*, job: Job, scored: Sequence[Scored]) -> str:
    """Return the rule for the job's scores if nobody chooses one.

    Grades of files and ensembles, and answers that are asked for on the scale, are taken as given; a mean of
    grades is rounded; all other scores are mapped by quantiles.
    """
    scale, judge = scale_of(job), job.judge
    form = answer_form(judge.answer) if judge.answer else None
    gives_grades = (form is not None and form.is_within(scale)) or judge.backend in OF_TRACKS
    return default_rule(scored, scale, gives_grades=gives_grades)


def read_scored_pairs(*, job: Job, people: Qrels | None = None) -> list[Scored]:
    """Return the job's scored pairs, with people's grades from these qrels, but of no example's topic."""
    rows = people.pairs.graded().values_list("topic", "docno", "grade") if people else ()
    left_out = job.judge.example_topics
    grades = {(topic, docno): grade for topic, docno, grade in rows if topic not in left_out}
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
    return {
        "thresholds": list(cuts_of(frozen)),
        "score_count": (frozen.n if isinstance(frozen, Cuts) else None) or score_count,
    }


PUBLISH = "job_publish"


def request_publication(*, job: Job, mapping: Mapping | None, by: User) -> Operation:
    """Queue the publication of the job's grades; without a mapping it first fits one by ``choose_rule``.

    Raises job-not-completed, mapping-of-another-judge, mapping-of-another-scale, OperationUnderWay.
    """
    check_publishable(job, mapping)
    options = {"job": job.pk, "mapping": mapping and mapping.pk}
    return start_operation(task=job.pool.task, kind=PUBLISH, about=_describe(job), options=options, by=by)


def _publish(operation: Operation) -> OperationResult:
    job, by, key = _find_job(operation), operation.requested_by, operation.options["mapping"]
    mappings = Mapping.objects.select_related("judge", "pool__task")
    mapping = mappings.get(pk=key) if key else fit_mapping(job=job, by=by)
    qrels = publish_job(job=job, mapping=mapping, by=by)
    return OperationResult(f"Published {qrels}: {qrels.graded_count:,} pairs with a grade.")


@transaction.atomic
def publish_job(*, job: Job, mapping: Mapping, by: User) -> Qrels:
    """Publish the grades by a frozen mapping under the judge's name; unscored pairs are gaps.

    The mapping may be fitted on another pool. Topics of people's grades that it was fitted on, or that the
    judge's examples are of, are excluded, and the provenance lists them. Raises job-not-completed,
    mapping-of-another-judge, mapping-of-another-scale, score-off-scale, NothingToPublish.
    """
    check_publishable(job, mapping)
    graded = mapping.graded_calls(job)
    if mapping.rule == AS_GIVEN:
        fit(AS_GIVEN, read_scored_pairs(job=job), scale=tuple(mapping.scale))
    pairs = [_graded(call, grade) for call, grade in graded]
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
    seen = () if grade is None else (call.shown_sha256, call.seen)
    return GradedPair(call.topic, call.docno, grade, call.raw_score, outcome, *seen)


def check_publishable(job: Job, mapping: Mapping | None) -> None:
    """Raise job-not-completed, mapping-of-another-judge or mapping-of-another-scale.

    None is a mapping that is not fitted yet.
    """
    check_of_pool(job)
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
    scale = scale_of(job)
    if mapping and not set(mapping.scale) <= set(scale):
        raise InputError(
            f'The mapping "{mapping}" gives the grades {", ".join(map(str, mapping.scale))}, but those '
            f"of {job.pool.task} are {', '.join(map(str, scale))}. Fit one on the page of the job.",
            code="mapping-of-another-scale",
        )


def _describe(job: Job) -> str:
    """Return judge and number of the job, as ``about`` of its operations."""
    return f"{job.judge}, job {job.pk}"


def _find_job(operation: Operation) -> Job:
    """Return the job of an operation on its grades."""
    return Job.objects.select_related("judge", "pool__task__track").get(pk=operation.options["job"])


def _page_of_job(operation: Operation) -> str:
    """Return the address of the job's page."""
    names = [operation.task.track.slug, operation.task.slug]
    return reverse("job_detail", args=[*names, operation.options["job"]])


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
    """Queue the freezing of a pool of the job's flagged pairs. Raises job-is-a-probe, OperationUnderWay."""
    check_of_pool(job)
    return start_operation(
        task=job.pool.task, kind=CHECK, about=_describe(job), options={"job": job.pk}, by=by
    )


def _check(operation: Operation) -> OperationResult:
    pool = build_check_pool(job=_find_job(operation), by=operation.requested_by)
    return OperationResult(f"Frozen: pool {pool.name}, {pool.items.count():,} pairs. Assign it now.")


def register_operations() -> None:
    """Register the kinds of operations."""
    register_operation(OperationKind(PUBLISH, "Publish a judge's grades", _publish, _page_of_job, "The job"))
    register_operation(OperationKind(CHECK, "Make a pool for people", _check, _page_of_job, "The job"))
