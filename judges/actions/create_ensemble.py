"""Make a judge of other judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from evaluation.core.errors import InputError
from evaluation.models import Qrels, Task, User
from judges.actions.create_judge import create_judge
from judges.core.composition import Calibration, Composition, Grading, Member
from judges.core.ensembles import Rule, Threshold, best_threshold, calibration_topics
from judges.core.settings import Settings
from judges.models import Call, Judge, Mapping


class MappingMissing(InputError):
    """A member has no frozen thresholds on the task, so it has no grades."""


@dataclass(frozen=True)
class CalibrationChoice:
    """People's qrels, the grade from which a pair counts as relevant, and which topics to calibrate on.

    ``share`` of the topics are drawn by the seed; they are held out wherever the ensemble judges that task.
    """

    qrels: Qrels
    level: int
    share: float
    seed: int


@transaction.atomic
def create_ensemble(
    *,
    name: str,
    rule: Rule,
    task: Task,
    judges: Sequence[Judge],
    tie_breaker: Judge,
    by: User,
    quorum: int | None = None,
    choice: CalibrationChoice | None = None,
) -> Judge:
    """Store a judge whose scores follow from those of its members; all of it is frozen now.

    For a mean or a majority each member's grades are those by its latest mapping on the task; for votes its
    threshold is the one with the best F1 on the calibration topics. Without a quorum more than half of the
    members must have a grade. Raises MappingMissing, NothingToCalibrate, CompositionRefused, JudgeExists.
    """
    calibration = _calibration(choice) if choice else None
    composition = Composition(
        rule=rule,
        members=tuple(
            Member(judge.name, judge.identity_sha256, _by(judge, task, choice, calibration))
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
    return create_judge(name=name, settings=settings, by=by, task_kinds=[task.kind])


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
    """The judge's latest mapping that was fitted on the task."""
    latest = Mapping.objects.filter(judge=judge, pool__task=task).order_by("-created_at", "-pk").first()
    if latest is None:
        raise MappingMissing(
            f'The judge "{judge}" has no frozen mapping on this task, so it gives no grades. '
            "Freeze one on the page of its job."
        )
    thresholds = tuple(latest.finite_thresholds)
    return Grading(latest.pk, latest.rule, latest.version, latest.pool.name, thresholds)


def _threshold(judge: Judge, qrels: Qrels, calibration: Calibration) -> Threshold:
    """The best threshold against the qrels' grades on the calibration topics."""
    graded = qrels.pairs.graded().filter(topic__in=calibration.topics)
    grades = {(topic, docno): grade for topic, docno, grade in graded.values_list("topic", "docno", "grade")}
    calls = Call.objects.scored().filter(job__judge=judge, job__pool__task=qrels.task_id)
    rows = calls.filter(topic__in=calibration.topics).values_list("topic", "docno", "raw_score")
    scores = {(topic, docno): score for topic, docno, score in rows if score is not None}
    shared = sorted(grades.keys() & scores.keys())
    is_relevant = [(grades[pair] or 0) >= calibration.level for pair in shared]
    return best_threshold([scores[pair] for pair in shared], is_relevant)
