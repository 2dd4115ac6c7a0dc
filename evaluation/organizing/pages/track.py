"""Pages of a track, which archive it, too, and of a task's test collection."""

from django.conf import settings
from django.contrib import messages
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.collections.files import document_files
from evaluation.collections.models import Picture
from evaluation.organizing.pages.task_facts import dates_of, find_facts, front_of
from evaluation.platform.access.limits.views import post_view
from evaluation.platform.access.people import Membership, Role, organizes
from evaluation.platform.access.requests import SignedInRequest, error_shown
from evaluation.results.qrels.models import Qrels
from evaluation.results.reports.models import Report
from evaluation.submissions.runs.models import Run
from evaluation.submissions.teams.models import Invitation, Team
from evaluation.tracks.announcements.models import Announcement
from evaluation.tracks.archiving import Archiving, archive_track, obstacle_of, restore_track
from evaluation.tracks.lookups import find_organized_track, find_task, find_track
from evaluation.tracks.models import Task, Track
from evaluation.tracks.work.table_rows import count_rows
from trackside.text.latex import bibtex

NEWS = 20  # announcements on the page, newest first


@require_safe
def track_detail(request: HttpRequest, track: str) -> HttpResponse:
    """Show the visible tasks, dates and data; to organizers also teams, members and open invitations."""
    track_row = find_track(request, track)
    tasks = list(Task.objects.visible_to(request.user).with_phase().filter(track=track_row).order_by("name"))
    facts = find_facts(tasks, request.user)
    front = front_of(tasks)
    zone = front.time_zone if front else "UTC"
    released = [fact.task for fact in facts.values() if fact.has_collection]
    context = {
        "track": track_row,
        "facts": list(facts.values()),
        "front": facts[front.pk] if front else None,
        "dates": dates_of(tasks, zone=zone),
        "zone": zone,
        "news": Announcement.objects.visible_to(request.user).filter(track=track_row)[:NEWS],
        "pictures": Picture.objects.on_the_front(request.user, [track_row]),
        "has_data": any(fact.has_topics or fact.has_collection for fact in facts.values()),
        "qrels": Qrels.objects.filter(task__in=released).current().select_related("task"),
        "is_organizer": organizes(request.user, track_row.pk),
        "archiving": Archiving.objects.filter(track=track_row).first(),
    }
    if request.user.is_authenticated:
        context["own_teams"] = Team.objects.of_member(request.user).filter(track=track_row)
        context["is_assessor"] = Track.objects.with_member(request.user, Role.ASSESSOR).contains(track_row)
    context["takes_teams"] = Task.objects.taking_runs_at(Now()).filter(track=track_row).exists()
    if context["is_organizer"]:
        members = Membership.objects.filter(track=track_row).select_related("user", "team", "track")
        context |= {
            "teams": Team.objects.filter(track=track_row).prefetch_related("memberships__user"),
            "organizers": members.filter(role=Role.ORGANIZER),
            "assessors": members.filter(role=Role.ASSESSOR),
            "obstacle": obstacle_of(track_row),
            "invitations": Invitation.objects.filter(track=track_row).open().order_by("expires_at"),
        }
    return render(request, "evaluation/pages/track_detail.html", context)


def find_collection(request: HttpRequest, track: str, task: str) -> Task:
    """Return the task whose test collection the person may see, or raise Http404."""
    found = find_task(request, track, task)
    is_organizer = organizes(request.user, found.track_id)
    if not is_organizer and not Task.objects.released_to(request.user).contains(found):
        raise Http404
    return found


@require_safe
def collection_release(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show topics, qrels, published runs, licence and citation; organizers see it before the release."""
    track_task = find_collection(request, track, task)
    is_organizer = organizes(request.user, track_task.track_id)
    context = {
        "task": track_task,
        "is_organizer": is_organizer,
        "is_released": track_task.has_open_results,
        "topic_count": track_task.topics.active().count(),
        "document_count": count_rows(track_task.collection.documents.all()),
        "files": document_files(track_task.collection),
        "has_pictures": track_task.topics.active().filter(image__isnull=False).exists(),
        "qrels": Qrels.objects.filter(task=track_task).current(),
        "runs": _runs(track_task),
        "report": Report.objects.visible_to(request.user).filter(task=track_task).first(),
        "citation": track_task.track.citation or _citation(track_task),
    }
    return render(request, "evaluation/pages/collection_release.html", context)


def _runs(task: Task) -> list[Run]:
    if not task.track.has_public_runs or task.is_practice:
        return []
    return list(Run.objects.accepted().filter(task=task).select_related("team", "upload").order_by("tag"))


def _citation(task: Task) -> str:
    page = settings.SITE_URL + reverse("collection_release", args=[task.track.slug, task.slug])
    return bibtex(
        key=f"{task.track.slug}-{task.slug}",
        title=f"{task.track}: {task.name}",
        year=task.track.year,
        address=page,
        doi=task.track.doi,
    )


@post_view("change")
def track_archive(request: SignedInRequest, track: str) -> HttpResponse:
    """Archive a finished track; organizers only."""
    track_row = find_organized_track(request, track)
    with error_shown(request):
        archive_track(track=track_row, by=request.user)
        messages.success(request, f"{track_row} is archived.")
    return redirect("track_detail", track)


@post_view("change")
def track_restore(request: SignedInRequest, track: str) -> HttpResponse:
    """Restore an archived track; organizers only."""
    track_row = find_organized_track(request, track)
    restore_track(track=track_row, by=request.user)
    messages.success(request, f"{track_row} is restored. It can be changed again.")
    return redirect("track_detail", track)
