"""What makes the release of people's grades unsafe: careless assessors, no second grades, open items."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef
from django.db.models.expressions import BaseExpression
from django.urls import reverse

from assessment.models.aggregates import JudgedItem, SharedTally
from assessment.quality.trust import find_trust
from evaluation.tracks.facts import CountOf, Facts
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.panels import OpenAction, OpenActions
from trackside.text.time_zones import format_in_zone

MOST_NAMED = 3  # people who get a line each


def careless_needs(task: Task) -> Iterable[OpenAction]:
    """Yield whose grades do not seem to be honest work, from which judgment on, and why."""
    address = _address(task, "judging_quality")
    suspects = find_trust(task).suspects
    for found in suspects[:MOST_NAMED]:
        begun = format_in_zone(found.since, task.time_zone)
        words = f"{found.names} {found.kind}, from judgment {found.first:,} ({begun}) on"
        yield OpenAction("bad", words, address, "look before the grades are used")
    if (more := len(suspects) - MOST_NAMED) > 0:
        yield OpenAction("bad", f"and {more:,} more, named there", address)


def _guard_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    items = JudgedItem.objects.filter(task=OuterRef("pk"))
    return {
        "unsettled": CountOf(items.disputed().filter(is_settled=False)),
        "has_items": Exists(items),
        "has_shared": Exists(SharedTally.objects.filter(task=OuterRef("pk"), count__gt=0)),
    }


def _guards(task: Task, facts: Facts) -> Iterable[OpenAction]:
    yield from careless_needs(task)
    if open_count := facts["unsettled"]:
        words = "1 item is" if open_count == 1 else f"{open_count:,} items are"
        address = _address(task, "disagreement_list")
        yield OpenAction("", f"{words} to settle", address, "graded differently or flagged")
    if facts["has_items"] and not facts["has_shared"]:
        yield OpenAction(
            "warn",
            "No item is graded by two people",
            _address(task, "topics_assign"),
            "nobody can say whether people agree",
        )


RELEASE_GUARDS = OpenActions(_guards, _guard_facts)  # what makes the release unsafe on people's side


def _address(task: Task, name: str) -> str:
    return reverse(name, args=[task.track.slug, task.slug])
