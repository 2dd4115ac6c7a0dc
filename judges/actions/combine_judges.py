"""Make one score a pair of what other judges gave it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from judges.actions.grade_pairs import grade_pairs
from judges.actions.store_endings import Ending
from judges.core.composition import Grading, composition_of
from judges.core.ensembles import Rule, combine, votes
from judges.core.inputs import Gap
from judges.models import Job, Mapping

if TYPE_CHECKING:
    from collections.abc import Mapping as Lookup
    from collections.abc import Sequence

    from evaluation.core.arrays import Floats
    from judges.core.composition import Composition, Member

Pair = tuple[str, str]


def combine_judges(*, job: Job) -> list[Ending]:
    """An ending for each waiting pair of an ensemble's job, from the scores that its members have now.

    A pair's raw answer is its members' ballots as JSON, null for a gap; its expected score their mean. Pairs
    on the topics that thresholds were fitted on are HELD_OUT.
    """
    composition = composition_of(job.judge.decoding)
    calls = list(job.calls.waiting().values_list("pk", "topic", "docno"))
    pairs = [(topic, docno) for _, topic, docno in calls]
    ballots = np.column_stack([_ballots(member, composition, job, pairs) for member in composition.members])
    combined = combine(
        ballots,
        is_mean=composition.rule is Rule.MEAN,
        quorum=composition.quorum,
        tie_breaker=composition.tie_breaker_place,
    )
    held_out = _held_out(composition, job)
    names = [member.judge for member in composition.members]
    endings = []
    for row, (pk, topic, _) in enumerate(calls):
        gap = Gap.HELD_OUT if topic in held_out else combined.gaps[row]
        said = {name: _number(ballot) for name, ballot in zip(names, ballots[row].tolist(), strict=True)}
        score = None if gap else float(combined.scores[row])
        endings.append(
            Ending(
                pk,
                gap or "ok",
                raw_score=score,
                expected_score=_number(float(combined.means[row])),
                raw_answer=json.dumps(said),
            )
        )
    return endings


def _ballots(member: Member, composition: Composition, job: Job, pairs: Sequence[Pair]) -> Floats:
    """The member's ballot on each pair, NaN where it has none."""
    jobs = Job.objects.filter(judge__identity_sha256=member.identity_sha256, pool=job.pool_id)
    own = jobs.latest("created_at")  # start_job found it completed; a retry since then took no score away
    if isinstance(member.by, Grading):
        graded = grade_pairs(job=own, mapping=Mapping.objects.get(pk=member.by.id))
        return _values({(pair.topic, pair.docno): pair.grade for pair in graded}, pairs)
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
