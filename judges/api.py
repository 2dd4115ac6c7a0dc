"""Web API: progress of model jobs."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from ninja import Query, Router, Schema

from evaluation.tracks.lookups import find_organized_task
from evaluation.web.api.bearer import TokenRequest, reader
from evaluation.web.api.operations import TASK, Page, Window, page_of
from judges.jobs.models import Job
from judges.jobs.states import JobState

router = Router(tags=["Judging"], auth=reader)


class JobOut(Schema):
    """A judge's job on a pool: pairs with a score, and pairs that ended without one."""

    id: int
    judge: str
    pool: int
    state: JobState
    note: str
    pair_count: int
    scored_count: int
    gap_count: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None

    @staticmethod
    def resolve_judge(job: Job) -> str:
        """Return the judge's name."""
        return job.judge.name

    @staticmethod
    def resolve_pool(job: Job) -> int:
        """Return the pool's id."""
        return job.pool_id


@router.get(f"{TASK}/jobs", response=Page[JobOut], url_name="job_list")
def job_list(
    request: TokenRequest, response: HttpResponse, track: str, task: str, window: Query[Window]
) -> dict[str, Any]:
    """List the jobs of a task, for its organizers."""
    found = find_organized_task(request, track, task)
    jobs = Job.objects.visible_to(request.user).filter(pool__task=found).select_related("judge")
    return page_of(jobs.with_progress(), window, request, response, by=["pk"])
