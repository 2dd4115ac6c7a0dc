"""Pages say "1 topic", not "1 topics"."""

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from evaluation.models import Phase
from tests.addresses.urlconf import is_of_api, named_routes
from tests.filled_track import Size, addresses, fill_track
from tests.permissions.permission_table import address_rows
from tests.whole_site import WholeSite, signed_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

NOUNS = (
    "answers assessors calls documents faults files grades images items judges judgments lines members pairs "
    "people pictures questions replies results rows runs sections seconds sets teams times topics"
)
ONE_OF_MANY = re.compile(rf"(?<![\d.,:–-])(?<!of )\b1 (?:active |new )?(?:{NOUNS.replace(' ', '|')})\b")
ALONE = Size(topics=1, runs=1, people=1, documents=1_000, results=1, depth=1, seats=1)


def wrong_plurals(client: Client, address: str) -> list[str]:
    """The page's wrong plurals with the words around them."""
    answer = client.get(address)
    content = b"".join(answer)  # reads streamed files to their end, which closes them
    if not answer.headers["Content-Type"].startswith("text/html"):
        return []
    text = " ".join(strip_tags(content.decode()).split())
    return [
        f"{address}: {text[max(found.start() - 30, 0) : found.end() + 20]}"
        for found in ONE_OF_MANY.finditer(text)
    ]


@pytest.mark.parametrize("phase", [Phase.OPEN, Phase.JUDGING, Phase.RELEASED])
def test_organizers_pages_use_the_singular_for_one(phase: Phase, whole_site: WholeSite) -> None:
    site = whole_site
    client = site.client("organizer")
    site.enter(phase)
    found = named_routes()
    names = {
        row.name
        for row in address_rows()
        if row.method == "GET" and (phase in row.phases or not row.phases) and not is_of_api(row.name)
    }
    places = [place for name in sorted(names) for place in found[name].all_filled(site.values)]
    assert len(places) > 100
    wrong = [each for place in places for each in wrong_plurals(client, place)]
    assert not wrong, "\n".join(wrong)


def test_pages_of_one_run_on_one_topic_use_the_singular() -> None:
    track = fill_track(ALONE)
    client = signed_in_client(track.organizer)
    wrong = [each for place in addresses(track).values() for each in wrong_plurals(client, place)]
    assert not wrong, "\n".join(wrong)
