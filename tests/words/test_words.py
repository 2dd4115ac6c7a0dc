"""Texts of pages: no path of the machine, no value as Python prints it, one time zone a page, plain words."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils.html import strip_tags

from evaluation.models import Phase, Task
from tests.addresses.urlconf import routes
from tests.whole_site import WholeSite

pytestmark = pytest.mark.django_db

PATH = re.compile(r"(?<![\w./:])/(?:work|tmp|var|home|root|srv|usr)/\w[^\s<]*")
PRINTED = re.compile(r"\{(?:'|&#x27;|&#39;)[^<\n]{0,60}|\b(?:None|True|False)\b(?=[,)\]}])")
ZONE = re.compile(r"\d (UTC|AoE|CES?T)\b")
ONE_ZONE = ("home", "track_detail", "task_detail", "leaderboard", "collection_release", "run_list")


def pages(site: WholeSite, client: Client, names: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Name and HTML of each page of the site that answers, except the admin's."""
    for route in routes():
        is_wanted = route.name in names if names else not route.name.startswith(("admin:", "api:"))
        if not is_wanted or "logout" in route.name or not set(route.parameters) <= set(site.values):
            continue
        answer = client.get(route.filled(site.first_values))
        body = b"".join(answer)  # to its end, which closes the file it may come from
        if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
            yield route.name, body.decode()


@pytest.mark.whole
@pytest.mark.parametrize("role", ["organizer", "team", "staff"])
def test_pages_show_no_paths_and_no_printed_values(whole_site: WholeSite, role: str) -> None:
    whole_site.enter(Phase.RELEASED)
    client = whole_site.client(role)
    found = {
        name: [each[0] for rule in (PATH, PRINTED) for each in rule.finditer(text)]
        for name, text in pages(whole_site, client)
    }
    assert len(found) > 20
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("role", ["signed-out", "team"])
def test_public_pages_name_one_zone(whole_site: WholeSite, role: str) -> None:
    whole_site.enter(Phase.RELEASED)
    Task.objects.update(time_zone="Etc/GMT+12")
    client = whole_site.client(role)
    found = {name: set(ZONE.findall(strip_tags(text))) for name, text in pages(whole_site, client, ONE_ZONE)}
    assert set(found) == set(ONE_ZONE)
    assert {name: zones for name, zones in found.items() if len(zones) > 1} == {}
    assert found["leaderboard"] == {"AoE"}
