"""Create ensembles, combine their members' scores, and compare the members' ballots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import transaction

from evaluation.access.people import User
from evaluation.core.errors import InputError
from evaluation.qrels.models import Qrels, QrelsKind
from evaluation.tracks.models import Task
from judges.catalogue.actions import create_judge
from judges.catalogue.models import Judge
from judges.core.ensembles.ballots import (
    CombinationRule,
    Threshold,
    best_threshold,
    calibration_topics,
    combine,
    votes,
)
from judges.core.ensembles.composition import (
    Calibration,
    Composition,
    EnsembleMember,
    Grading,
    composition_of,
)
from judges.core.ensembles.facts import EnsembleFacts, FinishedPair, ensemble_facts
from judges.core.inputs import Gap
from judges.core.settings import Settings
from judges.grades.models import Mapping
from judges.jobs.calls import Call, Ending
from judges.jobs.models import Job

if TYPE_CHECKING:
    from collections.abc import Mapping as Lookup

    from evaluation.core.arrays import Floats


class MappingMissing(InputError):
    """A member has no frozen mapping on the task, so it has no grades."""


@dataclass(frozen=True)
class CalibrationChoice:
    """People's qrels, the lowest relevant grade, and the topics to calibrate on.

    ``share`` of the topics are drawn by the seed; they are held out whenever the ensemble judges that task.
    """

    qrels: Qrels
    level: int
    share: float
    seed: int


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
    choice: CalibrationChoice | None = None,
) -> Judge:
    """Store a judge of the task's track that combines its members' scores; freeze mappings and thresholds.

    For a mean or a majority each member's grades are by its latest mapping on the task; for votes its
    threshold has the best F1 on the calibration topics. Without a quorum more than half of the members must
    have a grade. Raises MappingMissing, NothingToCalibrate, CompositionRefused, JudgeExists.
    """
    calibration = _calibration(choice) if choice else None
    composition = Composition(
        rule=rule,
        members=tuple(
            EnsembleMember(judge.name, judge.identity_sha256, _by(judge, task, choice, calibration))
            for judge in judges
        ),
        quorum=len(judges) // 2 + 1 if quorum is None else quorum,
        tie_breaker=tie_breaker.name,
        calibration=calibration,
    ).checked()
    settings = Settings(
        backend="ensemble",
        revision=0,
        model="",
        model_revision="",
        decoding=composition.decoding,
        seed=choice.seed if choice else 0,
    )
    return create_judge(name=name, settings=settings, by=by, task_kinds=[task.kind], track=task.track)


def _by(
    judge: Judge, task: Task, choice: CalibrationChoice | None, calibration: Calibration | None
) -> Grading | Threshold:
    if choice and calibration:
        return _threshold(judge, choice.qrels, calibration)
    return _grading(judge, task)


def _calibration(choice: CalibrationChoice) -> Calibration:
    qrels = choice.qrels
    topics = calibration_topics(qrels.topics, choice.share, choice.seed)
    return Calibration(str(qrels), qrels.sha256, qrels.task_id, choice.level, topics)


def _grading(judge: Judge, task: Task) -> Grading:
    """Return the judge's latest mapping fitted on the task."""
    latest = Mapping.objects.filter(judge=judge, pool__task=task).order_by("-created_at", "-pk").first()
    if latest is None:
        raise MappingMissing(
            f'The judge "{judge}" has no frozen mapping on this task, so it gives no grades. '
            "Freeze one on the page of its job."
        )
    thresholds = tuple(latest.finite_thresholds)
    return Grading(latest.pk, latest.rule, latest.version, latest.pool.name, thresholds)


def _threshold(judge: Judge, qrels: Qrels, calibration: Calibration) -> Threshold:
    """Return the best threshold against the qrels' grades on the calibration topics."""
    graded = qrels.pairs.graded().filter(topic__in=calibration.topics)
    grades = {(topic, docno): grade for topic, docno, grade in graded.values_list("topic", "docno", "grade")}
    calls = Call.objects.scored().filter(job__judge=judge, job__pool__task=qrels.task_id)
    rows = calls.filter(topic__in=calibration.topics).values_list("topic", "docno", "raw_score")
    scores = {(topic, docno): score for topic, docno, score in rows if score is not None}
    shared = sorted(grades.keys() & scores.keys())
    is_relevant = [(grades[pair] or 0) >= calibration.level for pair in shared]
    return best_threshold([scores[pair] for pair in shared], is_relevant)


Pair = tuple[str, str]


def combine_judges(*, job: Job) -> list[Ending]:
    """Return an ending for each waiting pair of an ensemble's job, from its members' current scores.

    A pair's raw answer is its members' ballots as JSON, null for a gap; its expected score is their mean.
    Pairs on the topics that thresholds were fitted on are HELD_OUT.
    """
    composition = composition_of(job.judge.decoding)
    calls = list(job.calls.waiting().values_list("pk", "topic", "docno"))
    pairs = [(topic, docno) for _, topic, docno in calls]
    ballots = np.column_stack([_ballots(member, composition, job, pairs) for member in composition.members])
    combined = combine(
        ballots,
        is_mean=composition.rule is CombinationRule.MEAN,
        quorum=composition.quorum,
        tie_breaker=composition.tie_breaker_place,
    )
    held_out = _held_out(composition, job)
    names = [member.judge for member in composition.members]
    endings = []
    for row, (pk, topic, _) in enumerate(calls):
        gap = Gap.HELD_OUT if topic in held_out else combined.gaps[row]
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


def _ballots(member: EnsembleMember, composition: Composition, job: Job, pairs: Sequence[Pair]) -> Floats:
    """Return the member's ballot on each pair, NaN where it has none."""
    jobs = Job.objects.filter(judge__identity_sha256=member.identity_sha256, pool=job.pool_id)
    own = jobs.latest("created_at")  # start_job required it to be completed; later retries remove no score
    if isinstance(member.by, Grading):
        graded = Mapping.objects.get(pk=member.by.id).graded_calls(own)
        return _values({(call.topic, call.docno): grade for call, grade in graded}, pairs)
    found = own.calls.values_list("topic", "docno", "raw_score")
    scores = {(topic, docno): raw_score for topic, docno, raw_score in found}
    return votes(_values(scores, pairs), member.by.score, composition.scale[-1])


def _values(found: Lookup[Pair, float | None], pairs: Sequence[Pair]) -> Floats:
    return np.array([np.nan if (value := found.get(pair)) is None else value for pair in pairs], dtype=float)


def _held_out(composition: Composition, job: Job) -> frozenset[str]:
    calibration = composition.calibration
    if calibration is None or calibration.task != job.pool.task_id:
        return frozenset()
    return frozenset(calibration.topics)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value


def facts_of_job(job: Job) -> EnsembleFacts | None:
    """Return statistics of the members' ballots, None for a judge that is not an ensemble."""
    if job.judge.backend != "ensemble":
        return None
    rows = job.calls.values_list("topic", "docno", "outcome", "raw_answer")
    answers = [FinishedPair(*row) for row in rows]
    people = people_of_job(job)
    graded = people.pairs.graded().values_list("topic", "docno", "grade") if people else ()
    grades = {(topic, docno): grade for topic, docno, grade in graded if grade is not None}
    return ensemble_facts(composition_of(job.judge.decoding), answers, grades)


def people_of_job(job: Job) -> Qrels | None:
    """Return people's latest qrels of the job's task, or None."""
    qrels = Qrels.objects.filter(task=job.pool.task_id, kind=QrelsKind.HUMAN)
    return qrels.order_by("-created_at", "-pk").first()
