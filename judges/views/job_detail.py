"""One job: its progress, its gaps, and the grades it could become."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from evaluation.models import Qrels, TaskKind
from judges.actions.flag_pairs import flag_pairs
from judges.core.composition import composition_of
from judges.core.costs import amount
from judges.core.durations import duration_words
from judges.core.judge import Unit
from judges.core.mapping import NothingToMap
from judges.core.preview import preview_paper_2024
from judges.core.susceptibility import susceptibility
from judges.forms.job_publish import JobPublishForm
from judges.models import Budget, RequestFile
from judges.models.job import IMAGE_SIDE, Side
from judges.views.finding import find_job

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.models import Image, User
    from evaluation.views.finding import SignedInRequest
    from judges.core.preview import Preview
    from judges.models import Call, Job

GAPS_SHOWN = 20
ANSWERS_SHOWN = 6


@login_required
@require_safe
def job_detail(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Show the job; once it is completed, also what a mapping would make of its scores."""
    found = find_job(request, track, task, job)
    context = _progress(found) | {
        "image_distance": found.image_distance(),
        "gaps": found.calls.failed().of_pool().order_by("topic", "docno")[:GAPS_SHOWN],
        "errors": found.shards.exclude(error="").order_by().values_list("error", flat=True).distinct(),
    }
    if found.is_completed:
        context["ensemble"] = _ensemble(found)
        context |= _grades(found, request.user)
    return render(request, "judges/job_detail.html", context)


@login_required
@require_safe
def job_progress(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """The figures alone, asked for again and again while the job is active; then the page loads anew."""
    found = find_job(request, track, task, job)
    if not found.is_active:
        return HttpResponseClientRefresh()
    return render(request, "judges/job_progress.html", _progress(found))


def _progress(job: Job) -> dict[str, Any]:
    """The figures of every job; of a generator's also pace, cost and the last answers."""
    context = {"job": job, "task": job.pool.task, "outcomes": job.outcome_counts()}
    context["is_encoding"] = job.judge.unit == Unit.INPUT
    if not job.judge.unit.is_asked:
        return context
    pace, left = job.pace(), job.pair_count - job.scored_count - job.gap_count
    budget = Budget.objects.filter(job=job).first()
    return context | {
        "is_asking": True,
        "ended_count": job.scored_count + job.gap_count,
        "pace": pace,
        "time_left": duration_words(timedelta(seconds=left / pace)) if pace and job.is_active else "",
        "cost": amount(job.ledger.all().total()),
        "cap": amount(budget.cap_micros) if budget and budget.cap_micros is not None else "",
        "stored_count": job.calls.of_pool().filter(is_from_store=True).count(),
        "answers": _last_answers(job),
        "files": RequestFile.objects.filter(shard__job=job).order_by("created_at"),
    }


def _ensemble(job: Job) -> dict[str, Any] | None:
    """Of an ensemble its composition and the facts about its members' ballots."""
    facts = job.ensemble_facts()
    if facts is None:
        return None
    total = sum(facts.strata.values())
    return {
        "composition": composition_of(job.judge.decoding),
        "facts": facts,
        "strata": [(name, count, count / total) for name, count in facts.strata.items()] if total else [],
    }


def _last_answers(job: Job) -> list[tuple[Call, Image | None]]:
    """The calls that ended last, each with the image of its pair."""
    calls = list(job.calls.of_pool().exclude(ended_at=None).order_by("-ended_at", "pk")[:ANSWERS_SHOWN])
    side = IMAGE_SIDE[TaskKind(job.pool.task.kind)]
    names = [call.topic if side == Side.TOPIC else call.docno for call in calls]
    items = job.items(side, names)
    return [
        (call, items[name].image if name in items else None) for call, name in zip(calls, names, strict=True)
    ]


def _grades(job: Job, user: User) -> dict[str, Any]:
    try:
        preview = preview_paper_2024(job.calls.raw_scores())
    except NothingToMap:
        return {}
    return {
        "preview": preview,
        "grade_rows": _rows(preview),
        "form": JobPublishForm(job=job, user=user),
        "susceptibility": susceptibility(job.canary_scores(), preview.mapping),
        "flagged_count": len(flag_pairs(job=job)),
        "published": Qrels.objects.filter(pool=job.pool, name=job.judge.name).order_by("-version"),
    }


def _rows(preview: Preview) -> list[dict[str, Any]]:
    """A row for each grade: the range of raw scores, the number and the share of its pairs."""
    lower, upper = (f"{threshold:.4f}" for threshold in preview.mapping.thresholds)
    ranges = (f"below {lower}", f"{lower} to {upper}", f"above {upper}")
    return [
        {"grade": grade, "range": scores, "count": count, "share": count / preview.mapping.n}
        for grade, (scores, count) in enumerate(zip(ranges, preview.grade_counts, strict=True))
    ]
