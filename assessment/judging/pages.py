"""Pages of an assessor: topics, items, and the judging screen."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assessment.assigning.lookups import (
    find_assignment,
    find_open_assignment,
    find_open_document,
    redirect_onwards,
)
from assessment.judging.news import news_asked, own_news
from assessment.judging.screen import (
    day_line,
    own_context,
    own_record,
    place_contents,
    veiled_places,
    work_done,
)
from assessment.models.assignment import Assignment, AssignmentQuerySet
from assessment.models.feedback import Feedback
from assessment.models.marks import CannotJudge
from assessment.models.plan import JudgingPlan
from assessment.models.slot import Slot
from assessment.surface.context import item_context, judging_page, topic_context, work_keys
from assessment.training.actions import find_training, tasks_to_train_for
from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.models import Topic
from evaluation.platform.access.people import User
from evaluation.platform.access.requests import SignedInRequest
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Phase, Task
from trackside.criteria import NOMINAL
from trackside.figures.shades import Shade, shade_of

NO_CONTENT = {"image": None, "image_count": 0, "title": ""}  # of a deleted document
MOST_DIGITS = 9  # of a place: all numbers of nine digits fit the database column


WORKER = Path(__file__).parents[1] / "static" / "assessment" / "worker.js"


@require_safe
def judging_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker of the whole site: it must see requests to sign in and out."""
    headers = {"Service-Worker-Allowed": "/", "Cache-Control": "no-cache"}
    return HttpResponse(WORKER.read_bytes(), content_type="text/javascript", headers=headers)


@judging_page
def judging_list(request: SignedInRequest) -> HttpResponse:
    """List the user's assignments and trainings by task, with progress and links to continue."""
    assignments = Assignment.objects.held_by(request.user)
    queued = Slot.objects.queued_pools(request.user)
    tasks = Task.objects.filter(
        Q(pools__assignments__in=assignments)
        | Q(pools__in=queued)
        | Q(pk__in=tasks_to_train_for(request.user).values("pk"))
        | Q(feedback__in=Feedback.objects.open_to(request.user))
    ).distinct()
    sections = [
        _section(task, assignments.filter(pool__task=task), queued.filter(task=task), request.user)
        for task in tasks.with_phase().select_related("track").order_by("-judging_at", "pk")
    ]
    work = work_done(request.user)
    told = set(Feedback.objects.open_to(request.user).values_list("task", flat=True))
    for section in sections:
        section["has_feedback"] = section["task"].pk in told
        section["done"] = done = work.get(section["task"].pk)
        left = section["item_count"] - section["judged_count"]
        section["time_left"] = done.time_for(left) if done and left else ""
    context = {"sections": sections, "today": day_line(request.user)}
    return render(request, "assessment/judging/judging_list.html", context)


def _section(
    task: Task, assignments: AssignmentQuerySet, queued: QuerySet[Pool], assessor: User
) -> dict[str, Any]:
    topics = {topic.number: topic for topic in Topic.objects.filter(task=task).select_related("image")}
    roles = ChosenFields.objects.topic_roles(task.pk)
    rows = list(assignments.with_own_progress().order_by("pool__created_at", "topic"))
    queue = Slot.objects.filter(pool__in=queued).free_for(assessor) if task.phase == Phase.JUDGING else None
    state = find_training(task=task, assessor=assessor)
    return {
        "task": task,
        "rows": [(row, topics[row.topic], topics[row.topic].shown(roles).digest) for row in rows],
        "judged_count": sum(row.judged_count for row in rows),
        "item_count": sum(row.item_count for row in rows) + (queue.item_count() if queue else 0),
        "queued": queued if task.phase == Phase.JUDGING else [],
        "training": state,
        "is_training_shown": task.phase != Phase.RELEASED and (state.waiting or state.has_exam),
        "lease_minutes": JudgingPlan.objects.of(task).lease_minutes,
    }


@judging_page
def judging_resume(request: SignedInRequest, assignment: int) -> HttpResponse:
    """Redirect to the topic's first unjudged item, or to the list of its items if all are judged."""
    own_assignment = find_open_assignment(request, assignment)
    return redirect_onwards(own_assignment, after=0)


@judging_page
def judging_items(request: SignedInRequest, assignment: int) -> HttpResponse:
    """List the topic's items in order of display, with links to each of them.

    An item that is to be judged again is left out, so that its first grade is not in view then.
    ``?show=`` filters by mark: a grade, "nominal" for the answer beside the grades, "none" for a reason,
    "open" for unjudged items, "flagged" and "commented" ones. ``?q=`` searches in own comments and in titles.
    ``?place=`` redirects to that item.
    """
    own_assignment = find_open_assignment(request, assignment)
    place = request.GET.get("place", "")
    is_number = place.isdecimal() and len(place) <= MOST_DIGITS
    if is_number and own_assignment.items.filter(place=int(place)).exists():
        return redirect("judging_item", assignment, int(place))
    history, remarks = own_record(own_assignment)
    current = {event["place"]: event for event in history}
    open_places = set(own_assignment.open_places())
    count = own_assignment.items.count()
    left_out, without_content = veiled_places(own_assignment, open_places)
    contents = place_contents(own_assignment, without=without_content)
    words = request.GET.get("q", "").strip()
    criteria = Criteria.objects.current(own_assignment.pool.task)
    rows = [
        {
            "place": place,
            **contents.get(place, NO_CONTENT),
            "judgment": current.get(place),
            "shade": _shade(current.get(place), criteria.scale),
            "answer": _answer(current.get(place), criteria),
            "said": remarks.get(place),
            "is_open": place in open_places,
        }
        for place in range(1, count + 1)
        if place not in left_out
    ]
    filters = _filters(rows, criteria)
    kind = request.GET.get("show", "")
    context = topic_context(own_assignment.pool.task, own_assignment.topic) | {
        "assignment": own_assignment,
        "rows": [row for row in rows if (not kind or kind in _kinds(row)) and _has(row, words)],
        "sought": words,
        "item_count": count,
        "open_count": len(open_places),
        "filters": filters,
        "shown": kind,
        "missing": place,
    }
    return render(request, "assessment/judging/judging_items.html", context)


def _shade(judgment: Mapping[str, Any] | None, scale: Sequence[int]) -> Shade | None:
    """Return how the assessor's grade is shown; None without a grade."""
    mark = judgment["mark"] if judgment else None
    return shade_of(mark, scale) if isinstance(mark, int) else None


def _answer(judgment: Mapping[str, Any] | None, criteria: Criteria) -> str:
    """Return the answer beside the grades in words; empty for other judgments."""
    mark = judgment["mark"] if judgment else None
    if not isinstance(mark, str) or not mark.startswith(NOMINAL):
        return ""
    return (criteria.nominal_name or gettext("no grade")) + mark.removeprefix(NOMINAL)


def _has(row: dict[str, Any], words: str) -> bool:
    """Return whether the row's comment or title contains the words, ignoring case."""
    texts = (row["title"], row["said"]["comment"] if row["said"] else "")
    return any(words.casefold() in text.casefold() for text in texts)


def _kinds(row: dict[str, Any]) -> list[str]:
    """Return the filters that match a row; none matches an unjudged item that needs no judgment."""
    remark = row["said"] or {"comment": "", "is_flagged": False}
    names = {"flagged": remark["is_flagged"], "commented": remark["comment"]}
    kinds = [name for name, is_so in names.items() if is_so]
    if row["judgment"] is None:
        return ["open", *kinds] if row["is_open"] else kinds
    mark = row["judgment"]["mark"]
    if row["answer"]:
        return [NOMINAL, *kinds]
    return [str(mark) if isinstance(mark, int) else "none", *kinds]


def _filters(rows: Sequence[dict[str, Any]], criteria: Criteria) -> list[tuple[str, str, int]]:
    """Return each filter with its label and its number of items."""
    counts = Counter(kind for row in rows for kind in _kinds(row))
    names = [
        ("open", gettext("Not yet")),
        *((str(grade), gettext("Grade {grade}").format(grade=grade)) for grade in criteria.scale),
        *([(NOMINAL, criteria.nominal_name)] if criteria.nominal_name else []),
        ("none", gettext("Cannot judge")),
        ("flagged", gettext("Flagged")),
        ("commented", gettext("Commented")),
    ]
    return [("", gettext("All"), len(rows)), *((kind, words, counts[kind]) for kind, words in names)]


@judging_page
def judging_item(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Show one item beside its topic; works as a plain form without scripts."""
    own_assignment = find_open_assignment(request, assignment)
    document = find_open_document(request, assignment, place)
    context = topic_context(own_assignment.pool.task, own_assignment.topic) | item_context(document, place)
    context |= own_context(own_assignment, place) | {
        "assignment": own_assignment,
        "reasons": CannotJudge.choices,
        "list_url": reverse("judging_items", args=[own_assignment.pk]),
        "judgment_url": reverse("judgment_record", args=[own_assignment.pk, place]),
        "back_url": reverse("judging_item", args=[own_assignment.pk, max(place - 1, 1)]),
        "key_sets": work_keys(context["criteria"]),
    }
    return render(request, "assessment/judging/judging_item.html", context)


@login_required
@never_cache
@require_safe
def judging_status(request: SignedInRequest, assignment: int) -> JsonResponse:
    """Tell an open screen whether it may go on: "open", "paused", "withdrawn" or "ended"."""
    own_assignment = find_assignment(request, assignment)
    if own_assignment.ended_at:
        return JsonResponse({"status": "withdrawn"})
    if not Task.objects.in_judging().filter(pools=own_assignment.pool_id).exists():
        return JsonResponse({"status": "ended"})
    return JsonResponse({"status": "paused" if own_assignment.paused_at else "open"})


@judging_page
def judging_content(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Return the part of the screen that changes with the item, and with ``?since=`` the assessor's news."""
    document = find_open_document(request, assignment, place)
    news = news_asked(request, lambda since: own_news(find_open_assignment(request, assignment), since))
    return render(request, "assessment/surface/content.html", item_context(document, place) | news)
