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
from assessment.core.distribution import find_tone
from assessment.judging.screen import (
    day_line,
    own_context,
    own_record,
    place_contents,
    veiled_places,
    work_done,
)
from assessment.models.assignment import Assignment, AssignmentQuerySet
from assessment.models.judgment import CannotJudge
from assessment.models.plan import ExtraQuestion, JudgingPlan
from assessment.models.slot import Slot
from assessment.surface.context import item_context, topic_context, work_keys
from assessment.surface.views import judging_page
from assessment.training.actions import find_training, tasks_to_train_for
from evaluation.access.people import User
from evaluation.access.requests import SignedInRequest
from evaluation.collections.models import Topic
from evaluation.imports.models import ChosenFields
from evaluation.pools.models import Pool
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Phase, Task
from trackside.text.digest import make_digest

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
    own = Assignment.objects.held_by(request.user)
    queued = Slot.objects.queued_pools(request.user)
    tasks = Task.objects.filter(
        Q(pools__assignments__in=own)
        | Q(pools__in=queued)
        | Q(pk__in=tasks_to_train_for(request.user).values("pk"))
    ).distinct()
    sections = [
        _section(task, own.filter(pool__task=task), queued.filter(task=task), request.user)
        for task in tasks.with_phase().select_related("track").order_by("-judging_at", "pk")
    ]
    done = work_done(request.user)
    for section in sections:
        section["done"] = done.get(section["task"].pk)
    context = {"sections": sections, "today": day_line(request.user)}
    return render(request, "assessment/judging/judging_list.html", context)


def _section(
    task: Task, assignments: AssignmentQuerySet, queued: QuerySet[Pool], assessor: User
) -> dict[str, Any]:
    topics = {topic.number: topic for topic in Topic.objects.filter(task=task).select_related("image")}
    roles = ChosenFields.objects.topic_roles(task.pk)
    rows = list(assignments.with_progress().order_by("pool__created_at", "topic"))
    queue = Slot.objects.filter(pool__in=queued).free_for(assessor) if task.phase == Phase.JUDGING else None
    state = find_training(task=task, assessor=assessor)
    return {
        "task": task,
        "rows": [(row, topics[row.topic], make_digest(topics[row.topic].fields, roles)) for row in rows],
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
    found = find_open_assignment(request, assignment)
    return redirect_onwards(found, after=0)


@judging_page
def judging_items(request: SignedInRequest, assignment: int) -> HttpResponse:
    """List the topic's items in order of display, with links to each of them.

    An item that is to be judged again is left out, so that its first grade is not in view then.
    ``?show=`` filters by mark: a grade, "none" for a reason, "open" for unjudged items, "flagged" and
    "commented" ones. ``?q=`` searches in own comments and in titles. ``?place=`` redirects to that item.
    """
    found = find_open_assignment(request, assignment)
    place = request.GET.get("place", "")
    is_number = place.isdecimal() and len(place) <= MOST_DIGITS
    if is_number and found.items.filter(place=int(place)).exists():
        return redirect("judging_item", assignment, int(place))
    history, said = own_record(found)
    current = {each["place"]: each for each in history}
    open_places = set(found.open_places())
    count = found.items.count()
    left_out, without_content = veiled_places(found, open_places)
    contents = place_contents(found, without=without_content)
    sought = request.GET.get("q", "").strip()
    scale = Criteria.objects.current(found.pool.task).scale
    rows = [
        {
            "place": place,
            **contents.get(place, NO_CONTENT),
            "judgment": current.get(place),
            "tone": _tone(current.get(place), scale),
            "said": said.get(place),
            "is_open": place in open_places,
        }
        for place in range(1, count + 1)
        if place not in left_out
    ]
    filters = _filters(rows, scale)
    shown = request.GET.get("show", "")
    context = topic_context(found.pool.task, found.topic) | {
        "assignment": found,
        "rows": [row for row in rows if (not shown or shown in _kinds(row)) and _has(row, sought)],
        "sought": sought,
        "item_count": count,
        "open_count": len(open_places),
        "filters": filters,
        "shown": shown,
        "missing": place,
    }
    return render(request, "assessment/judging/judging_items.html", context)


def _tone(judgment: Mapping[str, Any] | None, scale: Sequence[int]) -> int | None:
    """Return the colour of the assessor's grade; None without a grade of the current scale."""
    mark = judgment["mark"] if judgment else None
    return find_tone(mark, scale) if isinstance(mark, int) and mark in scale else None


def _has(row: dict[str, Any], sought: str) -> bool:
    """Return whether the row's comment or title contains the words, ignoring case."""
    texts = (row["title"], row["said"]["comment"] if row["said"] else "")
    return any(sought.casefold() in text.casefold() for text in texts)


def _kinds(row: dict[str, Any]) -> list[str]:
    """Return the filters that match a row; none matches an unjudged item that needs no judgment."""
    said = row["said"] or {"comment": "", "is_flagged": False}
    names = {"flagged": said["is_flagged"], "commented": said["comment"]}
    kinds = [name for name, is_so in names.items() if is_so]
    if row["judgment"] is None:
        return ["open", *kinds] if row["is_open"] else kinds
    mark = row["judgment"]["mark"]
    return [str(mark) if isinstance(mark, int) else "none", *kinds]


def _filters(rows: Sequence[dict[str, Any]], scale: Sequence[int]) -> list[tuple[str, str, int]]:
    """Return each filter with its label and its number of items."""
    counts = Counter(kind for row in rows for kind in _kinds(row))
    names = [
        ("open", gettext("Not yet")),
        *((str(grade), gettext("Grade {grade}").format(grade=grade)) for grade in scale),
        ("none", gettext("Cannot judge")),
        ("flagged", gettext("Flagged")),
        ("commented", gettext("Commented")),
    ]
    return [("", gettext("All"), len(rows)), *((kind, words, counts[kind]) for kind, words in names)]


@judging_page
def judging_item(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Show one item beside its topic; works as a plain form without scripts."""
    found = find_open_assignment(request, assignment)
    document = find_open_document(request, assignment, place)
    context = topic_context(found.pool.task, found.topic) | item_context(document, place)
    context |= own_context(found, place) | {
        "assignment": found,
        "reasons": CannotJudge.choices,
        "list_url": reverse("judging_items", args=[found.pk]),
        "judgment_url": reverse("judgment_record", args=[found.pk, place]),
        "back_url": reverse("judging_item", args=[found.pk, max(place - 1, 1)]),
        "key_sets": work_keys(context["criteria"]),
        "questions": ExtraQuestion.objects.filter(task=found.pool.task),
    }
    return render(request, "assessment/judging/judging_item.html", context)


@login_required
@never_cache
@require_safe
def judging_status(request: SignedInRequest, assignment: int) -> JsonResponse:
    """Tell an open screen whether it may go on: "open", "paused", "withdrawn" or "ended"."""
    found = find_assignment(request, assignment)
    if found.ended_at:
        return JsonResponse({"status": "withdrawn"})
    if not Task.objects.in_judging().filter(pools=found.pool_id).exists():
        return JsonResponse({"status": "ended"})
    return JsonResponse({"status": "paused" if found.paused_at else "open"})


@judging_page
def judging_content(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Return the part of the judging screen that changes with the item, with the page's markup."""
    document = find_open_document(request, assignment, place)
    return render(request, "assessment/surface/content.html", item_context(document, place))
