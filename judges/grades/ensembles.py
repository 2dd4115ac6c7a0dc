"""Create ensembles, combine their members' scores, and compare the members' ballots."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import transaction

from evaluation.access.people import User
from evaluation.tracks.models import Task
from judges.catalogue.actions import create_judge
from judges.catalogue.models import Judge
from judges.grades.models import Mapping
from judges.jobs.calls import Ending
from judges.jobs.models import Job
from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.judging.ensembles import (
    CombinationRule,
    Composition,
    EnsembleFacts,
    EnsembleMember,
    FinishedPair,
    combine,
    composition_of,
    ensemble_facts,
)
from trackside.judging.settings import Settings


@transaction.atomic
def create_ensemble(
    *,
    name: str,
    rule: CombinationRule,
    task: Task,
    judges: Sequence[Judge],
    tie_breaker: Judge,
    by: User,
    quorum: int | None = None,
) -> Judge:
    """Store a judge of the task's track that combines its members' scores; freeze their mappings.

    Each member's grades are by its latest mapping on the task. Without a quorum more than half of the members
    must have a grade. Raises mapping-missing, composition-refused, judge-exists.
    """
    composition = Composition(
        rule=rule,
        members=tuple(
            EnsembleMember(judge.name, judge.identity_sha256, _grading(judge, task)) for judge in judges
        ),
        quorum=len(judges) // 2 + 1 if quorum is None else quorum,
        tie_breaker=tie_breaker.name,
    ).checked()
    settings = Settings(
        backend="ensemble",
        revision=0,
        model="",
        model_revision="",
        decoding=composition.decoding,
        seed=0,
    )
    return create_judge(name=name, settings=settings, by=by, task_kinds=[task.kind], track=task.track)


def _grading(judge: Judge, task: Task) -> dict[str, Any]:
    """Return the judge's latest mapping fitted on the task."""
    latest = Mapping.objects.filter(judge=judge, pool__task=task).order_by("-created_at", "-pk").first()
    if latest is None:
        raise InputError(
            f'The judge "{judge}" has no frozen mapping on this task, so it gives no grades. '
            "Freeze one on the page of its job.",
            code="mapping-missing",
        )
    return {
        "id": latest.pk,
        "rule": latest.rule,
        "version": latest.version,
        "pool": latest.pool.name,
        "thresholds": latest.finite_thresholds,
    }


Pair = tuple[str, str]


def combine_judges(*, job: Job) -> list[Ending]:
    """Return an ending for each waiting pair of an ensemble's job, from its members' current scores.

    A pair's raw answer is its members' ballots as JSON, null for a gap; its expected score is their mean.
    """
    composition = composition_of(job.judge.decoding).checked()
    calls = list(job.calls.waiting().values_list("pk", "topic", "docno"))
    pairs = [(topic, docno) for _, topic, docno in calls]
    ballots = np.column_stack([_ballots(member, job, pairs) for member in composition.members])
    combined = combine(
        ballots,
        is_mean=composition.rule == CombinationRule.MEAN,
        quorum=composition.quorum,
        tie_breaker=composition.tie_breaker_place,
    )
    names = [member.judge for member in composition.members]
    endings = []
    for row, (pk, _, _) in enumerate(calls):
        gap = combined.gaps[row]
        answer = {name: _number(ballot) for name, ballot in zip(names, ballots[row].tolist(), strict=True)}
        score = None if gap else float(combined.scores[row])
        endings.append(
            Ending(
                pk,
                gap or "ok",
                raw_score=score,
                expected_score=_number(float(combined.means[row])),
                raw_answer=json.dumps(answer),
            )
        )
    return endings


def _ballots(member: EnsembleMember, job: Job, pairs: Sequence[Pair]) -> Floats:
    """Return the member's ballot on each pair, NaN where it has none."""
    jobs = Job.objects.filter(judge__identity_sha256=member.identity_sha256, pool=job.pool_id)
    member_job = jobs.latest("created_at")  # start_job required it to be completed; retries remove no score
    graded = Mapping.objects.get(pk=member.by["id"]).graded_calls(member_job)
    grades = {(call.topic, call.docno): grade for call, grade in graded}
    return np.array([np.nan if (grade := grades.get(pair)) is None else grade for pair in pairs], dtype=float)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value


def facts_of_job(job: Job) -> EnsembleFacts | None:
    """Return statistics of the members' ballots, None for a judge that is not an ensemble."""
    if job.judge.backend != "ensemble":
        return None
    rows = job.calls.values_list("topic", "docno", "outcome", "raw_answer")
    answers = [FinishedPair(*row) for row in rows]
    return ensemble_facts(composition_of(job.judge.decoding), answers)
