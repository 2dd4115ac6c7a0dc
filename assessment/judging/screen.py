"""Context of the judging screen: the assessor's own judgments.

Judging is blind: nothing here reads runs, ranks, models' answers or other people's judgments, except whether
an item is settled.
"""

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Aggregate, Count, FloatField, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext

from assessment.assigning.lookups import walls_of
from assessment.core.distribution import make_distribution
from assessment.judging.forms import REPLY
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.judgment import Judgment
from assessment.models.plan import ExtraQuestion
from assessment.models.purposes import Purpose
from assessment.models.remark import Remark, apply_remarks
from assessment.models.slot import Slot
from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.models import Document
from evaluation.platform.access.compiled import Given, compiled
from evaluation.platform.access.people import User
from evaluation.tracks.criteria import Criteria
from trackside.figures.shades import shade_of

FEWEST_OF_A_PACE = 10  # items


class Median(Aggregate):
    """The median of the non-null values; null if there are none."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


def own_context(assignment: Assignment, place: int) -> dict[str, Any]:
    """Return the assessor's own judgments in the topic, the questions, and the state of the screen's script.

    At place 0, a wall, only the questions that are asked once a wall.
    """
    as_of = timezone.now().isoformat()
    history, remarks = own_record(assignment)
    current = {event["place"]: event for event in history}
    marks = [event["mark"] for event in current.values()]
    criteria = Criteria.objects.current(assignment.pool.task)
    counts = item_counts(assignment)
    count = counts["count"]
    settled = sorted(set(range(1, count + 1)) - set(assignment.open_places()) - current.keys())
    questions = list(ExtraQuestion.objects.filter(task=assignment.pool.task))
    return {
        "count": count,
        "total": count + counts["free"],
        "own_total": count - len(settled) + counts["free"],
        "mark": current.get(place),
        "said": remarks.get(place),
        "last": max(current.values(), key=itemgetter("given_at"), default=None),
        "distribution": make_distribution(marks, criteria.scale, criteria.nominal_name),
        "judged_count": len(current),
        "today": day_line(assignment.assessor),
        "client_uuid": uuid.uuid4(),
        "shown_at": timezone.now().isoformat(),
        "questions": [question for question in questions if place or question.is_once_a_wall],
        "state": {
            "mode": "work",
            **_addresses(assignment, has_walls=bool(counts["walls"])),
            "assessor": assignment.assessor_id,
            "place": place,
            "scale": criteria.scale,
            "shades": _shades(history, criteria.scale),
            "nominal": criteria.nominal_name,
            "history": history,
            "as_of": as_of,
            "said": remarks,
            "settled": settled,
            **_asked(questions),
            **counts,
        },
    }


def _addresses(assignment: Assignment, *, has_walls: bool) -> dict[str, str | None]:
    return {
        "worker": reverse("judging_worker"),
        "status": reverse("judging_status", args=[assignment.pk]),
        "batch": reverse("events_record", args=[assignment.pk]) if has_walls else None,
        "base": reverse("judging_resume", args=[assignment.pk]),
    }


def _asked(questions: Sequence[ExtraQuestion]) -> dict[str, Any]:
    """Return the fields that hold for a whole wall, and whether any question needs a reply for each item."""
    return {
        "asked_once": [f"{REPLY}{question.name}" for question in questions if question.is_once_a_wall],
        "asks_each": any(each.is_required and not each.is_once_a_wall for each in questions),
    }


def _shades(history: Iterable[Mapping[str, Any]], scale: Sequence[int]) -> dict[int, str]:
    """Return the style sheet's class of each grade that the page may show; some are of an earlier scale."""
    grades = {*scale, *(event["mark"] for event in history if isinstance(event["mark"], int))}
    return {grade: shade_of(grade, scale).css for grade in sorted(grades)}


def own_record(assignment: Assignment) -> tuple[list[dict[str, Any]], dict[int, dict[str, Any]]]:
    """Return the assessor's judgments that are not undone, oldest first, and the remark on each place.

    ``mark`` of a judgment is a grade or a reason. A remark is the current comment and flag; a place
    without a judgment may have one, too.
    """
    items = assignment.items.values_list("docno", "purpose", "place")
    places = {(docno, purpose): place for docno, purpose, place in items}
    judgments = [event for event in assignment.own_judgments() if (event.docno, event.purpose) in places]
    unjudged = apply_remarks(judgments, assignment.own_remarks())
    history = [{"place": places[event.docno, event.purpose], **given(event)} for event in judgments]
    events: list[Judgment | Remark] = [*judgments, *unjudged]
    remarks = {
        places[event.docno, event.purpose]: {"comment": event.comment, "is_flagged": event.is_flagged}
        for event in events
        if (event.docno, event.purpose) in places
    }
    return history, {place: words for place, words in remarks.items() if any(words.values())}


def given(event: Judgment) -> dict[str, Any]:
    """Return a judgment as the script's history has it, without its place."""
    return {
        "client_uuid": str(event.client_uuid),
        "mark": event.mark,
        "is_by_rest": event.is_by_rest,
        "copied_from": str(event.copied_from) if event.copied_from else None,
        "replies": {f"{REPLY}{name}": reply for name, reply in event.replies.items()},
        "given_at": (event.given_at or event.judged_at).isoformat(),
    }


def current_on(item: AssignedItem) -> dict[str, Any] | None:
    """Return the assessor's current judgment of the item as `given`, or null."""
    assignment = Assignment.objects.select_related("pool").get(pk=item.assignment_id)
    current = assignment.own_judgments().filter(docno=item.docno, purpose=item.purpose).last()
    return None if current is None else given(current)


def item_counts(assignment: Assignment) -> dict[str, Any]:
    """Return the number of places, and of more items to lease, the places of each wall and of those alone."""
    free = 0
    if assignment.is_by_items:
        slots = Slot.objects.filter(pool=assignment.pool_id, topic=assignment.topic)
        free = slots.free_for(assignment.assessor).item_count()
    walls = walls_of(assignment)
    singles = assignment.items.filter(is_single=True).values_list("place", flat=True) if walls else []
    return {"count": assignment.items.count(), "free": free, "walls": walls, "singles": list(singles)}


def veiled_places(assignment: Assignment, open_places: set[int]) -> tuple[set[int], set[int]]:
    """Return the places that the list of items leaves out, and those that it shows without their content.

    While items are to be judged again, it leaves out their first judgment, and shows no content of open
    places: otherwise an item that is in the list twice would be one of them.
    """
    items = assignment.items
    repeated = set(
        items.filter(place__in=open_places, purpose=Purpose.REPEAT).values_list("docno", flat=True)
    )
    if not repeated:
        return set(), set()
    judged = items.filter(docno__in=repeated).exclude(place__in=open_places)
    return set(judged.values_list("place", flat=True)), open_places


def place_contents(assignment: Assignment, *, without: Collection[int] = ()) -> dict[int, dict[str, Any]]:
    """Return ``image``, ``image_count`` and ``title`` of the item at each place; skip some places.

    ``image`` is the SHA-256 of its first image, null for a text.
    """
    places = dict(assignment.items.exclude(place__in=without).values_list("place", "docno"))
    documents = Document.objects.filter(
        collection=assignment.pool.task.collection_id, docno__in=places.values()
    )
    roles = ChosenFields.objects.document_roles(assignment.pool.task.collection_id)
    contents = {
        document.docno: {
            "image": document.image_id,
            "image_count": document.image_count,
            "title": document.shown(roles).digest.title,
        }
        for document in documents.only("docno", "image", "more_images", "fields")
    }
    return {place: contents[docno] for place, docno in places.items() if docno in contents}


def day_line(assessor: User) -> str:
    """Summarise the assessor's work since midnight in the current time zone in one sentence."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    day = _day().first(assessor=assessor.pk, since=midnight)
    if day is None:
        return gettext("Nothing judged yet today.")
    count, seconds, median = day
    number = number_format(count, force_grouping=True)
    if seconds is None or median is None:
        return gettext("Today {count} judged.").format(count=number)
    return gettext(
        "Today {count} judged in {minutes} min of active time, median {seconds} s an item."
    ).format(count=number, minutes=f"{seconds / 60:.0f}", seconds=f"{median:.0f}" if median >= 1 else "< 1")


class WorkDone(NamedTuple):
    """The items that an assessor has judged, and the active time, including that of changed grades."""

    item_count: int
    seconds: float

    @property
    def time(self) -> str:
        """The active time in words."""
        return _time_words(self.seconds)

    def time_for(self, more: int) -> str:
        """Return the time for more items at the same pace in words; empty after few items."""
        if self.item_count < FEWEST_OF_A_PACE:
            return ""
        return _time_words(self.seconds / self.item_count * more)


def work_done(assessor: User) -> dict[int, WorkDone]:
    """Return the assessor's work by task."""
    judgments = Judgment.objects.filter(assessor=assessor, undoes__isnull=True)
    seconds = dict(judgments.values("task").annotate(sum=Sum("active_seconds")).values_list("task", "sum"))
    judged = judgments.filter(undo__isnull=True).values("task", "topic", "docno", "purpose").distinct()
    counts = Counter(item["task"] for item in judged)
    return {task: WorkDone(counts[task], seconds[task] or 0.0) for task in seconds}


def _time_words(seconds: float) -> str:
    minutes = round(seconds / 60)
    hours, rest = divmod(minutes, 60)
    if hours:
        return gettext("{hours} h {minutes} min").format(hours=hours, minutes=rest)
    if seconds >= 60:
        return gettext("{minutes} min").format(minutes=minutes)
    return gettext("{seconds} s").format(seconds=f"{seconds:.0f}")


@compiled
def _day() -> QuerySet[Judgment, tuple[int, float | None, float | None]]:
    """Aggregate in the database: this runs after every judgment, and a day has thousands."""
    today = Judgment.objects.not_undone().filter(assessor=Given("assessor"), judged_at__gte=Given("since"))
    seconds = {"seconds": Sum("active_seconds"), "median": Median("active_seconds")}
    return today.values("assessor").annotate(count=Count("pk"), **seconds).values_list("count", *seconds)
