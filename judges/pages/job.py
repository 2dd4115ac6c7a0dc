"""The page of a job: its progress, its gaps, and a preview of its grades."""

from datetime import timedelta
from typing import Any

from django.db.models import Count, Min, QuerySet
from django.db.models.functions import Now
from django.http import HttpResponse
from django.shortcuts import render
from django_htmx.http import HttpResponseClientRefresh

from evaluation.collections.items import Item
from evaluation.platform.access.limits.views import page_view
from evaluation.platform.access.people import User
from evaluation.platform.access.requests import SignedInRequest
from evaluation.results.qrels.models import Qrels
from evaluation.tracks.models import TaskKind
from evaluation.tracks.work.operations.models import Operation
from judges.grades.forms import JobPublishForm
from judges.grades.pages import grade_rows
from judges.grades.publishing import choose_rule, flag_pairs, read_scored_pairs, scale_of
from judges.jobs.calls import Call
from judges.jobs.looking import look_at, look_words, read_controls
from judges.jobs.models import IMAGE_SIDES, Job, Side
from judges.jobs.money import Budget
from judges.jobs.pages import find_job
from judges.jobs.shards import RequestFile
from trackside.errors import InputError
from trackside.judging.controls import Looks
from trackside.judging.costs import amount, duration_words
from trackside.judging.judge import Unit
from trackside.judging.mappings.alternatives import describe
from trackside.judging.mappings.rules import WORDS, empty_grade_warning, fit

GAPS_SHOWN = CONTROLS_SHOWN = 20
PACE_TIME = timedelta(minutes=5)
ANSWERS_SHOWN = 6


@page_view
def job_detail(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Show the job; once it is completed, also a preview of the grades by paper-2024."""
    task_job = find_job(request, track, task, job)
    context = _progress(task_job)
    context |= _controls(task_job) if context.get("is_asking") else {}
    context |= {
        "operations": Operation.objects.recent(task_job.pool.task),
        "gaps": () if task_job.probe else _gaps(task_job),
        "errors": task_job.shards.exclude(error="").order_by().values_list("error", flat=True).distinct(),
    }
    if task_job.is_completed and not task_job.probe:
        context |= _grades(task_job, request.user)
    return render(request, "judges/pages/job_detail.html", context)


def _gaps(job: Job) -> QuerySet[Call]:
    return job.calls.failed().of_pool().order_by("topic", "docno")[:GAPS_SHOWN]


@page_view
def job_progress(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Return only the figures, polled while the job is active; then make the page reload."""
    task_job = find_job(request, track, task, job)
    if not task_job.is_active:
        return HttpResponseClientRefresh()
    return render(request, "judges/pages/job_progress.html", _progress(task_job))


def _progress(job: Job) -> dict[str, Any]:
    """Return the figures of a job; for generators also pace, cost and the last answers."""
    context = {"job": job, "task": job.pool.task, "outcomes": job.outcome_counts()}
    try:
        unit = job.judge.unit
    except InputError:  # the backend's package is not installed; the note of the paused job has the reason
        return context
    context["is_encoding"] = unit == Unit.INPUT
    if not unit.is_asked:
        return context
    pace, left_count = _pace(job), job.pair_count - job.scored_count - job.gap_count
    budget = Budget.objects.filter(job=job).first()
    return context | {
        "is_asking": True,
        "ended_count": job.scored_count + job.gap_count,
        "pace": pace,
        "time_left": duration_words(timedelta(seconds=left_count / pace)) if pace and job.is_active else "",
        "budget": budget,
        "cost": amount(job.ledger.all().total()),
        "thought_count": job.ledger.all().thought_count(),
        "cap": amount(budget.cap_micros) if budget and budget.cap_micros is not None else "",
        "stored_count": job.calls.of_pool().filter(is_from_store=True).count(),
        "answers": [] if job.probe else _last_answers(job),
        "files": RequestFile.objects.filter(shard__job=job).order_by("created_at"),
    }


def _controls(job: Job) -> dict[str, Any]:
    """Return what the controls show and the first of them; empty for a judge that sees no picture."""
    controls = read_controls(job)
    if not (words := look_words(job, controls, job.pair_count)):
        return {}
    is_doubtful = look_at(job, controls).looks is Looks.STAYS
    return {
        "look_words": words,
        "look_state": "bad" if is_doubtful else "",
        "is_doubtful": is_doubtful,
        "control_count": len(controls),
        "controls": controls[:CONTROLS_SHOWN],
        "is_of_topics": job.picture_side == Side.TOPIC,
    }


def _pace(job: Job) -> float | None:
    """Return the pairs per second over the job's last five minutes; None if no pair ended in them."""
    recent = Call.objects.filter(job=job, is_from_store=False, ended_at__gt=Now() - PACE_TIME)
    sums = recent.aggregate(count=Count("pk"), took=Now() - Min("ended_at"))
    seconds = sums["took"].total_seconds() if sums["took"] else 0.0
    return sums["count"] / seconds if seconds > 0 else None


def _last_answers(job: Job) -> list[tuple[Call, Item | None]]:
    """Return the calls that ended last, each with the item of its pair whose images are shown."""
    calls = list(job.calls.of_pool().exclude(ended_at=None).order_by("-ended_at", "pk")[:ANSWERS_SHOWN])
    side = next(reversed(IMAGE_SIDES[TaskKind(job.pool.task.kind)]), Side.DOCUMENT)
    names = [call.topic if side == Side.TOPIC else call.docno for call in calls]
    items = job.items(side, names)
    return [(call, items.get(name)) for call, name in zip(calls, names, strict=True)]


def _grades(job: Job, user: User) -> dict[str, Any]:
    """Return the grades by the rule that is the default for the job's scores."""
    scored, scale = read_scored_pairs(job=job), scale_of(job)
    if not scored:
        return {}
    rule = choose_rule(job=job, scored=scored)
    frozen = fit(rule, scored, scale=scale)
    preview = describe(rule, frozen, scored, scale)
    return {
        "preview": preview,
        "words": WORDS[rule],
        "pair_count": len(scored),
        "distinct_count": len({pair.raw_score for pair in scored}),
        "has_equal_cuts": len(set(preview.cuts)) < len(preview.cuts),
        "grade_rows": grade_rows(preview, scale, len(scored)),
        "empty_grades": empty_grade_warning(rule, preview.grade_counts, scale),
        "form": JobPublishForm(job=job, user=user),
        "flagged_count": len(flag_pairs(job=job)),
        "published": Qrels.objects.filter(pool=job.pool, name=job.judge.name).order_by("-version"),
    }
