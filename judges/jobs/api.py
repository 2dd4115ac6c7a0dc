"""Web API: jobs of models."""

from collections.abc import Callable
from datetime import datetime

from django.db.models import QuerySet
from ninja import Router, Schema
from pydantic import Field

from evaluation.platform.web.api.bearer import TokenRequest, organizer, reader
from evaluation.platform.web.api.changes import change, read_form
from evaluation.platform.web.api.operations import TASK, listed
from evaluation.tracks.lookups import find_judged_task
from judges.jobs.forms import JobStartForm
from judges.jobs.models import Job
from judges.jobs.pages import find_job
from judges.jobs.scheduling import cancel_job, pause_job, resume_job, retry_job
from judges.jobs.shards import JobState
from judges.jobs.starting import start_job

router = Router(tags=["Judging"], auth=reader)
JOBS, JOB = f"{TASK}/jobs", f"{TASK}/jobs/{{int:job}}"


class JobOut(Schema):
    """A judge's job on a pool: pairs with a score, and pairs that ended without one."""

    id: int
    judge: str = Field(alias="judge.name")
    pool: int = Field(alias="pool_id")
    state: JobState
    note: str
    pair_count: int
    scored_count: int
    gap_count: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


@listed(router, f"{TASK}/jobs", JobOut)
def job_list(request: TokenRequest, track: str, task: str) -> QuerySet[Job]:
    """List the jobs of a task, for its organizers."""
    track_task = find_judged_task(request, track, task)
    jobs = (
        Job.objects.visible_to(request.user).of_pools().filter(pool__task=track_task).select_related("judge")
    )
    return jobs.with_progress()


@router.get(JOB, response=JobOut, url_name="job_detail", auth=organizer)
def job_detail(request: TokenRequest, track: str, task: str, job: int) -> Job:
    """Return one job of a task that you organize."""
    return find_job(request, track, task, job)


@change(router, JOBS, JobOut, reads=JobStartForm, name="job_list", status=201)
def job_start(request: TokenRequest, track: str, task: str) -> Job:
    """Let a judge grade a pool, within a budget if you give one."""
    form = read_form(JobStartForm, request, task=find_judged_task(request, track, task))
    return find_job(request, track, task, start_job(**form.order, by=request.user).pk)


def _register_change(verb: str, action: Callable[..., object], words: str) -> None:
    """Register the operation that applies the action to a job and returns it."""

    def apply(request: TokenRequest, track: str, task: str, job: int) -> Job:
        action(job=find_job(request, track, task, job), by=request.user)
        return find_job(request, track, task, job)

    apply.__name__, apply.__doc__ = f"job_{verb}", words
    change(router, f"{JOB}/{verb}", JobOut)(apply)


_register_change("pause", pause_job, "Pause a job; responses to requests in flight are stored.")
_register_change("resume", resume_job, "Queue the unfinished part of a job again.")
_register_change("cancel", cancel_job, "Cancel a job for good.")
_register_change("retry", retry_job, "Queue the pairs without a score again; scores stay.")
