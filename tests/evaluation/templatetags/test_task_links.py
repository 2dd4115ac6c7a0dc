"""The links of a task: those that the reader may open, and which of them is the page shown."""

import re

import pytest
from django.test import Client

from tests.factories import make_organizer, make_run, make_task, make_team, make_team_member, make_user

pytestmark = pytest.mark.django_db


def _links(client: Client, address: str) -> tuple[set[str], list[str]]:
    """Return the names of all links and those of the current one."""
    content = client.get(address, follow=True).content.decode()
    (bar,) = re.findall(r'<nav class="rooms".*?</nav>', content, re.DOTALL) or [""]
    return set(re.findall(r">([^<>]+)</a>", bar)), re.findall(r'aria-current="page"\s*>([^<]+)<', bar)


def test_organizers_see_every_page_and_where_they_are(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    address = f"/tracks/{task.track.slug}/tasks/{task.slug}/"
    names, current = _links(client, address)
    assert {"Steps", "Runs", "Pool", "Quality", "Models", "Report"} <= names
    assert current == []
    assert _links(client, f"{address}runs/")[1] == ["Runs"]
    assert _links(client, f"{address}setup/judges/")[1] == ["Models"]
    assert _links(client, f"{address}setup/")[1] == ["Steps"]


def test_others_see_what_they_may_open_only(client: Client) -> None:
    task = make_task()
    address = f"/tracks/{task.track.slug}/tasks/{task.slug}/"
    client.force_login(make_user())
    assert _links(client, address) == (set(), [])
    team = make_team(task.track)
    client.force_login(make_team_member(team))
    make_run(task, team)
    assert _links(client, address)[0] == {"Runs", "Topics"}
