"""Web API: mappings of models' scores, the publication of their grades, judges and prompts."""

from datetime import datetime
from math import isfinite
from typing import Any

from django.shortcuts import get_object_or_404
from ninja import Router, Schema
from pydantic import Field

from evaluation.platform.web.api.bearer import TokenRequest, organizer, reader
from evaluation.platform.web.api.changes import change, read_form, texts
from evaluation.platform.web.api.gone import gone
from evaluation.platform.web.api.operations import TASK, DoneOut, listed
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.work.operations.api import OperationOut
from evaluation.tracks.work.operations.models import Operation
from judges.catalogue.actions import retire_judge
from judges.catalogue.models import JudgeQuerySet
from judges.grades.forms import JobPublishForm, MappingForm, ScoresImportForm
from judges.grades.models import Mapping
from judges.grades.publishing import fit_mapping, request_check_pool, request_publication, scale_of
from judges.grades.scores import request_scores_import
from judges.jobs.api import JOB
from judges.jobs.api import router as jobs
from judges.jobs.budgets import set_endpoints
from judges.jobs.pages import find_job
from judges.passports.api import router as probes
from judges.prompts.forms import PromptForm
from judges.trials.actions import ask_trial
from judges.trials.comparing import ask_comparison
from judges.trials.forms import ComparisonForm
from judges.trials.models import Comparison, Trial
from judges.trials.pages import find_retirable, usable_judges

judging = Router(tags=["Judging"], auth=reader)
router = Router()
for part in (jobs, judging, probes):
    router.add_router("", part)


ENDPOINTS = texts(endpoints="Base URLs, separated by blanks; empty: none.")


class MappingOut(Schema):
    """A frozen rule from raw scores to grades; `thresholds` are its cuts, one fewer than grades."""

    id: int
    name: str
    rule: str
    version: int
    thresholds: list[float | None] = Field(description="Null for a cut that no score reaches.")

    @staticmethod
    def resolve_name(mapping: Mapping) -> str:
        """Return its name on pages."""
        return str(mapping)

    @staticmethod
    def resolve_thresholds(mapping: Mapping) -> list[float | None]:
        """Return the cuts; JSON has no infinity."""
        return [cut if isfinite(cut) else None for cut in mapping.thresholds]


@change(judging, f"{JOB}/mappings", MappingOut, reads=MappingForm, status=201)
def mapping_fit(request: TokenRequest, track: str, task: str, job: int) -> Mapping:
    """Fit a rule on the scores of a completed job, or use the cuts `cut_1`, `cut_2` and so on, and freeze it.

    Without a rule it is the one that fits the scores.
    """
    task_job = find_job(request, track, task, job)
    form = read_form(MappingForm, request, task=task_job.pool.task, scale=scale_of(task_job))
    return fit_mapping(job=task_job, by=request.user, **form.order)


@change(judging, f"{JOB}/publish", OperationOut, reads=JobPublishForm, status=202)
def job_publish(request: TokenRequest, track: str, task: str, job: int) -> Operation:
    """Publish the job's grades by a frozen mapping as the judge's qrels."""
    task_job = find_job(request, track, task, job)
    form = read_form(JobPublishForm, request, job=task_job, user=request.user)
    return request_publication(job=task_job, mapping=form.cleaned_data["mapping"], by=request.user)


@change(judging, f"{JOB}/check", OperationOut, status=202)
def job_check(request: TokenRequest, track: str, task: str, job: int) -> Operation:
    """Freeze a pool of the pairs whose text speaks to a model, or that it refused, for people to grade."""
    return request_check_pool(job=find_job(request, track, task, job), by=request.user)


class JudgeOut(Schema):
    """A judge: its name and the model behind it."""

    id: int
    name: str
    backend: str
    model: str


@listed(judging, f"{TASK}/judges", JudgeOut, auth=organizer)
def judge_list(request: TokenRequest, track: str, task: str) -> JudgeQuerySet:
    """List the judges that may grade in a task that you organize; the track's file adds further ones."""
    return usable_judges(find_judged_task(request, track, task))


gone(
    judging,
    "POST",
    f"{TASK}/judges/ensembles",
    name="ensemble_create",
    words="Combine the grades of judges by `trackside vote`, and import the file as scores.",
)


class TrialOut(Schema):
    """A judge's answer on one pair, or the reason for none; both are empty until a worker has tried it."""

    judge: str = Field(alias="judge.name")
    topic: str
    docno: str
    asked_at: datetime
    ended_at: datetime | None
    result: str
    error: str
    cost: str


@judging.get(f"{TASK}/judges/trials", response=list[TrialOut], url_name="trial_list", auth=organizer)
def trial_list(request: TokenRequest, track: str, task: str) -> Any:
    """List the latest trial of each judge."""
    return Trial.objects.latest_of(find_judged_task(request, track, task)).select_related("judge")


@change(judging, f"{TASK}/judges/{{int:judge}}/try", TrialOut, rate="trial", status=202)
def judge_try(request: TokenRequest, track: str, task: str, judge: int) -> Trial:
    """Try a judge on one pair of the task."""
    track_task = find_judged_task(request, track, task)
    usable_judge = get_object_or_404(usable_judges(track_task), pk=judge)
    return ask_trial(judge=usable_judge, task=track_task, by=request.user)


@change(judging, f"{TASK}/judges/endpoints", DoneOut, reads=ENDPOINTS)
def judge_endpoints(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Name the endpoints at which the track's organizers may make judges; for staff."""
    track_task = find_judged_task(request, track, task)
    set_endpoints(track=track_task.track, by=request.user, **read_form(ENDPOINTS, request).cleaned_data)
    return {"message": "The endpoints of the track are set."}


@change(judging, f"{TASK}/judges/{{int:judge}}/retire", DoneOut)
def judge_retire(request: TokenRequest, track: str, task: str, judge: int) -> dict[str, str]:
    """Retire a judge of the track, or as staff one of the site."""
    retired = find_retirable(find_judged_task(request, track, task), judge, by=request.user)
    retire_judge(judge=retired, by=request.user)
    return {"message": f"The judge {retired} is retired."}


class ComparisonOut(Schema):
    """A judge's answers to two prompts on the same pairs, empty until a worker has ended it.

    Each answer has the score, null for a gap, with the reason as ``error``; ``cost`` in millionths.
    """

    judge: str = Field(alias="judge.name")
    versions: list[dict[str, str]]
    rows: list[dict[str, Any]]
    asked_at: datetime
    ended_at: datetime | None
    error: str
    cost: str


@judging.get(
    f"{TASK}/judges/comparisons", response=list[ComparisonOut], url_name="comparison_list", auth=organizer
)
def comparison_list(request: TokenRequest, track: str, task: str) -> Any:
    """List the latest ten comparisons of prompts, the newest first."""
    track_task = find_judged_task(request, track, task)
    return Comparison.objects.filter(task=track_task).select_related("judge")[:10]


@change(judging, f"{TASK}/judges/compare", ComparisonOut, reads=ComparisonForm, rate="trial", status=202)
def prompts_compare(request: TokenRequest, track: str, task: str) -> Comparison:
    """Compare two prompts, or versions of the criteria in one, on the same pairs: twenty, or `pair_count`."""
    track_task = find_judged_task(request, track, task)
    form = read_form(ComparisonForm, request, task=track_task, judges=usable_judges(track_task))
    return ask_comparison(**form.order, task=track_task, by=request.user)


@change(judging, f"{TASK}/scores/import", OperationOut, reads=ScoresImportForm, rate="import", status=202)
def scores_import(request: TokenRequest, track: str, task: str) -> Operation:
    """Import scores of pairs that a judge of your own gave; each file makes a new judge."""
    form = read_form(ScoresImportForm, request, task=find_judged_task(request, track, task))
    file = form.cleaned_data.pop("file")
    return request_scores_import(**form.cleaned_data, file=file, file_name=file.name, by=request.user)


@change(judging, f"{TASK}/prompts", DoneOut, reads=PromptForm, rate="change", status=201)
def prompt_create(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Store a prompt of the track, or the next version of one; it never changes."""
    track_task = find_judged_task(request, track, task)
    form = read_form(PromptForm, request, by=request.user)
    return {"message": f"The prompt {form.create(track_task.track, request.user)} is stored."}
