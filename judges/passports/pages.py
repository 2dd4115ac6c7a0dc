"""The passport of a judge: its page, its JSON, and both beside the judge's row in a report."""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from evaluation.platform.access.limits.views import form_view, page_view
from evaluation.platform.access.requests import SignedInRequest, error_in
from evaluation.results.reports.models import Report
from evaluation.results.reports.passports import Passports, register_passports
from evaluation.results.values.leaderboard import TYPES, as_file
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.models import Task
from judges.catalogue.models import Judge
from judges.jobs.forms import ProbeForm
from judges.jobs.models import Job
from judges.jobs.probing import ProbeEstimate, estimate_probe, start_probe
from judges.passports.building import is_of, latest_report, passport_of, qrels_of
from judges.passports.facts import Passport
from trackside.errors import InputError
from trackside.figures.svg.reliability import reliability_svg
from trackside.judging.costs import amount, duration_words
from trackside.judging.encoding import unseen_warnings
from trackside.judging.perturbing import change_of


@page_view
def judge_passport(request: SignedInRequest, track: str, task: str, judge: int) -> HttpResponse:
    """Show all that is known of the judge on the task, and how to get what is not."""
    track_task, task_judge = find_judge(request, track, task, judge)
    passport = passport_of(judge=task_judge, task=track_task, report=latest_report(track_task))
    jobs = Job.objects.of_pools().filter(judge=task_judge, pool__task=track_task).select_related("pool")
    probe = Job.objects.probes().unfinished().filter(judge=task_judge, pool__task=track_task).first()
    context = {"task": track_task, "judge": task_judge, "passport": passport, "jobs": jobs, "probe": probe}
    return render(request, "judges/passports/passport.html", context | _drawn(passport))


@page_view
def judge_passport_file(request: SignedInRequest, track: str, task: str, judge: int) -> HttpResponse:
    """Send the passport as JSON."""
    track_task, task_judge = find_judge(request, track, task, judge)
    passport = passport_of(judge=task_judge, task=track_task, report=latest_report(track_task))
    return as_file(_text(passport), TYPES["json"], f"{track}-{task}-{task_judge}.json")


@form_view()
def judge_probe(request: SignedInRequest, track: str, task: str, judge: int) -> HttpResponse:
    """Show what each probe of the judge would ask and cost at most, and start the chosen ones in a budget."""
    track_task, task_judge = find_judge(request, track, task, judge)
    form = ProbeForm(request.POST or None)
    if "count" not in request.POST and form.is_valid():
        with error_in(form):
            job = start_probe(judge=task_judge, task=track_task, by=request.user, **form.order)
            return redirect("job_detail", track, task, job.pk)
    context: dict[str, Any] = {"task": track_task, "judge": task_judge, "form": form}
    try:
        estimate = estimate_probe(judge=task_judge, task=track_task)
    except InputError as error:
        context["refusal"] = str(error)
    else:
        ticked = request.POST.getlist("probes") or estimate.usual
        context |= {"facts": _facts(estimate, ticked), "rows": _rows(estimate, ticked)}
    return render(request, "judges/passports/probe.html", context)


def _facts(estimate: ProbeEstimate, ticked: Sequence[str]) -> dict[str, str]:
    """Return the sample, and what the ticked probes ask and cost, as text by label."""
    prices = estimate.chosen(ticked)
    request_count = sum(price.request_count for price in prices)
    requests = f"{request_count:,} at most; one that fails is tried three times" if request_count else "none"
    bounds = [price.bound_micros for price in prices]
    unpriced = "not counted: the price table has no price of the model"
    return {
        "Pairs": f"{estimate.pair_count:,}",
        "Compared with": estimate.people or "its own grades, because people's are not published",
        "Requests": requests,
        "Cost at most": unpriced if None in bounds else amount(sum(bound or 0 for bound in bounds)),
    }


def _rows(estimate: ProbeEstimate, ticked: Sequence[str]) -> list[dict[str, Any]]:
    """Return each probe with what it changes, what it asks and costs at most, and whether it is ticked."""
    return [
        {
            "price": price,
            "change": change_of(price.name),
            "is_ticked": price.code in ticked and not price.refusal,
            "cost": "" if price.bound_micros is None else amount(price.bound_micros),
        }
        for price in estimate.prices
        if price.code
    ]


def find_judge(request: HttpRequest, track: str, task: str, judge: int) -> tuple[Task, Judge]:
    """Return the task and a judge that it may use or has used, if the user organizes it; else raise 404."""
    track_task = find_judged_task(request, track, task)
    return track_task, get_object_or_404(Judge.objects.of_track(track_task.track), pk=judge)


def _drawn(passport: Passport) -> dict[str, Any]:
    """Return what the page shows of the numbers: the curve, money and time in words, and warnings."""
    rate, known = passport.rate, passport.calibration
    return {
        "curve": known
        and reliability_svg(
            known.bins,
            name="reliability",
            title=f"{passport.judge}: chances of grade {known.level} or above against people's grades",
            across="chance",
            up=f"share that people grade {known.level} or above",
        ),
        "probes_cost": amount(passport.probes.cost_micros) if passport.probes else "",
        "cost": amount(round(rate.cost_micros)) if rate and rate.cost_micros is not None else "",
        "time": duration_words(timedelta(seconds=rate.seconds)) if rate and rate.seconds is not None else "",
        "text_warnings": unseen_warnings(passport.cut) if passport.cut else (),
    }


def _text(passport: Passport) -> str:
    return json.dumps(passport.to_json(), ensure_ascii=False, indent=1) + "\n"


def _judges_of(report: Report) -> Iterator[Judge]:
    """Yield the judges whose grades the report compares."""
    rows = {row.name: row.provenance for row in qrels_of(report)}
    for judge in Judge.objects.of_track(report.task.track).filter(name__in=rows):
        if is_of(judge, rows[judge.name]):
            yield judge


def _addresses(report: Report) -> dict[str, str]:
    names = report.task.track.slug, report.task.slug
    return {judge.name: reverse("judge_passport", args=[*names, judge.pk]) for judge in _judges_of(report)}


def _files(report: Report) -> Iterator[tuple[str, str]]:
    for judge in _judges_of(report):
        passport = passport_of(judge=judge, task=report.task, report=report)
        yield f"passports/{judge.name}.json", _text(passport)


def register() -> None:
    """Register the passports of a report's judges. Called when Django starts."""
    register_passports(Passports(_addresses, _files))
