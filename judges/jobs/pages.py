"""Start and change jobs, set their caps, write prompts and preview them on a pair."""

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import messages
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import BaseExpression
from django.db.models.functions import JSONObject
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from evaluation.collections.models import Document, Topic
from evaluation.platform.access.limits.views import form_view, page_view, post_view
from evaluation.platform.access.people import User, organizes
from evaluation.platform.access.requests import SignedInRequest, error_in, error_shown
from evaluation.platform.web.rows import RowTable, register_rows
from evaluation.results.qrels.models import Qrels
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.facts import Facts
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.models import Task, TaskKind, Track
from evaluation.tracks.panels import (
    OpenAction,
    OpenActions,
    Panel,
    register_guards,
    register_likeness,
    register_panel,
)
from judges.catalogue.models import Judge
from judges.jobs.budgets import set_cap, set_ceiling
from judges.jobs.embeddings import pool_likeness
from judges.jobs.estimates import CostEstimate, PairPreview, any_pair, estimate_job, show_pair, show_pairs
from judges.jobs.forms import CapForm, CeilingForm, JobStartForm
from judges.jobs.models import Job
from judges.jobs.money import Budget
from judges.jobs.scheduling import cancel_job, pause_job, resume_job, retry_job
from judges.jobs.starting import start_job
from judges.prompts.forms import PromptForm, PromptPreviewForm
from trackside.judging.costs import amount, duration_words
from trackside.judging.settings import CLIP_PRESETS, SMALL
from trackside.judging.shipped_prompts import nearest_of_ours


def find_job(request: HttpRequest, track: str, task: str, job: int) -> Job:
    """Return the job of that task with its progress, if the user organizes the task; else raise 404."""
    jobs = Job.objects.visible_to(request.user).with_progress().select_related("judge", "pool__task__track")
    return get_object_or_404(jobs, pool__task=find_judged_task(request, track, task), pk=job)


def pool_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return whether the task has a pool."""
    return {"has_pool": Exists(Pool.objects.filter(task=OuterRef("pk")))}


def job_panel(task: Task, user: User, facts: Facts) -> dict[str, Any] | None:
    """Return the jobs on the task's pools for organizers, None for others."""
    if not organizes(user, task.track_id):
        return None
    annotations = {"is_published": _in_qrels()}
    rows = Job.objects.of_pools().filter(pool__task=task).with_progress().annotate(**annotations)
    jobs = list(rows.select_related("judge", "pool"))
    return {
        "task": task,
        "rows": [(job, amount(job.spent_micros), job.is_published) for job in jobs],
        "has_pool": facts["has_pool"],
        "needs": list(_needs(task, jobs)),
    }


def _in_qrels() -> Exists:
    """Return the condition that the judge's grades of the job's pool are among the qrels."""
    return Exists(Qrels.objects.filter(pool=OuterRef("pool"), name=OuterRef("judge__name")))


def _unpublished_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    jobs = Job.objects.of_pools().filter(~_in_qrels(), pool__task=OuterRef("pk")).completed()
    return {"unpublished": ArraySubquery(jobs.values_list(JSONObject(pk="pk", judge="judge__name")))}


def _unpublished(task: Task, facts: Facts) -> Iterable[OpenAction]:
    """Yield the completed jobs whose grades are not published, which the release leaves out."""
    for job in facts["unpublished"]:
        address = reverse("job_detail", args=[task.track.slug, task.slug, job["pk"]])
        yield OpenAction("warn", f"{job['judge']} is completed and not published", address)


RELEASE_GUARDS = OpenActions(_unpublished, _unpublished_facts)


def _needs(task: Task, jobs: Iterable[Job]) -> Iterable[OpenAction]:
    for job in jobs:
        address = reverse("job_detail", args=[task.track.slug, task.slug, job.pk])
        if job.is_halted:
            yield OpenAction("bad", f"{job.judge} is {job.get_state_display()}", address, job.note)
        elif job.is_completed and job.gap_count:
            gaps = "1 gap" if job.gap_count == 1 else f"{job.gap_count:,} gaps"
            yield OpenAction("warn", f"{gaps} of {job.judge}", address, "try again, or publish without them")


@form_view()
def job_start(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Choose judge and pool, see an estimate of cost and time, and start the job."""
    track_task = find_judged_task(request, track, task)
    form = JobStartForm(request.POST or request.GET or None, task=track_task)
    estimate = None
    if form.is_valid() and request.method != "POST":
        estimate = estimate_job(judge=form.cleaned_data["judge"], pool=form.cleaned_data["pool"])
    elif form.is_valid():
        with error_in(form):
            job = start_job(**form.order, by=request.user)
            messages.success(request, "The job is queued. It starts as soon as a worker is free.")
            return redirect("job_detail", track, task, job.pk)
    offered, pair = Judge.objects.of_track(track_task.track), any_pair(track_task)
    context = {
        "task": track_task,
        "form": form,
        "estimate": estimate and _rows(estimate),
        "absent_fields": estimate and ", ".join(estimate.absent_fields),
        "pair": pair,
        "shown": _shown(track_task, form.judges, *pair) if pair else (),
        "ending": offered.ending().in_use().filter(task_kinds__contains=[track_task.kind]),
    }
    return render(request, "judges/jobs/job_start.html", context)


def _shown(
    task: Task, judges: Iterable[Judge], topic: Topic, document: Document
) -> list[tuple[Judge, PairPreview, Any]]:
    """Return each judge with what it reads of the pair, and its latest trial in the task."""
    return [
        (judge, preview, judge.trials.filter(task=task).first())
        for judge, preview in show_pairs(task, judges, topic, document)
    ]


def _rows(estimate: CostEstimate) -> dict[str, str]:
    """Return the estimate as text, by label."""
    bound, likely, duration = estimate.bound_micros, estimate.likely_micros, estimate.duration
    unpriced = "not counted: the price table has no price of the model"
    tokens = estimate.token_count
    return {
        "Pairs": f"{estimate.pair_count:,}",
        **({} if tokens is None else {"Tokens": f"about {tokens:,}, with the longest answers"}),
        "Cost at most": unpriced if bound is None else amount(bound),
        "Cost, likely": "unknown before the model's first answers" if likely is None else amount(likely),
        "Time": "unknown before the judge's first job"
        if duration is None
        else f"about {duration_words(duration)}, at the pace of its last job",
    }


CHANGES: dict[str, tuple[Callable[..., object], str]] = {
    "cancel": (cancel_job, "The job is cancelled."),
    "pause": (pause_job, "The job is paused."),
    "resume": (resume_job, "The job is resumed."),
    "retry": (retry_job, "The gaps are queued again."),
}


@post_view()
def job_change(request: SignedInRequest, track: str, task: str, job: int, change: str) -> HttpResponse:
    """Apply one of CHANGES to the job, and redirect to its page."""
    action, success = CHANGES[change]
    with error_shown(request):
        action(job=find_job(request, track, task, job), by=request.user)
        messages.success(request, success)
    return redirect("job_detail", track, task, job)


@page_view
def prompt_preview(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show what a judge with a prompt or preset reads of a pair of the latest pool."""
    track_task = find_judged_task(request, track, task)
    form = PromptPreviewForm(request.GET or None, task=track_task)
    pair = any_pair(track_task)
    context: dict[str, Any] = {"task": track_task, "form": form, "pair": pair}
    if form.is_valid() and pair:
        name = form.cleaned_data["named"]
        if preset := CLIP_PRESETS.get(name):
            judge = Judge(backend="clip", image_size=SMALL, **preset.choices)
            context["preset"] = preset
        else:
            prompt = form.prompt
            judge = Judge(backend="openai_chat", prompt=prompt.template, image_size=SMALL)
            context |= {"prompt": prompt, "ours": nearest_of_ours(prompt)}
        context["shown"] = show_pair(track_task, judge, *pair)
    return render(request, "judges/jobs/prompt_preview.html", context)


@form_view("change")
def prompt_create(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Store a prompt of the track, which judges can have from then on."""
    track_task = find_judged_task(request, track, task)
    form = PromptForm(request.POST or None, by=request.user)
    if form.is_valid():
        with error_in(form):
            messages.success(request, f"Stored: {form.create(track_task.track, request.user)}.")
            return redirect("prompt_preview", track, task)
    return render(request, "judges/prompts/prompt_create.html", {"task": track_task, "form": form})


def _budgets_of(track: Track) -> QuerySet[Budget]:
    budgets = Budget.objects.filter(Q(track=track) | Q(job__pool__task__track=track))
    return budgets.select_related("track", "job__judge", "job__pool__task__track")


def _page_of(budget: Budget) -> str:
    """Return the address of the job, or of the judges of the track's first task."""
    if budget.job:
        task = budget.job.pool.task
        return reverse("job_detail", args=[task.track.slug, task.slug, budget.job.pk])
    first_task = budget.track.tasks.order_by("pk").first() if budget.track else None
    if first_task:
        return reverse("setup_judges", args=[first_task.track.slug, first_task.slug])
    return reverse("home")


def _save_cap(form: CapForm, by: User) -> None:
    set_cap(budget=form.instance, cap_micros=form.cleaned_data["cap"], by=by)


def _save_ceiling(form: CeilingForm, by: User) -> None:
    set_ceiling(budget=form.instance, ceiling_micros=form.cleaned_data["ceiling"], by=by)


def register() -> None:
    """Register what jobs add to other pages and rooms. Called when Django starts."""
    panel = Panel(place=20, template="judges/jobs/job_panel.html", context=job_panel, facts=pool_facts)
    register_panel(panel)
    register_guards(RELEASE_GUARDS)
    register_likeness(pool_likeness)
    register_rows(
        RowTable("budget", _budgets_of, _page_of, CapForm, _save_cap),
        RowTable("ceiling", _budgets_of, _page_of, CeilingForm, _save_ceiling),
    )
