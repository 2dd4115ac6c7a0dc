"""Context of every judging surface, an item, its topic, the criteria and the keys; decorators of its views.

Judging is blind: nothing here reads runs, ranks, models' answers or anybody's judgments.
"""

from functools import wraps
from http import HTTPStatus
from itertools import zip_longest
from typing import Any

from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from assessment.form_errors import error_line
from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.models import Document, Topic
from evaluation.platform.access.languages import View, translated
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.text.roles import heading_of
from trackside.text.time_zones import zone_named

Keys = list[tuple[str, list[str]]]

LETTERS = "ASD"  # keys of the first grades, adjacent under the left hand


def item_context(document: Document, place: int) -> dict[str, Any]:
    """Return the document's content only, without its docno and its origin."""
    shown = document.shown(ChosenFields.objects.document_roles(document.collection_id))
    return {
        "place": place,
        "image": document.image,
        "images": document.images,
        "document": shown.digest,
        "shown_sha256": shown.sha256,
        "captions": [(heading_of(name), text) for name, text in shown.texts],
    }


def topic_context(task: Task, number: str) -> dict[str, Any]:
    """Return the topic in reading order, and the criteria."""
    topic = Topic.objects.select_related("image").get(task=task, number=number)
    criteria = Criteria.objects.current(task)
    return {
        "task": task,
        "topic": topic,
        "digest": topic.shown(ChosenFields.objects.topic_roles(task.pk)).digest,
        "criteria": criteria,
        "grades": list(zip_longest(criteria.words, LETTERS[: len(criteria.words)], fillvalue="")),
    }


def work_keys(criteria: Criteria) -> list[tuple[str, Keys]]:
    """Return the action of each key while judging, by kind of step. Letters and digits can be moved."""
    return _key_sets(
        criteria,
        grade=[
            *_nominal(criteria),
            (gettext("Cannot judge"), ["X"]),
            (gettext("Reply to the questions"), ["R"]),
        ],
        go=[
            (gettext("Undo the last grade"), ["Z", "U"]),
            (gettext("Back one item"), ["Q"]),
            (gettext("List of items"), ["T"]),
        ],
        say=[(gettext("Comment"), ["C"]), (gettext("Flag"), ["V"])],
    )


def wall_keys(criteria: Criteria) -> list[tuple[str, Keys]]:
    """Return the action of each key on a wall."""
    return _key_sets(
        criteria,
        grade=[
            (gettext("Grade the marked items"), [gettext("Shift and digit")]),
            (gettext("Lowest grade for all that are left"), ["R"]),
            *_nominal(criteria),
            (gettext("Cannot judge"), ["X"]),
            (gettext("Reply to the questions"), ["Y"]),
        ],
        go=[
            (gettext("Next wall"), ["N"]),
            (gettext("Open one item"), [gettext("Enter")]),
            (gettext("Move"), [gettext("Arrows")]),
            (gettext("Mark several items"), [gettext("Shift and arrows")]),
            (gettext("Undo"), ["Z", "U"]),
            (gettext("List of items"), ["T"]),
        ],
        look=[
            (gettext("Picture of the topic"), ["P"]),
            (gettext("Full text"), ["F"]),
            (gettext("Instructions"), ["B"]),
            (gettext("This list"), ["?", "K"]),
        ],
    )


def _nominal(criteria: Criteria) -> Keys:
    return [(criteria.nominal_name, ["H"])] if criteria.nominal_name else []


def training_keys(criteria: Criteria) -> list[tuple[str, Keys]]:
    """Return the action of each key in practice and exam."""
    go: Keys = [
        (gettext("Next item after the feedback"), [gettext("Enter")]),
        (gettext("Later: next open item"), ["L"]),
    ]
    return _key_sets(
        criteria, go=[*go, (gettext("Back one item"), ["Q"]), (gettext("To the training's page"), ["T"])]
    )


def adjudication_keys(criteria: Criteria) -> list[tuple[str, Keys]]:
    """Return the action of each key in adjudication."""
    go: Keys = [
        (gettext("Next item after your grade"), [gettext("Enter")]),
        (gettext("Undo the last grade"), ["Z", "U"]),
        (gettext("Back one item"), ["Q"]),
    ]
    return _key_sets(
        criteria,
        go=[*go, (gettext("Later: next open item"), ["L"]), (gettext("List of items"), ["T"])],
        say=[(gettext("Comment"), ["C"])],
    )


def _key_sets(
    criteria: Criteria,
    *,
    go: Keys,
    grade: Keys | None = None,
    say: Keys | None = None,
    look: Keys | None = None,
) -> list[tuple[str, Keys]]:
    grades: Keys = [
        (word["name"], [str(word["grade"]), *LETTERS[index : index + 1]])
        for index, word in enumerate(criteria.words)
    ]
    look = look or [
        (gettext("Zoom in, out"), ["+", "-"]),
        (gettext("Whole, enlarged"), ["E"]),
        (gettext("True size, 1:1"), ["N"]),
        (gettext("Move the picture"), [gettext("Arrows")]),
        (gettext("Next picture of the item"), ["J"]),
        (gettext("Picture of the topic"), ["P"]),
        (gettext("Caption"), ["G"]),
        (gettext("Full text"), ["F"]),
        (gettext("Instructions"), ["B"]),
        (gettext("Mark terms"), ["W"]),
        (gettext("Own words to mark"), ["M"]),
        (gettext("This list"), ["?", "K"]),
    ]
    sets = [
        (gettext("Grade"), [*grades, *(grade or [])]),
        (gettext("Go"), go),
        (gettext("Say"), say or []),
        (gettext("Look"), look),
    ]
    return [(heading, rows) for heading, rows in sets if rows]


def in_own_zone(view: View) -> View:
    """Run a view in the time zone that the browser named (zone.js), in which the day begins; else in UTC."""

    @wraps(view)
    def zoned(request: HttpRequest, *args: Any, **names: Any) -> HttpResponseBase:
        with timezone.override(zone_named(request.COOKIES.get("zone", ""))):
            return view(request, *args, **names)

    return zoned


def judging_page(view: View) -> View:
    """Decorate a page for people who judge: signed in, translated, in their time zone, never cached."""
    return translated(login_required(never_cache(require_safe(in_own_zone(view)))))


def judging_event(view: View) -> View:
    """Decorate a view that stores what such a page sends."""
    return translated(login_required(never_cache(require_POST(in_own_zone(view)))))


def refused(form: Form, *, status: HTTPStatus = HTTPStatus.CONFLICT, is_lost: bool = False) -> JsonResponse:
    """Report to the script why an event is not stored."""
    return JsonResponse({"error": error_line(form), "is_lost": is_lost}, status=status)
