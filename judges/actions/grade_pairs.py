"""What a frozen mapping makes of a job's raw scores."""

from __future__ import annotations

from evaluation.actions.publish_qrels import GradedPair
from judges.core.inputs import Gap
from judges.core.rules import Scored, grades_of
from judges.models import Call, Job, Mapping


def grade_pairs(*, job: Job, mapping: Mapping) -> list[GradedPair]:
    """The job's pairs with the grades that the mapping gives; pairs without a raw score have none.

    Pairs of topics that the mapping was fitted on are left out: people's grades decided there.
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
