"""Preview of a judge's scores and of its grades by each rule, before one rule is frozen."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.access.requests import SignedInRequest
from judges.grades.forms import MappingForm
from judges.grades.publishing import read_scored_pairs
from judges.jobs.lookups import find_job
from judges.jobs.models import Job
from trackside.errors import InputError
from trackside.figures.svg.bars import counts_svg
from trackside.figures.svg.cumulative import cumulative_svg
from trackside.judging.mappings.alternatives import Alternative, compare_rules
from trackside.judging.mappings.preview import histogram
from trackside.judging.mappings.rules import GRADES, WORDS, Scored, choose_fitting_topics, empty_grade_warning


@login_required
@require_safe
def mapping_preview(request: SignedInRequest, track: str, task: str, job: int) -> HttpResponse:
    """Show histogram, curve, ties and every rule side by side; the form at the end freezes one of them."""
    found = find_job(request, track, task, job)
    form = MappingForm(request.GET or None, task=found.pool.task)
    given = form.cleaned_data if form.is_valid() else {}
    people = given.get("people") or form.fields["people"].queryset.first()  # type: ignore[attr-defined]
    scored = read_scored_pairs(job=found, people=people) if found.is_completed else []
    context = {"job": found, "task": found.pool.task, "people": people, "form": form}
    if scored:
        fitting, problem = _fitting(scored, given)
        context |= {"fitting": fitting, "problem": problem} | _rules(found, scored, fitting, form)
    return render(request, "judges/grades/mapping_preview.html", context)


def _fitting(scored: Sequence[Scored], given: dict[str, Any]) -> tuple[Sequence[str], str]:
    """Return the topics that rules by people are fitted on; empty with an error message if too few."""
    topics = {each.topic for each in scored if each.people is not None}
    share = (given.get("share") or 50) / 100
    try:
        return choose_fitting_topics(topics, share=share, seed=given.get("seed") or 0), ""
    except InputError as error:
        return (), str(error)


def _rules(job: Job, scored: Sequence[Scored], fitting: Sequence[str], form: MappingForm) -> dict[str, Any]:
    rules = compare_rules(
        scored, fitting_topics=fitting, fixed=form.cuts if form.is_bound and form.is_valid() else None
    )
    chosen = form.data.get("rule") if form.is_bound else None
    shown = next((each for each in rules if each.rule == chosen), rules[0])
    raw_scores = [each.raw_score for each in scored]
    groups = _groups(scored)
    return {
        "rules": [(each, WORDS[each.rule]) for each in rules],
        "shown": shown,
        "words": WORDS[shown.rule],
        "grade_rows": _grade_rows(shown, len(scored)),
        "empty_grades": None if shown.problem else empty_grade_warning(shown.rule, shown.grade_counts),
        "ties": [
            (cut if isfinite(cut) else None, tied)
            for cut, tied in zip(shown.cuts, shown.tied_counts, strict=True)
        ],
        "distinct_count": len(set(raw_scores)),
        "pair_count": len(scored),
        "histogram_svg": counts_svg(
            histogram(raw_scores),
            name="histogram",
            title="Raw scores",
            desc="One bar a step of the raw score; its height is the number of pairs.",
        ),
        "curve_svg": cumulative_svg(
            groups,
            dict(zip(groups, ("k0", "k1", "k2"), strict=False)),
            name="curve",
            title="Cumulative share of raw scores",
            desc="Cuts and shares are in the tables of this page.",
            axis="raw score",
            cuts=_cut_texts(shown),
        ),
        "groups": [
            (group, len(values), float(np.median(values))) for group, values in groups.items() if values
        ],
        "has_people": len(groups) > 1,
    }


def _groups(scored: Sequence[Scored]) -> dict[str, list[float]]:
    """Group the scores by people's grade; one group if people gave no grades."""
    by_grade = {
        f"people {grade}": [each.raw_score for each in scored if each.people == grade] for grade in GRADES
    }
    return by_grade if any(by_grade.values()) else {"all": [each.raw_score for each in scored]}


def _cut_texts(shown: Alternative) -> dict[str, float]:
    texts = (f"{low} | {low + 1}" for low in GRADES)
    return {text: cut for text, cut in zip(texts, shown.cuts, strict=False) if isfinite(cut)}


def _grade_rows(shown: Alternative, pair_count: int) -> list[dict[str, Any]]:
    return [
        {"grade": grade, "count": count, "share": count / pair_count}
        for grade, count in zip(GRADES, shown.grade_counts, strict=True)
    ]
