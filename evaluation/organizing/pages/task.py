"""The page of a task: description, dates, and next steps for each role."""

from collections import Counter
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.expressions import BaseExpression
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.collections.files import document_files
from evaluation.collections.models import Document, Topic, TopicState
from evaluation.organizing.pages.needs import organizer_needs
from evaluation.organizing.pages.task_facts import find_facts
from evaluation.organizing.setup.pages import SPANS, timeline_of
from evaluation.platform.access.people import Role, User, organizes, teams_of
from evaluation.results.qrels.models import Qrels
from evaluation.results.reports.models import Report
from evaluation.submissions.pools.models import Pool
from evaluation.submissions.runs.late_exceptions import LateException
from evaluation.submissions.runs.models import Run, RunQuerySet, RunState
from evaluation.submissions.runs.submission import with_submissions
from evaluation.submissions.teams.models import Team
from evaluation.tracks.archiving import Archiving
from evaluation.tracks.facts import CountOf, Facts, read_facts
from evaluation.tracks.inquiries.forms import QuestionForm
from evaluation.tracks.inquiries.models import Inquiry, tasks_to_ask_on
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task, TaskKind, Track
from evaluation.tracks.panels import panel_facts, panels_for
from evaluation.tracks.work import table_rows

LATEST = 3  # answered questions
STATES = ("bad", "warn", "")


@require_safe
def task_detail(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show the organizers' dashboard, a team's own runs or the public description."""
    track_task = find_task(request, track, task)
    facts, *of_panels = read_facts(track_task, [_page_facts, *panel_facts()])
    is_open = facts["takes_runs"]
    documents = track_task.collection.documents.all()
    context: dict[str, Any] = {
        "task": track_task,
        "takes_runs": is_open or _has_exception(track_task, request.user),
        "topic_count": facts["active_topics"],
        "draft_topic_count": facts["draft_topics"],
        "document_count": table_rows.row_count(documents, facts["documents"]),
    }
    panels = panels_for(track_task, request.user, of_panels) if request.user.is_authenticated else []
    context["panels"] = panels
    if organizes(request.user, track_task.track_id):
        context |= _dashboard(track_task, facts)
        needs = [*organizer_needs(track_task)]
        needs += [need for panel in panels for need in panel.context.get("needs", ())]
        context["needs"] = sorted(needs, key=lambda need: STATES.index(need.state))
    else:
        context |= _reader_view(track_task, request.user)
        assesses = Track.objects.with_member(request.user, Role.ASSESSOR).contains(track_task.track)
        context["may_join"] = is_open and not assesses and not context["teams"]
    return render(request, "evaluation/pages/task_detail.html", context)


def _page_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    topics = Topic.objects.filter(task=OuterRef("pk"))
    documents = Document.objects.filter(collection=OuterRef("collection"))
    reports = Report.objects.filter(task=OuterRef("pk")).order_by("-computed_at")
    return {
        "takes_runs": Exists(Task.objects.taking_runs_at(Now()).filter(pk=OuterRef("pk"))),
        "active_topics": CountOf(topics.filter(state=TopicState.ACTIVE)),
        "draft_topics": CountOf(topics.filter(state=TopicState.DRAFT)),
        "documents": CountOf(documents, most=table_rows.MOST_COUNTED + 1),
        "reported_at": Subquery(reports.values("computed_at")[:1]),
    }


def _has_exception(task: Task, person: User | AnonymousUser) -> bool:
    """Whether a team of the person may upload late."""
    if not teams_of(person):
        return False
    exceptions = LateException.objects.open_at(Now()).filter(task=task)
    return exceptions.filter(team__in=Team.objects.of_member(person)).exists()


def _dashboard(task: Task, facts: Facts) -> dict[str, Any]:
    runs = Run.objects.filter(task=task)
    qrels = Qrels.objects.filter(task=task).current()
    return {
        "is_organizer": True,
        "teams": with_submissions(Team.objects.filter(track=task.track), task),
        "exceptions": LateException.objects.open_at(Now()).filter(task=task).select_related("team"),
        "faults": _faults(runs),
        "pools": Pool.objects.filter(task=task).with_size(),
        "qrels": sorted(qrels, key=lambda version: (version.kind, version.name)),
        "timeline": timeline_of(task, {name: SPANS[name] for name in ("Submissions", "Judging")}),
        "reported_at": facts["reported_at"],
        **_count_runs(runs),
    }


def _count_runs(runs: RunQuerySet) -> dict[str, int]:
    is_accepted = Q(state=RunState.ACCEPTED)
    return runs.aggregate(
        upload_count=Count("pk"),
        accepted_count=Count("pk", filter=is_accepted),
        baseline_count=Count("pk", filter=is_accepted & Q(team__is_baseline=True)),
        team_count=Count("team", filter=is_accepted, distinct=True),
        checking_count=Count("pk", filter=Q(state=RunState.RECEIVED)),
        rejected_count=Count("pk", filter=Q(state=RunState.REJECTED)),
        late_count=Count("pk", filter=Q(is_late=True)),
    )


def _faults(runs: RunQuerySet) -> list[tuple[str, int, int]]:
    """Return (title, uploads, lines) of each kind of fault in rejected uploads, most frequent first."""
    uploads: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    titles = {}
    rejected = runs.filter(state=RunState.REJECTED).values_list("verdict__content__faults", flat=True)
    for fault in (fault for faults in rejected for fault in faults):
        titles[fault["code"]] = fault["title"]
        uploads[fault["code"]] += 1
        lines[fault["code"]] += fault["count"]
    return [(titles[code], count, lines[code]) for code, count in uploads.most_common()]


def _reader_view(task: Task, user: User | AnonymousUser) -> dict[str, Any]:
    teams = Team.objects.filter(track=task.track).of_member(user)
    runs = Run.objects.visible_to(user).filter(task=task, team__in=teams).select_related("team")
    explores = Task.objects.explored_by(user).contains(task)
    return {
        "files": document_files(task.collection) if explores else None,
        "is_organizer": False,
        "facts": find_facts([task], user)[task.pk],
        "teams": teams,
        "runs": runs.order_by("-received_at"),
        **_questions(task, user),
    }


def _questions(task: Task, user: User | AnonymousUser) -> dict[str, Any]:
    """Return the form of a question and the latest answered ones; empty for who may not ask."""
    if not tasks_to_ask_on(user).contains(task):
        return {}
    answered = Inquiry.objects.visible_to(user).filter(task=task, answered_at__isnull=False)
    is_archived = Archiving.objects.filter(track=task.track_id).exists()
    return {
        "inquiries": answered.order_by("-answered_at")[:LATEST],
        "question_form": None if is_archived else QuestionForm(),
        "may_ask": True,
    }
