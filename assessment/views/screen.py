"""What the judging screen shows: an item, its topic, and what its assessor has judged so far.

Nothing here reads a run, a rank, a model's answer or what another person judged; it knows only that an item
is settled.
"""

from __future__ import annotations

import uuid
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from django.db.models import Aggregate, Count, FloatField, Sum
from django.urls import reverse
from django.utils import timezone

from assessment.core.digest import heading_of, make_digest
from assessment.core.distribution import make_distribution
from assessment.forms import REPLY
from assessment.models import CannotJudge, ExtraQuestion, Judgment
from evaluation.models import Criteria, Given, Topic, kept

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from assessment.models import Assignment
    from evaluation.models import Document, User


class Median(Aggregate):
    """The middle of the values that are there; null where none is."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


LETTERS = "ASD"  # keys of the first grades, side by side under the left hand


def item_context(document: Document, place: int) -> dict[str, Any]:
    """The document at a place, by its content alone: its docno and where it was found stay behind."""
    return {
        "place": place,
        "image": document.image,
        "document": make_digest(document.fields),
        "captions": [(heading_of(name), text) for name, text in document.fields if text.strip()],
    }


def topic_context(assignment: Assignment) -> dict[str, Any]:
    """The topic in the order of reading, and the words to grade it by."""
    task = assignment.pool.task
    topic = Topic.objects.select_related("image").get(task=task, number=assignment.topic)
    criteria = Criteria.objects.current(task)
    return {
        "task": task,
        "topic": topic,
        "digest": make_digest(topic.fields),
        "criteria": criteria,
        "grades": list(zip_longest(criteria.grades, LETTERS[: len(criteria.grades)], fillvalue="")),
        "reasons": CannotJudge.choices,
        "questions": ExtraQuestion.objects.filter(task=task),
    }


def own_context(assignment: Assignment, place: int) -> dict[str, Any]:
    """The assessor's own judgments in the topic, and what the screen needs to make the next one."""
    history = own_history(assignment)
    standing = {each["place"]: each for each in history}
    scale = Criteria.objects.current(assignment.pool.task).scale
    open_places = assignment.open_places()
    count = place_count(assignment)
    return {
        "count": count,
        "back": max(place - 1, 1),
        "mark": standing.get(place),
        "last": history[-1] if history else None,
        "distribution": make_distribution([each["mark"] for each in standing.values()], scale),
        "judged_count": count - len(open_places),
        "today": day_line(assignment.assessor),
        "client_uuid": uuid.uuid4(),
        "shown_at": timezone.now().isoformat(),
        "state": {
            "base": reverse("judging_resume", args=[assignment.pk]),
            "assessor": assignment.assessor_id,
            "place": place,
            "count": count,
            "scale": scale,
            "history": history,
            "settled": sorted(set(range(1, count + 1)) - set(open_places) - standing.keys()),
        },
    }


def own_history(assignment: Assignment) -> list[dict[str, Any]]:
    """The assessor's standing judgments on the items, oldest first; ``mark`` is a grade or a reason."""
    items = assignment.items.values_list("docno", "purpose", "place")
    places = {(docno, purpose): place for docno, purpose, place in items}
    return [
        {
            "place": places[each.docno, each.purpose],
            "client_uuid": str(each.client_uuid),
            "mark": each.mark,
            "comment": each.comment,
            "is_flagged": each.is_flagged,
            "replies": {f"{REPLY}{name}": reply for name, reply in each.replies.items()},
        }
        for each in assignment.own_judgments()
        if (each.docno, each.purpose) in places
    ]


def place_count(assignment: Assignment) -> int:
    """How many places the assignment has, settled ones included."""
    return assignment.items.count()


def day_line(assessor: User) -> str:
    """What the person has done today, in one sentence; the day is that of UTC."""
    day = _day().first(assessor=assessor.pk)
    if day is None:
        return "Nothing judged yet today."
    count, seconds, median = day
    if seconds is None or median is None:
        return f"Today {count:,} judged."
    return f"Today {count:,} judged in {seconds / 60:.0f} min at work, median {median:.0f} s an item."


@kept
def _day() -> QuerySet[Judgment, tuple[int, float | None, float | None]]:
    """Counted in the database: this is told after every judgment, and a day has thousands."""
    today = Judgment.objects.standing().filter(assessor=Given("assessor")).today()
    seconds = {"seconds": Sum("active_seconds"), "median": Median("active_seconds")}
    return today.values("assessor").annotate(count=Count("pk"), **seconds).values_list("count", *seconds)
