"""The home page: an introduction, and each visible track with its state, leader, figure and downloads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.collections.models import Picture
from evaluation.organizing.pages.task_facts import Dates, TaskFacts, dates_of, find_facts, front_of
from evaluation.platform.access.people import Membership, User
from evaluation.tracks.models import Phase, Task, Track

Reader = User | AnonymousUser

ZONE = "UTC"  # of all dates on the page, because tracks may have different zones
PICTURES = 6


@dataclass(frozen=True)
class Card:
    """A track on the home page: its tasks, the reader's roles, and the task in front with its dates."""

    track: Track
    tasks: Sequence[Task]
    roles: Sequence[Membership]
    front: TaskFacts | None
    dates: Dates


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the visible tracks, and a signed-in person's roles in them."""
    cards = _cards(request.user)
    context = {
        "cards": cards,
        "zone": ZONE,
        "open_card": next(
            (card for card in cards if card.front and card.front.task.phase == Phase.OPEN), None
        ),
        "pictures": Picture.objects.on_the_front(request.user, [card.track for card in cards])[:PICTURES],
        "past_tracks": Track.objects.visible_to(request.user).filter(archiving__isnull=False),
    }
    return render(request, "evaluation/pages/home.html", context)


def _cards(reader: Reader) -> list[Card]:
    """Return a card for each visible track that is not archived."""
    tasks = Task.objects.visible_to(reader).with_phase().order_by("name")
    roles = Membership.objects.filter(Q(user_id=reader.pk)).select_related("team")
    tracks: Iterable[Any] = (
        Track.objects.visible_to(reader)
        .filter(archiving__isnull=True)
        .prefetch_related(
            Prefetch("tasks", tasks, to_attr="visible_tasks"),
            Prefetch("memberships", roles, to_attr="own_memberships"),
        )
    )
    fronts = {track.pk: front_of(track.visible_tasks) for track in tracks}
    facts = find_facts([task for task in fronts.values() if task], reader)
    cards = []
    for track in tracks:
        front = fronts[track.pk]
        shown, dates = facts[front.pk] if front else None, dates_of([front] if front else [], zone=ZONE)
        cards.append(Card(track, track.visible_tasks, track.own_memberships, shown, dates))
    return cards
