"""Read what a rule is fitted on: a job's scores, beside the grades that people gave the same pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judges.core.rules import Scored

if TYPE_CHECKING:
    from evaluation.models import Qrels
    from judges.models import Job


def read_scores(*, job: Job, people: Qrels | None = None) -> list[Scored]:
    """The job's scored pairs, with people's grades by these qrels where they have one."""
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
