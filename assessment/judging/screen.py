"""Context of the judging screen: an item, its topic, and the assessor's own judgments.

Judging is blind: nothing here reads runs, ranks, models' answers or other people's judgments, except whether
an item is settled.
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
from assessment.judging.forms import REPLY
from assessment.models.judgment import CannotJudge, Judgment
from assessment.models.question import ExtraQuestion
from assessment.models.remark import Remark, apply_remarks
from assessment.models.slot import Slot
from evaluation.access.compiled import Given, compiled
from evaluation.collections.models import Document, Topic
from evaluation.tracks.criteria import Criteria

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from assessment.models.assignment import Assignment
    from evaluation.access.people import User


class Median(Aggregate):
    """The median of the non-null values; null if there are none."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


LETTERS = "ASD"  # keys of the first grades, side by side under the left hand


def item_context(document: Document, place: int) -> dict[str, Any]:
    """Return the document's content only, without its docno and its origin."""
    return {
        "place": place,
        "image": document.image,
        "document": make_digest(document.fields),
        "captions": [(heading_of(name), text) for name, text in document.fields if text.strip()],
    }


def topic_context(assignment: Assignment) -> dict[str, Any]:
    """Return the topic in reading order, the criteria and the extra questions."""
    task = assignment.pool.task
    topic = Topic.objects.select_related("image").get(task=task, number=assignment.topic)
    criteria = Criteria.objects.current(task)
    return {
        "task": task,
        "topic": topic,
        "digest": make_digest(topic.fields),
        "criteria": criteria,
        "grades": list(zip_longest(criteria.words, LETTERS[: len(criteria.words)], fillvalue="")),
        "reasons": CannotJudge.choices,
        "key_sets": _key_sets(criteria),
        "questions": ExtraQuestion.objects.filter(task=task),
    }


def _key_sets(criteria: Criteria) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """Return what each key of the screen does, by kind of step. Letters and digits can be moved."""
    grades = [
        (word["name"], [str(word["grade"]), *LETTERS[index : index + 1]])
        for index, word in enumerate(criteria.words)
    ]
    return [
        ("Grade", [*grades, ("Cannot judge", ["X"]), ("Reply to the questions", ["R"])]),
        ("Go", [("Undo the last grade", ["Z", "U"]), ("Back one item", ["Q"]), ("List of items", ["T"])]),
        ("Say", [("Comment", ["C"]), ("Flag", ["V"])]),
        (
            "Look",
            [
                ("Zoom in, out", ["+", "-"]),
                ("Whole, enlarged", ["E"]),
                ("True size, 1:1", ["N"]),
                ("Move the picture", ["Arrows"]),
                ("Caption", ["G"]),
                ("Full text", ["F"]),
                ("Instructions", ["B"]),
                ("Mark terms", ["W"]),
                ("This list", ["?", "K"]),
            ],
        ),
    ]


def own_context(assignment: Assignment, place: int) -> dict[str, Any]:
    """Return the assessor's own judgments in the topic, and the state of the screen's script."""
    history, said = own_record(assignment)
    standing = {each["place"]: each for each in history}
    scale = Criteria.objects.current(assignment.pool.task).scale
    open_places = assignment.open_places()
    counts = item_counts(assignment)
    count = counts["count"]
    return {
        "count": count,
        "total": count + counts["free"],
        "back": max(place - 1, 1),
        "mark": standing.get(place),
        "said": said.get(place),
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
            "scale": scale,
            "history": history,
            "said": said,
            "settled": sorted(set(range(1, count + 1)) - set(open_places) - standing.keys()),
            **counts,
        },
    }


def own_record(assignment: Assignment) -> tuple[list[dict[str, Any]], dict[int, dict[str, Any]]]:
    """Return the assessor's judgments that are not undone, oldest first, and what is said of each place.

    ``mark`` of a judgment is a grade or a reason. What is said is the current comment and flag; places
    without a judgment may have them, too.
    """
    items = assignment.items.values_list("docno", "purpose", "place")
    places = {(docno, purpose): place for docno, purpose, place in items}
    judgments = [each for each in assignment.own_judgments() if (each.docno, each.purpose) in places]
    unjudged = apply_remarks(judgments, assignment.own_remarks())
    history = [
        {
            "place": places[each.docno, each.purpose],
            "client_uuid": str(each.client_uuid),
            "mark": each.mark,
            "replies": {f"{REPLY}{name}": reply for name, reply in each.replies.items()},
        }
        for each in judgments
    ]
    events: list[Judgment | Remark] = [*judgments, *unjudged]
    said = {
        places[each.docno, each.purpose]: {"comment": each.comment, "is_flagged": each.is_flagged}
        for each in events
        if (each.docno, each.purpose) in places
    }
    return history, {place: words for place, words in said.items() if any(words.values())}


def item_counts(assignment: Assignment) -> dict[str, int]:
    """Return the number of places, and of the topic's further items that the assessor may lease."""
    free = 0
    if assignment.is_by_items:
        slots = Slot.objects.filter(pool=assignment.pool_id, topic=assignment.topic)
        free = slots.free_for(assignment.assessor).item_count()
    return {"count": place_count(assignment), "free": free}


def place_count(assignment: Assignment) -> int:
    """Return the number of places of the assignment, with settled ones."""
    return assignment.items.count()


def place_images(assignment: Assignment) -> dict[int, str]:
    """Return the SHA-256 of each place's image; texts have none."""
    places = dict(assignment.items.values_list("place", "docno"))
    documents = Document.objects.filter(
        collection=assignment.pool.task.collection_id, docno__in=places.values(), image__isnull=False
    )
    images = dict(documents.values_list("docno", "image"))
    return {place: images[docno] for place, docno in places.items() if docno in images}


def day_line(assessor: User) -> str:
    """Summarise the assessor's work of the UTC day in one sentence."""
    day = _day().first(assessor=assessor.pk)
    if day is None:
        return "Nothing judged yet today."
    count, seconds, median = day
    if seconds is None or median is None:
        return f"Today {count:,} judged."
    return f"Today {count:,} judged in {seconds / 60:.0f} min at work, median {median:.0f} s an item."


@compiled
def _day() -> QuerySet[Judgment, tuple[int, float | None, float | None]]:
    """Aggregate in the database: this runs after every judgment, and a day has thousands."""
    today = Judgment.objects.standing().filter(assessor=Given("assessor")).today()
    seconds = {"seconds": Sum("active_seconds"), "median": Median("active_seconds")}
    return today.values("assessor").annotate(count=Count("pk"), **seconds).values_list("count", *seconds)
