import pytest

from judges.jobs.scheduling import cancel_job
from judges.jobs.starting import start_job
from judges.models import JobState
from tests.judges.factories import make_image_pool, make_judge, run_to_end
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def test_cancel_job_leaves_nothing_to_do(counting: list[bytes]) -> None:
    pool = make_image_pool()
    job = start_job(judge=make_judge(), pool=pool, by=pool.created_by)

    cancel_job(job=job, by=pool.created_by)
    job = run_to_end(job)

    assert job.state == JobState.CANCELLED
    assert job.finished_at is not None
    assert counting == []


def test_cancel_job_needs_one_that_still_works(counting: list[bytes]) -> None:
    pool = make_image_pool()
    job = run_to_end(start_job(judge=make_judge(), pool=pool, by=pool.created_by))

    with refused("job-is-over"):
        cancel_job(job=job, by=pool.created_by)
