"""Size of a first visit: a page and every file that it names, as sent to a browser."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from tests.browser.sample_task import make_sample
from tests.evaluation.config.collected import fetch
from tests.marks import quick_only

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("collected_files")]

BUDGET = 60_000  # bytes of bodies
NAMED = re.compile(r'<(?:link|script|img)\b[^>]*?\b(?:href|src)="([^"]+)"', re.DOTALL)
IMPORTED = re.compile(r"""(?:\bfrom |^import )"\./([^"]+)";""", re.MULTILINE)


def sizes(client: Client, address: str) -> dict[str, int]:
    """The bytes of a page and of each file that a browser then asks for, by address."""
    found: dict[str, int] = {}
    waiting = [address]
    while waiting:
        place = waiting.pop()
        answer, sent = fetch(client, place, "gzip, deflate, br")
        assert answer.status_code == 200, place
        found[place] = len(sent)
        _, body = fetch(client, place)
        named = NAMED.findall(body.decode()) if place == address else []
        if place.endswith(".js"):
            named = [f"{place.rpartition('/')[0]}/{name}" for name in IMPORTED.findall(body.decode())]
        waiting += [each for each in named if each not in found and each not in waiting]
    return found


@pytest.mark.parametrize(
    "name", quick_only(["home", "track_detail", "leaderboard", "report_detail"], quick=["home"])
)
def test_first_visit_is_small(name: str, static_root: Path, client: Client) -> None:
    task = make_sample().task
    places = {"home": [], "track_detail": [task.track.slug]}.get(name, [task.track.slug, task.slug])
    found = sizes(client, reverse(name, args=places))
    assert len(found) > 5
    assert sum(found.values()) < BUDGET, found
