"""A judge of a new revision reads the stored answers of its earlier one, and sends nothing."""

import pytest

from judges.jobs.scheduling import retry_job
from judges.models import JobState, Judge
from tests.judges.endpoint import Act, Request, running
from tests.judges.factories import judged, make_endpoint_judge, make_image_pool, run_to_end

pytestmark = pytest.mark.django_db

TWO_VERDICTS = "Relevance: 40\nRelevance: 90 would need the lock."


def of_revision_3(judge: Judge) -> Judge:
    """The judge as an earlier release made it."""
    settings = {"revision": 3, "name": f"{judge.name}-old"}
    old = Judge(**{field.attname: getattr(judge, field.attname) for field in Judge._meta.fields} | settings)
    old.pk, old.identity_sha256 = None, old.settings.identity_sha256
    old.save()
    return old


def answer(request: Request) -> Act:
    """Two verdicts for the three pairs of one topic, one for the others and the canaries."""
    return Act(text=TWO_VERDICTS if "Page of T1" in request.shown else "Relevance: 70")


def test_stored_answers_of_an_earlier_revision_are_read_anew_without_a_request() -> None:
    with running(answer) as endpoint:
        judge, pool = make_endpoint_judge(endpoint.url), make_image_pool()
        old = judged(of_revision_3(judge), pool)
        asked = len(endpoint.asked)
        new = judged(judge, pool)

        assert (old.state, old.calls.of_pool().filter(raw_score=90).count()) == (JobState.COMPLETED, 3)
        assert (len(endpoint.asked), new.ledger.count()) == (asked, 0)
        assert new.state == JobState.COMPLETED_WITH_GAPS
        for gap in new.calls.of_pool().failed():
            assert (gap.outcome, gap.raw_answer, gap.is_from_store) == ("ambiguous", TWO_VERDICTS, True)
        assert new.calls.of_pool().filter(raw_score=70).count() == 3

        retry_job(job=new, by=new.created_by)
        run_to_end(new)
        assert len(endpoint.asked) == asked + 3  # a retry asks the endpoint
