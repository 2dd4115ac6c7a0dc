"""Pages to create a track or a task, to set its dates and guidelines, to open and to release it."""

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from evaluation.collections.forms import PictureForm
from evaluation.collections.storing import read_picture
from evaluation.organizing.setup.actions import (
    add_picture,
    confirm_release,
    made_public,
    open_now,
    shared_words,
    unsafe,
)
from evaluation.organizing.setup.forms import (
    GuidelinesForm,
    SharingForm,
    TaskBeginForm,
    TrackBeginForm,
    TrackFileForm,
)
from evaluation.organizing.setup.practice import copy_topics
from evaluation.organizing.setup.scale import PRESETS
from evaluation.organizing.setup.steps import (
    Stage,
    after_saving,
    first_open_step,
    needs_of,
    render_step,
    stages_of,
    wizard_context,
)
from evaluation.organizing.track_files.track_file import copy_settings, create_track, export_track
from evaluation.platform.access.limits.views import form_view, page_view, post_view
from evaluation.platform.access.requests import SignedInRequest, error_in
from evaluation.platform.web.opened_forms import OPENED, atomic_post
from evaluation.tracks.actions import begin_task, begin_track
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.forms import TaskDatesForm
from evaluation.tracks.lookups import find_judged_task, find_organized_task, find_organized_track
from evaluation.tracks.models import Task, TaskKind, Track
from trackside.errors import InputError
from trackside.figures.timeline import Timeline, TimeSpan, timeline

SHARING = "documents"  # prefix of the fields about these
SPANS = {
    "Submissions": ("opens_at", "closes_at"),
    "Closed": ("closes_at", "judging_at"),
    "Judging": ("judging_at", "releases_at"),
}


@form_view()
def track_begin(request: SignedInRequest) -> HttpResponse:
    """Make a track and its first task; for the site's staff."""
    if not request.user.is_superuser:
        raise Http404
    form = TrackBeginForm(request.POST or None, by=request.user)
    if form.is_valid():
        try:
            with transaction.atomic():
                year = form.cleaned_data["year"]
                track = begin_track(
                    name=form.cleaned_data["name"], slug=form.track_slug, year=year, by=request.user
                )
                task = _begin(track, form, request)
        except InputError as error:
            form.add_error(None, str(error))
        except ValidationError as error:
            form.add_error("name", error.messages[0])
        else:
            return redirect("setup_dates", track.slug, task.slug)
    return render(request, "evaluation/setup/begin.html", {"form": form, "file_form": TrackFileForm()})


@form_view()
def task_begin(request: SignedInRequest, track: str) -> HttpResponse:
    """Make a task in a track."""
    own_track = find_organized_track(request, track)
    form = TaskBeginForm(request.POST or None, by=request.user)
    if form.is_valid():
        with error_in(form):
            with transaction.atomic():
                task = _begin(own_track, form, request)
            return redirect("setup_dates", track, task.slug)
    return render(request, "evaluation/setup/begin.html", {"form": form, "track": own_track})


def _begin(track: Track, form: TaskBeginForm, request: SignedInRequest) -> Task:
    """Create the task with the settings of another one, or with a preset of grades."""
    name, kind = form.cleaned_data["task_name"], TaskKind(form.cleaned_data["kind"])
    is_practice = form.cleaned_data["is_practice"]
    task = begin_task(track=track, name=name, slug=form.task_slug, kind=kind, is_practice=is_practice)
    if source := form.cleaned_data["source"]:
        copy_settings(source=source, target=task, by=request.user)
        if is_practice:
            copy_topics(source=source, practice=task, by=request.user)
    elif preset := form.cleaned_data["preset"]:
        Criteria.objects.filter(task=task).update(grades=PRESETS[preset][1])
    return task


@post_view()
def track_create(request: SignedInRequest) -> HttpResponse:
    """Create a track from a file, which the page for new tracks sends; for the site's staff."""
    if not request.user.is_superuser:
        raise Http404
    form = TrackFileForm(request.POST, request.FILES)
    faults: list[Any] = []
    if form.is_valid():
        created = create_track(text=form.cleaned_data["file"], by=request.user)
        if created.track and not created.faults:
            return redirect("track_detail", created.track.slug)
        faults = created.faults
    context = {"form": TrackBeginForm(by=request.user), "file_form": form, "faults": faults}
    return render(request, "evaluation/setup/begin.html", context)


@page_view
def track_file(request: SignedInRequest, track: str) -> HttpResponse:
    """Send the track as a file that creates a track, here or on another site."""
    own_track = find_organized_track(request, track)
    return HttpResponse(
        export_track(own_track),
        content_type="application/toml; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{own_track.slug}.toml"'},
    )


@page_view
def setup(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Redirect to the first step in which something is missing."""
    return redirect(first_open_step(find_organized_task(request, track, task)).link)


@form_view()
@atomic_post
def setup_dates(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Set the dates, and show them on a timeline."""
    track_task = find_organized_task(request, track, task)
    form = TaskDatesForm(request.POST or None, instance=track_task)
    if form.is_valid():
        form.save()
        return after_saving(request, track_task, "dates")
    saved = find_organized_task(request, track, task)
    context = {
        "template": "evaluation/setup/dates.html",
        "form": form,
        "timeline": timeline_of(saved, SPANS),
        "zone": saved.time_zone,
    }
    return render_step(request, track_task, "dates", context)


def timeline_of(task: Task, spans: Mapping[str, tuple[str, str]]) -> Timeline | None:
    """Return the timeline of spans between two dates of the task, in its zone; None if no span is known."""
    zone = ZoneInfo(task.time_zone)
    stretches = [
        TimeSpan(name, start.astimezone(zone), end.astimezone(zone))
        for name, (first, last) in spans.items()
        if (start := getattr(task, first)) and (end := getattr(task, last)) and start < end
    ]
    return timeline(stretches, now=timezone.now().astimezone(zone)) if stretches else None


@form_view()
@atomic_post
def setup_guidelines(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Write the guidelines, and show them as readers see them."""
    track_task = find_organized_task(request, track, task)
    is_picture = request.POST.get("act") == "picture"
    sent = None if is_picture else request.POST or None
    form = GuidelinesForm(sent, instance=track_task)
    documents = shared_words(track_task.collection)
    asked = sent if sent and f"{SHARING}-{OPENED}" in sent else None
    sharing = SharingForm(asked, instance=track_task.collection, prefix=SHARING)
    picture_form = PictureForm(request.POST, request.FILES) if is_picture else PictureForm()
    if is_picture and picture_form.is_valid() and _add_picture(track_task, picture_form):
        return redirect("setup_guidelines", track, task)
    bound = [each for each in (form, sharing) if each.is_bound]
    if bound and all(each.is_valid() for each in bound):
        for each in bound:
            each.save()
        return after_saving(request, track_task, "guidelines")
    context = {
        "template": "evaluation/setup/guidelines.html",
        "form": form,
        "sharing": sharing,
        "documents": documents,
        "picture_form": picture_form,
        "pictures": track_task.pictures.select_related("image"),
    }
    return render_step(request, track_task, "guidelines", context)


def _add_picture(task: Task, form: PictureForm) -> bool:
    sent = form.cleaned_data
    try:
        content = read_picture(file=sent["picture"])
        add_picture(task=task, name=sent["name"], content=content, credit=sent["credit"])
    except InputError as error:
        form.add_error(None, str(error))
        return False
    return True


@form_view()
def setup_open(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List what is missing at each stage, and open the task immediately if nothing is."""
    track_task = find_organized_task(request, track, task)
    needs = needs_of(wizard_context(track_task, "open")["steps"])
    missing = [need.text for need in needs if need.stage == Stage.OPEN]
    if request.method == "POST":
        try:
            open_now(task=track_task, missing=missing)
        except (InputError, ValidationError) as error:
            messages.error(request, str(error))
            return redirect("setup_open", track, task)
        messages.success(request, f"{track_task.name} is open for runs.")
        return redirect("task_detail", track, task)
    context = {
        "template": "evaluation/setup/open.html",
        "stages": [
            (stage, [need for need in needs if need.stage == stage]) for stage in stages_of(track_task)
        ],
        "missing": missing,
        "public": made_public(track_task) if track_task.is_practice else [],
    }
    return render_step(request, track_task, "open", context)


@form_view()
def setup_release(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List what makes the release unsafe and what becomes public, and release the task once confirmed."""
    track_task = find_judged_task(request, track, task)
    if request.method == "POST":
        try:
            words, is_at_its_date = request.POST.get("words", ""), request.POST.get("when") == "date"
            confirm_release(task=track_task, words=words, is_at_its_date=is_at_its_date)
        except InputError as error:
            messages.error(request, str(error))
            return redirect("setup_release", track, task)
        done = "will be released at its date" if is_at_its_date else "is released"
        messages.success(request, f"{track_task.name} {done}.")
        return redirect("task_detail", track, task)
    guards = unsafe(track_task)
    context = {"task": track_task, "guards": guards, "public": made_public(track_task)}
    context["warning_count"] = sum(guard.state != "ok" for guard in guards)
    context["is_date_ahead"] = track_task.releases_at is not None and track_task.releases_at > timezone.now()
    return render(request, "evaluation/setup/release.html", context)
