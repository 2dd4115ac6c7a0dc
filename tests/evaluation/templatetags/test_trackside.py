"""Filters for times and numbers, headings of tables, and the links of a task."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.test import Client

from evaluation.templatetags import parts_of_pages, trackside
from tests.factories import make_organizer, make_run, make_task, make_team, make_team_member, make_user


def test_when_names_the_zone_and_converts_to_it() -> None:
    berlin = timezone(timedelta(hours=2))
    shown = trackside.when(datetime(2026, 8, 7, 1, 5, tzinfo=berlin))
    attributes = 'datetime="2026-08-06T23:05:00+00:00" data-local'
    assert shown == f'<time {attributes}="long">Thu 6 Aug 2026 23:05 UTC</time>'
    short = trackside.short_when(datetime(2026, 8, 6, 23, 5, tzinfo=UTC))
    assert short == f'<time {attributes}="short">6 Aug 23:05</time>'


def test_recorded_values_read_like_those_of_pages() -> None:
    assert trackside.recorded("2026-08-07T01:05:09.123456+02:00") == trackside.when(
        datetime(2026, 8, 6, 23, 5, 9, tzinfo=UTC)
    )
    assert [trackside.recorded(each) for each in (None, "The T of T", 5)] == ["nothing", "The T of T", 5]
    assert trackside.spaced("closes_at") == "closes at"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (2 * 86400 + 21 * 3600 + 30, "2 d 21 h"),
        (86400 + 30, "1 d 0 h"),
        (5 * 3600 + 7 * 60 + 30, "5 h 7 min"),
        (-10, "0 h 0 min"),
    ],
)
def test_time_to_states_the_two_largest_units(seconds: float, text: str) -> None:
    assert trackside.time_to(datetime.now(UTC) + timedelta(seconds=seconds)) == text


def test_numbers_have_commas_true_minus_and_so_many_decimals() -> None:
    assert trackside.thousands(1234567) == "1,234,567"
    assert trackside.decimals(-0.25) == "−0.2500"
    assert trackside.decimals(5882.3, 0) == "5,882"
    assert trackside.decimals(0.5, 2) == "0.50"
    assert trackside.signed(21.24) == "+21.2"
    assert trackside.signed(-13.31) == "−13.3"
    assert trackside.percent(0.314) == "31 %"
    assert trackside.decimals(-0.004, 2) == "0.00", "no minus before zero"
    assert trackside.signed(-0.004, 2) == "+0.00"


def test_what_is_absent_shows_a_dash() -> None:
    tags = (trackside.thousands, trackside.decimals, trackside.signed, trackside.percent)
    dates = (trackside.when, trackside.short_when)
    assert [each(None) for each in tags] + [each(None) for each in dates] == ["–"] * 6


def test_estimates_that_are_undefined_give_the_reason_and_markdown_is_html() -> None:
    undefined = {"value": None, "reason": "constant"}
    assert trackside.estimate(undefined, 2) == "undefined (all values are equal)"
    assert trackside.estimate({"value": 0.5, "reason": None}, 2) == "0.50"
    assert trackside.markdown("*one*") == "<p><em>one</em></p>\n"


def test_zoned_shows_the_clock_of_the_zone_and_keeps_the_moment_for_scripts() -> None:
    moment = datetime(2026, 3, 7, 11, 59, tzinfo=UTC)
    assert trackside.zoned(moment, "Etc/GMT+12") == (
        '<time datetime="2026-03-07T11:59:00+00:00">Fri 6 Mar 2026 23:59 AoE</time>'
    )
    assert (trackside.zoned(None, "UTC"), trackside.stamp(moment)) == ("–", "2026-03-07T11:59:00+00:00")


def test_headings_have_the_kinds_of_their_columns() -> None:
    shown = parts_of_pages.headings("Run", "n:Gwet's", "w:Text", "utc:Ended", "vh:Action", roles=False)
    cells = (
        '<th scope="col">Run</th><th scope="col" class="n">Gwet&#x27;s</th>'
        '<th scope="col" class="w">Text</th>'
        '<th scope="col" class="n">Ended, <span data-clock>UTC</span></th>'
        '<th scope="col"><span class="vh">Action</span></th>'
    )
    assert shown == f"<thead><tr>{cells}</tr></thead>"
    assert parts_of_pages.headings("Run") == (
        '<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Run</th></tr></thead>'
    )


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
    assert _links(client, address)[0] == {"Runs", "Topics", "Questions"}
