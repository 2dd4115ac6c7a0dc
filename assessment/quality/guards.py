"""What makes the release of people's grades unsafe: careless assessors, no second grades, open items."""

from collections.abc import Iterable

from django.urls import reverse

from assessment.models.aggregates import JudgedItem, SharedTally
from assessment.quality.trust import find_trust
from evaluation.tracks.models import Task
from evaluation.tracks.panels import OpenAction
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


def release_guards(task: Task) -> Iterable[OpenAction]:
    """Yield what makes the release unsafe on people's side."""
    yield from careless_needs(task)
    items = JudgedItem.objects.filter(task=task)
    if open_count := items.disputed().filter(is_settled=False).count():
        words = "1 item is" if open_count == 1 else f"{open_count:,} items are"
        address = _address(task, "disagreement_list")
        yield OpenAction("", f"{words} to settle", address, "graded differently or flagged")
    if items.exists() and not SharedTally.objects.filter(task=task, count__gt=0).exists():
        yield OpenAction(
            "warn",
            "No item is graded by two people",
            _address(task, "topics_assign"),
            "nobody can say whether people agree",
        )


def _address(task: Task, name: str) -> str:
    return reverse(name, args=[task.track.slug, task.slug])
