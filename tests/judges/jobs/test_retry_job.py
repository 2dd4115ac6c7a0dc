import pytest

from evaluation.models import Document
from judges.jobs.scheduling import retry_job
from judges.jobs.starting import start_job
from judges.models import Job, JobState
from tests.factories import make_image
from tests.judges.factories import make_image_pool, make_judge, run_to_end
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def make_gappy_job() -> Job:
    """Two topics, three documents; D2 has no image."""
    pool = make_image_pool()
    Document.objects.filter(collection=pool.task.collection, docno="D2").update(image=None)
    return run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))


def test_retry_job_scores_repaired_pairs_and_changes_no_other(counting: list[bytes]) -> None:
    job = make_gappy_job()
    assert job.outcome_counts() == {"ok": 4, "image_missing": 2}
    scored = list(job.calls.scored().order_by("pk").values())
    retry_job(job=job, by=job.created_by)
    job = run_to_end(job)
    assert (job.state, job.outcome_counts()) == (
        JobState.COMPLETED_WITH_GAPS,
        {"ok": 4, "image_missing": 2},
    )
    Document.objects.filter(docno="D2").update(image=make_image())
    counting.clear()

    retry_job(job=job, by=job.created_by)
    job = run_to_end(job)

    assert job.state == JobState.COMPLETED
    assert len(counting) == 1
    assert list(job.calls.exclude(docno="D2").order_by("pk").values()) == scored
    assert job.calls.scored().filter(docno="D2").count() == 2


def test_retry_job_needs_gaps(counting: list[bytes]) -> None:
    pool = make_image_pool()
    job = start_job(judge=make_judge(), pool=pool, by=pool.created_by)
    with refused("nothing-to-retry"):
        retry_job(job=job, by=pool.created_by)

    with refused("nothing-to-retry"):
        retry_job(job=run_to_end(job), by=pool.created_by)
