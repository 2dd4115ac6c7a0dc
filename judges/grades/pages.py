"""Publish grades, preview and fit mappings, import scores."""

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from evaluation.platform.access.limits.views import form_view, page_view, post_view
from evaluation.platform.access.requests import SignedInRequest, error_in, error_shown
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.work.operations.models import Operation
from judges.grades.forms import JobPublishForm, MappingForm, ScoresImportForm
from judges.grades.publishing import (
    choose_rule,
    fit_mapping,
    read_scored_pairs,
    request_check_pool,
    request_publication,
    scale_of,
)
from judges.grades.scores import request_scores_import
from judges.jobs.models import Job
from judges.jobs.pages import find_job
from trackside.errors import InputError
from trackside.figures.shades import shade_of
from trackside.figures.svg.bars import counts_svg
from trackside.figures.svg.charts import cumulative_svg
from trackside.judging.mappings.alternatives import Alternative, compare_rules, histogram
from trackside.judging.mappings.rules import WORDS, Scored, choose_fitting_topics, empty_grade_warning


@post_view()
def job_check(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Queue the freezing of a check pool; its topics are then assigned like those of any other pool."""
    task_job = find_job(request, track, task, job)
    with error_shown(request):
        request_check_pool(job=task_job, by=request.user)
    return redirect("job_detail", track, task, job)


@post_view()
def job_publish(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Queue the publication of the job's grades by a frozen mapping."""
    task_job = find_job(request, track, task, job)
    form = JobPublishForm(request.POST, job=task_job, user=request.user)
    if not form.is_valid():
        messages.error(request, "Choose a frozen mapping of this judge, or freeze the thresholds first.")
        return redirect("job_detail", track, task, job)
    with error_shown(request):
        request_publication(job=task_job, mapping=form.cleaned_data["mapping"], by=request.user)
    return redirect("job_detail", track, task, job)


@post_view()
def mapping_fit(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Fit a rule on the job's scores, or use the given cuts, and freeze it as the next version."""
    task_job = find_job(request, track, task, job)
    form = MappingForm(request.POST, task=task_job.pool.task, scale=scale_of(task_job))
    if not form.is_valid():
        messages.error(request, "Give all cuts as numbers, or none, and a share from 1 to 99 per cent.")
        return redirect("mapping_preview", track, task, job)
    with error_shown(request):
        mapping = fit_mapping(job=task_job, by=request.user, **form.order)
        messages.success(request, f"Frozen: {mapping}.")
    return redirect("job_detail", track, task, job)


@form_view("import")
def scores_import(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Upload a file of scores for a pool, and queue its import."""
    track_task = find_judged_task(request, track, task)
    form = ScoresImportForm(request.POST or None, request.FILES or None, task=track_task)
    if form.is_valid():
        file = form.cleaned_data["file"]
        options = {"name": form.cleaned_data["name"], "pool": form.cleaned_data["pool"]}
        with error_in(form, "file"):
            request_scores_import(**options, file=file, file_name=file.name, by=request.user)
            return redirect("scores_import", track, task)
    context = {"task": track_task, "form": form, "operations": Operation.objects.recent(track_task)}
    return render(request, "judges/grades/scores_import.html", context)


@page_view
def mapping_preview(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Show histogram, curve, ties and every rule side by side; the form at the end freezes one of them."""
    task_job = find_job(request, track, task, job)
    scale = scale_of(task_job)
    form = MappingForm(request.GET or None, task=task_job.pool.task, scale=scale)
    values = form.cleaned_data if form.is_valid() else {}
    people = values.get("people") or form.fields["people"].queryset.first()  # type: ignore[attr-defined]
    scored = read_scored_pairs(job=task_job, people=people) if task_job.is_completed else []
    context = {"job": task_job, "task": task_job.pool.task, "people": people, "form": form}
    if scored:
        fitting, problem = _fitting(scored, values)
        context |= {"fitting": fitting, "problem": problem} | _rules(task_job, scored, fitting, form, scale)
    return render(request, "judges/grades/mapping_preview.html", context)


def _fitting(scored: Sequence[Scored], values: dict[str, Any]) -> tuple[Sequence[str], str]:
    """Return the topics that rules by people are fitted on; empty with an error message if too few."""
    topics = {pair.topic for pair in scored if pair.people is not None}
    share = (values.get("share") or 50) / 100
    try:
        return choose_fitting_topics(topics, share=share, seed=values.get("seed") or 0), ""
    except InputError as error:
        return (), str(error)


def _rules(
    job: Job, scored: Sequence[Scored], fitting: Sequence[str], form: MappingForm, scale: tuple[int, ...]
) -> dict[str, Any]:
    fixed = form.cuts if form.is_bound and form.is_valid() else ()
    rules = compare_rules(scored, scale=scale, fitting_topics=fitting, fixed=fixed)
    name = (form.data.get("rule") if form.is_bound else "") or choose_rule(job=job, scored=scored)
    rule = next((row for row in rules if row.rule == name), rules[0])
    raw_scores = [pair.raw_score for pair in scored]
    groups = _groups(scored, scale)
    return _charts(raw_scores, groups, _cut_texts(rule, scale)) | {
        "rules": [(row, WORDS[row.rule]) for row in rules],
        "shown": rule,
        "words": WORDS[rule.rule],
        "scale": scale,
        "grade_rows": [] if rule.problem else grade_rows(rule, scale, len(scored)),
        "empty_grades": None if rule.problem else empty_grade_warning(rule.rule, rule.grade_counts, scale),
        "ties": [
            (cut if isfinite(cut) else None, tied)
            for cut, tied in zip(rule.cuts, rule.tied_counts, strict=True)
        ],
        "distinct_count": len(set(raw_scores)),
        "pair_count": len(scored),
        "groups": [
            (group, len(values), float(np.median(values))) for group, values in groups.items() if values
        ],
        "has_people": len(groups) > 1,
    }


def _charts(
    raw_scores: Sequence[float], groups: dict[str, list[float]], cuts: dict[str, float]
) -> dict[str, Any]:
    return {
        "histogram_svg": counts_svg(
            histogram(raw_scores),
            name="histogram",
            title="Raw scores",
            desc="One bar a step of the raw score; its height is the number of pairs.",
        ),
        "curve_svg": cumulative_svg(
            groups,
            {group: shade_of(index, range(len(groups))).line for index, group in enumerate(groups)},
            name="curve",
            title="Cumulative share of raw scores",
            desc="Cuts and shares are in the tables of this page.",
            axis="raw score",
            cuts=cuts,
        ),
    }


def _groups(scored: Sequence[Scored], scale: Sequence[int]) -> dict[str, list[float]]:
    """Group the scores by people's grade; one group if people gave no grades."""
    by_grade = {
        f"people {grade}": [pair.raw_score for pair in scored if pair.people == grade] for grade in scale
    }
    return by_grade if any(by_grade.values()) else {"all": [pair.raw_score for pair in scored]}


def _cut_texts(rule: Alternative, scale: Sequence[int]) -> dict[str, float]:
    texts = (f"{low} | {high}" for low, high in pairwise(scale))
    return {text: cut for text, cut in zip(texts, rule.cuts, strict=False) if isfinite(cut)}


def grade_rows(rule: Alternative, scale: Sequence[int], pair_count: int) -> list[dict[str, Any]]:
    """Return a row for each grade: the range of raw scores, the number and the share of its pairs."""
    cuts = [f"{cut:.4f}" for cut in rule.cuts]
    between = [f"{low} to {high}" for low, high in pairwise(cuts)]
    ranges = [f"below {cuts[0]}", *between, f"above {cuts[-1]}"] if cuts else [""] * len(scale)
    return [
        {"grade": grade, "range": scores, "count": count, "share": count / pair_count}
        for grade, scores, count in zip(scale, ranges, rule.grade_counts, strict=True)
    ]
