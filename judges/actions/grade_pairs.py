"""What a frozen mapping makes of a job's raw scores."""

from __future__ import annotations

from evaluation.actions.publish_qrels import GradedPair
from judges.models import Job, Mapping


def grade_pairs(*, job: Job, mapping: Mapping) -> list[GradedPair]:
    """The job's pairs with the grades that the mapping gives; pairs without a raw score have none."""
    calls = list(job.calls.values_list("topic", "docno", "raw_score", "outcome"))
    raw_scores = [raw_score for _, _, raw_score, _ in calls if raw_score is not None]
    grades = iter(mapping.frozen.grades(raw_scores).tolist())
    return [
        GradedPair(topic, docno, None if raw_score is None else next(grades), raw_score, outcome)
        for topic, docno, raw_score, outcome in calls
    ]
