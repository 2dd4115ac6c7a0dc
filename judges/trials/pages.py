"""The step of setting up in which judges are created from presets and tried, and prompts are compared."""

from django.contrib import messages
from django.contrib.postgres.expressions import ArraySubquery
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Q
from django.db.models.expressions import BaseExpression
from django.db.models.functions import JSONObject, Now
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django_htmx.http import HttpResponseClientRefresh

from evaluation.organizing.setup.steps import Need, Stage, Step, StepStatus, register_step, render_step
from evaluation.platform.access.limits.views import form_view, page_view, post_view
from evaluation.platform.access.people import User
from evaluation.platform.access.requests import SignedInRequest, error_in, error_shown
from evaluation.tracks.facts import CountOf, Facts
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.models import Task, TaskKind, Track
from judges.catalogue.actions import create_judge, retire_judge
from judges.catalogue.models import OF_TRACKS, Judge, JudgeQuerySet
from judges.jobs.budgets import check_maker, own_endpoints, set_endpoints
from judges.jobs.money import Budget
from judges.jobs.probing import probe_words
from judges.trials.actions import NothingToTry, ask_trial
from judges.trials.comparing import ask_comparison, shown_comparison
from judges.trials.examples import filled_settings
from judges.trials.forms import ComparisonForm, PresetJudgeForm
from judges.trials.models import FRESH, Comparison, Trial
from trackside.errors import InputError
from trackside.judging.examples import example_topics


def usable_judges(task: Task) -> JudgeQuerySet:
    """Return the judges in use that may judge in the task."""
    return _usable(TaskKind(task.kind), task.track)


def _usable(kind: TaskKind, track: Track | OuterRef) -> JudgeQuerySet:
    judges: JudgeQuerySet = Judge.objects.of_track(track).in_use()
    return judges.filter(task_kinds__contains=[kind]).exclude(backend__in=OF_TRACKS)


@form_view("trial")
def setup_judges(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List the judges with their trials; make one from a preset, which is tried at once.

    Staff make any judge of the site, organizers judges of their track at the endpoints that staff named.
    """
    track_task = find_judged_task(request, track, task)
    endpoints = own_endpoints(track_task.track)
    offered = None if request.user.is_superuser else endpoints
    form = PresetJudgeForm(request.POST or None, task=track_task, endpoints=offered)
    if request.method == "POST":
        if not (request.user.is_superuser or endpoints):
            raise PermissionDenied
        if form.is_valid() and _make(request, track_task, form):
            return redirect("setup_judges", track, task)
    trials = {trial.judge_id: trial for trial in Trial.objects.latest_of(track_task)}
    judges, probes = usable_judges(track_task), probe_words(track_task)
    context = {
        "template": "judges/trials/judges.html",
        "form": form,
        "endpoints": endpoints,
        "budget": Budget.objects.filter(track=track_task.track).first(),
        "rows": [(judge, trials.get(judge.pk), probes.get(judge.pk, "")) for judge in judges],
        "is_running": any(trial.is_running for trial in trials.values()),
    }
    return render_step(request, track_task, "judges", context)


def _make(request: SignedInRequest, task: Task, form: PresetJudgeForm) -> bool:
    values = form.cleaned_data
    try:
        settings = filled_settings(form.settings, task=task, lines=values["examples"], by=request.user)
        check_maker(track=task.track, settings=settings, by=request.user)
        is_of_site = request.user.is_superuser and not example_topics(settings.prompt)
        owner = None if is_of_site else task.track
        judge = create_judge(name=values["name"], settings=settings, by=request.user, track=owner)
    except InputError as error:
        form.add_error(None, str(error))
        return False
    messages.success(request, f"The judge {judge} is created.")
    try:
        ask_trial(judge=judge, task=task, by=request.user)
    except NothingToTry as error:
        messages.warning(request, str(error))
    return True


@post_view()
def judge_endpoints(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Name the endpoints at which the track's organizers may make judges; for staff."""
    track_task = find_judged_task(request, track, task)
    with error_shown(request):
        set_endpoints(track=track_task.track, endpoints=request.POST.get("endpoints", ""), by=request.user)
    return redirect("setup_judges", track, task)


@post_view()
def judge_retire(request: SignedInRequest, track: str, task: str, judge: int) -> HttpResponse:
    """Retire a judge of the track, or as staff one of the site."""
    retired = find_retirable(find_judged_task(request, track, task), judge, by=request.user)
    with error_shown(request):
        retire_judge(judge=retired, by=request.user)
    return redirect("setup_judges", track, task)


def find_retirable(task: Task, judge: int, *, by: User) -> Judge:
    """Return a judge that the person may retire, or raise Http404."""
    judges = usable_judges(task)
    return get_object_or_404(judges if by.is_superuser else judges.filter(track=task.track), pk=judge)


@post_view("trial")
def judge_try(request: SignedInRequest, track: str, task: str, judge: int) -> HttpResponse:
    """Try a judge on one pair."""
    track_task = find_judged_task(request, track, task)
    with error_shown(request):
        usable_judge = get_object_or_404(usable_judges(track_task), pk=judge)
        ask_trial(judge=usable_judge, task=track_task, by=request.user)
    return redirect("setup_judges", track, task)


@page_view
def trial_progress(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Answer htmx polls: that trials are running, or a page reload once all have ended."""
    track_task = find_judged_task(request, track, task)
    if not any(trial.is_running for trial in Trial.objects.latest_of(track_task)):
        return HttpResponseClientRefresh()
    return render(request, "judges/trials/progress.html", {"task": track_task})


@form_view("trial")
def prompts_compare(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Compare two versions of a prompt or of the criteria on the same pairs; show the latest comparison."""
    track_task = find_judged_task(request, track, task)
    form = ComparisonForm(request.POST or None, task=track_task, judges=usable_judges(track_task))
    if form.is_valid():
        with error_in(form):
            ask_comparison(**form.order, task=track_task, by=request.user)
            return redirect("prompts_compare", track, task)
    latest = Comparison.objects.filter(task=track_task).select_related("judge", "task").first()
    context = {"template": "judges/trials/comparison.html", "form": form, "comparison": latest}
    if latest and latest.ended_at and not latest.error:
        context |= shown_comparison(latest, request.user)
    return render_step(request, track_task, "judges", context)


def judges_facts(kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the number of usable judges, and the names of those whose latest trial worked or just failed."""
    judges_of_trials = _usable(kind, OuterRef(OuterRef("track"))).values("pk")
    trials = Trial.objects.latest_of(OuterRef("pk")).filter(judge__in=judges_of_trials)
    worked, failed = Q(result__gt=""), Q(error__gt="", asked_at__gt=Now() - FRESH)
    named = JSONObject(name="judge__name", has_worked=worked, has_failed=failed)
    judges = _usable(kind, OuterRef("track"))
    return {"judges": CountOf(judges), "trials": ArraySubquery(trials.values_list(named))}


def judges_status(_task: Task, facts: Facts) -> StepStatus:
    """Return the state: judges that worked in a trial, and fresh failed trials as needs."""
    count, trials = facts["judges"], facts["trials"]
    worked = sum(trial["has_worked"] for trial in trials)
    failed = [trial["name"] for trial in trials if trial["has_failed"]]
    needs = (Need(Stage.POOL, f"No answer from {', '.join(failed)} in the last trial."),) if failed else ()
    if not count:
        return StepStatus("none; models are optional", is_done=False)
    return StepStatus(f"{count} judge{'s' * (count > 1)}, {worked} tried", is_done=bool(worked), needs=needs)


def register() -> None:
    """Register the step. Called when Django starts."""
    register_step(Step(110, "judges", "Model judges", judges_status, facts=judges_facts))
