"""Fit mappings from raw scores to grades, and apply them."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Max

from evaluation.access.people import User
from evaluation.core.errors import InputError
from evaluation.qrels.actions import GradedPair
from evaluation.qrels.models import Qrels
from judges.catalogue.models import Judge
from judges.core.inputs import Gap
from judges.core.mappings.alternatives import cuts_of
from judges.core.mappings.cuts import Cuts
from judges.core.mappings.rules import (
    BY_PEOPLE,
    FIXED,
    GRADES,
    PAPER,
    Frozen,
    PerTopic,
    Scored,
    choose_fitting_topics,
    fit,
    grades_of,
)
from judges.grades.models import Mapping
from judges.jobs.calls import Call
from judges.jobs.models import Job


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


def grade_pairs(*, job: Job, mapping: Mapping) -> list[GradedPair]:
    """Return the job's pairs with their grades by the mapping; pairs without a raw score have none.

    Pairs of topics that the mapping was fitted on are excluded: people's grades of them decided the fit.
    """
    calls = list(job.calls.of_pool().exclude(topic__in=mapping.left_out_of(job.pool.task)))
    scored = [
        Scored(call.topic, call.raw_score, call.expected_score)
        for call in calls
        if call.raw_score is not None
    ]
    grades = iter(grades_of(mapping.frozen, scored))
    return [_graded(call, None if call.raw_score is None else next(grades)) for call in calls]


def _graded(call: Call, grade: int | None) -> GradedPair:
    outcome = Gap.NO_GRADE if grade is None and call.raw_score is not None else call.outcome
    return GradedPair(call.topic, call.docno, grade, call.raw_score, outcome)


class JobNotCompleted(InputError):
    """The job is unfinished or cancelled."""


class PeopleNeeded(InputError):
    """The rule needs people's grades."""


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
    topics in the human qrels ``people``, drawn by the seed. Raises JobNotCompleted, PeopleNeeded,
    CutsDoNotRise, TooFewTopics, or the errors of ``core.mappings.rules.fit``.
    """
    Judge.objects.select_for_update().get(pk=job.judge_id)  # serialises version numbers
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise JobNotCompleted(f"{job}: a rule is fitted on all scores of a completed job. Wait for its end.")
    if rule in BY_PEOPLE and people is None:
        raise PeopleNeeded(f"The rule {rule} is fitted on people's grades: choose human qrels of the task.")
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


def _columns(frozen: Frozen, score_count: int) -> dict[str, Any]:
    """Return the database columns of a fitted rule."""
    by_topic = frozen.by_topic if isinstance(frozen, PerTopic) else {}
    return {
        "thresholds": list(cuts_of(frozen)),
        "score_count": (frozen.n if isinstance(frozen, Cuts) else None) or score_count,
        "by_topic": {topic: [*each.thresholds, each.n] for topic, each in by_topic.items()},
    }
