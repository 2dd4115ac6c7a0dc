"""Pages of runs: the list with filters and values, and an upload with its check, verdict and values."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from evaluation.platform.access.people import User, organizes
from evaluation.results.qrels.models import Qrels
from evaluation.results.topic_pages.lookups import visible_topics
from evaluation.results.values.actions import shown_measures
from evaluation.results.values.leaderboard import means_of, qrels_to_choose, scored_runs
from evaluation.results.values.run_values import read_values
from evaluation.submissions.pools.actions import unpooled_runs
from evaluation.submissions.runs.editing import REASON_MAX, may_edit, may_withdraw
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.lookups import find_run
from evaluation.submissions.runs.models import Run, RunState
from evaluation.submissions.runs.notes import NOTE_MAX, RunNote
from evaluation.submissions.runs.receiving import may_submit
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from trackside.checks import FaultCode, Verdict
from trackside.figures.svg.bars import counts_svg


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
        "is_organizer": organizes(request.user, track_task.track_id),
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


NOTHING_NEW = 204


@require_safe
def run_detail(request: HttpRequest, track: str, task: str, run: int) -> HttpResponse:
    """Show a run; answer htmx polls with 204, or with a page reload when the check is done."""
    task_run = find_run(request, track, task, run)
    is_checking = task_run.state == RunState.RECEIVED
    if request.headers.get("HX-Request"):
        return HttpResponse(status=NOTHING_NEW) if is_checking else HttpResponseClientRefresh()
    of_task = find_task(request, track, task)
    context = {
        "task": of_task,
        "run": task_run,
        "is_checking": is_checking,
        "families": Family.objects.visible_to(request.user).filter(runs=task_run),
        "offers_file": task_run.has_file,
        "values": read_values(of_task, task_run, request.user, request.GET),
        "gone": list(of_task.topics.gone().values_list("number", flat=True)),
    }
    if task_run.is_opened:
        context |= _upload(task_run, request.user)
    return render(request, "evaluation/pages/run_detail.html", context)


def _upload(run: Run, person: User | AnonymousUser) -> dict[str, Any]:
    is_organizer = organizes(person, run.task.track_id)
    context: dict[str, Any] = {
        "shows_upload": True,
        "may_recheck": is_organizer,
        "is_unpooled": is_organizer and unpooled_runs(run.task).filter(pk=run.pk).exists(),
        "first_topic": _first_topic(run, person),
        "may_withdraw": may_withdraw(person, run),
        "reason_max": REASON_MAX if is_organizer else None,
        "may_edit": may_edit(run),
        "may_confirm": isinstance(person, User) and may_submit(person, run.team, run.task),
        "replies": _replies(run),
        "versions": _versions(run),
        "notes": RunNote.objects.visible_to(person).filter(run=run).select_related("written_by"),
        "note_max": NOTE_MAX if is_organizer else None,
    }
    if run.verdict:
        verdict = run.verdict.content
        ties = (fault for fault in verdict["warnings"] if fault["code"] == FaultCode.TIED_SCORES)
        context |= {"verdict": verdict, "summary": verdict["summary"], "ties": next(ties, None)}
        codes = {warning["code"] for warning in verdict["warnings"]}
        context["is_upside_down"] = FaultCode.UPSIDE_DOWN in codes
        context["ids"] = Verdict.from_json(verdict).ids
        if results := verdict["summary"]["results"]:
            context["results_svg"] = counts_svg(
                results,
                name="results",
                title="Results for each topic",
                desc="One bar a topic; its height is the number of results.",
            )
    return context


def _first_topic(run: Run, person: User | AnonymousUser) -> int | None:
    """Return the primary key of the first topic whose page shows the run's results to the person."""
    if run.state != RunState.ACCEPTED or not Task.objects.explored_by(person).contains(run.task):
        return None
    return visible_topics(run.task, person).values_list("pk", flat=True).first()


def _replies(run: Run) -> list[tuple[str, str]]:
    """Return (question, reply) of each answered question."""
    questions = SubmissionQuestion.objects.filter(task=run.task_id, name__in=run.replies)
    return [(question.text, run.replies[question.name]) for question in questions]


def _versions(run: Run) -> list[Run]:
    """Return the team's accepted uploads of the run's tag, newest first; empty if there is only one."""
    of_tag = Run.objects.filter(task=run.task_id, team=run.team_id, tag=run.tag).exclude(tag="")
    versions = list(of_tag.order_by("-received_at"))
    return versions if len(versions) > 1 else []
