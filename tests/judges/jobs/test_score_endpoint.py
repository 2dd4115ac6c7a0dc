"""A job of a score endpoint: its numbers are raw scores, its failures are gaps, and its budget holds."""

import json

import pytest

from judges.models import JobState
from tests.judges.endpoint import Act, Request, running
from tests.judges.factories import judged, make_endpoint_judge
from tests.judges.pair_kinds import DOCUMENTS, make_kind_pool
from trackside.judging.mappings.rules import PAPER, Scored, default_rule

pytestmark = pytest.mark.django_db


def test_job_of_a_score_endpoint_has_scores_and_gaps() -> None:
    """The score is the length of the document's text; the first request is refused, as for a long text."""
    pool = make_kind_pool("text-text")

    def plan(request: Request) -> Act:
        if request.method == "GET" or request.number == 1:
            return Act(status=404 if request.method == "GET" else 413)
        score = len(request.body["text_2"]) / 1000
        return Act(body=json.dumps({"data": [{"index": 0, "score": score}]}).encode())

    with running(plan) as endpoint:
        judge = make_endpoint_judge(
            endpoint.url,
            backend="score_endpoint",
            prompt="{topic.fields}<document>{document.fields}",
            answer="score-0-1",
        )
        job = judged(judge, pool)
    assert job.state == JobState.COMPLETED_WITH_GAPS
    counts = job.outcome_counts()
    assert counts == {"ok_decimal": DOCUMENTS - 1, "request_refused": 1, "text_empty": 1}
    scored = [Scored(call.topic, call.raw_score or 0.0) for call in job.calls.scored()]
    assert all(0 < pair.raw_score < 1 for pair in scored)
    assert default_rule(scored, (0, 1, 2), gives_grades=True) == PAPER
