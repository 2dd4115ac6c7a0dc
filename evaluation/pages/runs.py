"""The list of a task's runs, with filters, values and a way to compare."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from evaluation.access.people import User
from evaluation.qrels.models import Qrels
from evaluation.runs.families import Family
from evaluation.runs.models import Run, RunState
from evaluation.topic_pages.lookups import visible_topics
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from evaluation.values.actions import shown_measures
from evaluation.values.board import means_of, qrels_to_choose, scored_runs


@require_safe
def run_list(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """List uploads: a team's own, all of them for organizers, the accepted ones after the release."""
    track_task = find_task(request, track, task)
    families = Family.objects.visible_to(request.user)
    visible = Run.objects.visible_to(request.user).filter(task=track_task).select_related("team")
    described = visible.prefetch_related(Prefetch("families", families, to_attr="visible_families"))
    every = list(described.order_by("team__name", "tag", "received_at"))
    runs = [run for run in every if _is_wanted(run, request.GET)]
    qrels, measure, values = _values(track_task, request.user)
    context = {
        "task": track_task,
        "runs": runs,
        "rows": [(run, values.get(run.pk)) for run in runs],
        "qrels": qrels,
        "measure": measure,
        "filters": [(name, request.GET.get(name), values) for name, values in _choices(every)],
        "is_filtered": len(runs) < len(every),
        "compared": _comparison(track_task, request.user),
        "is_organizer": Task.objects.organized_by(request.user).contains(track_task),
    }
    return render(request, "evaluation/runs/run_list.html", context)


def _is_wanted(run: Any, asked: Mapping[str, str]) -> bool:
    properties = {"team": {run.team.name}, "family": {family.name for family in run.visible_families}}
    properties["state"] = {run.state}
    return all(not asked.get(name) or asked[name] in values for name, values in properties.items())


def _choices(runs: Sequence[Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the values of each filter that has several, with their words."""
    choices = {
        "team": {run.team.name: run.team.name for run in runs},
        "family": {family.name: family.name for run in runs for family in run.visible_families},
        "state": {run.state: str(RunState(run.state).label) for run in runs},
    }
    return [(name, sorted(values.items())) for name, values in choices.items() if len(values) > 1]


def _values(task: Task, reader: User | AnonymousUser) -> tuple[Qrels | None, str, dict[int, float | None]]:
    """Return the newest visible qrels, people's first, and the leaderboard's first measure with its means."""
    choices = qrels_to_choose(task, reader)
    if not choices:
        return None, "", {}
    measure = shown_measures(task)[0]
    means = means_of(choices[0], scored_runs(choices[0], reader), [measure])
    return choices[0], measure, {run: by_measure.get(measure) for run, by_measure in means.items()}


def _comparison(task: Task, reader: User | AnonymousUser) -> str:
    """Return the address of the first topic, where runs are compared; empty for those who may not look."""
    if not Task.objects.explored_by(reader).contains(task):
        return ""
    number = visible_topics(task, reader).values_list("number", flat=True).first()
    address = reverse("topic_list", args=[task.track.slug, task.slug])
    return f"{address}?{urlencode({'number': number})}" if number else ""
