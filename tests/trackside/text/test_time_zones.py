from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from tests.refusals import refused
from trackside.text.time_zones import AOE, format_in_zone, localize, zone_names, zone_title

NEW_YEAR = datetime(2026, 1, 1, 11, 59, tzinfo=UTC)


def test_anywhere_on_earth_is_twelve_hours_behind_utc() -> None:
    assert format_in_zone(NEW_YEAR, AOE) == "Wed 31 Dec 2025 23:59 AoE"


def test_zones_follow_summer_time() -> None:
    winter, summer = datetime(2026, 3, 29, 0, 59, tzinfo=UTC), datetime(2026, 3, 29, 1, 0, tzinfo=UTC)
    assert format_in_zone(winter, "Europe/Berlin") == "Sun 29 Mar 2026 01:59 CET"
    assert format_in_zone(summer, "Europe/Berlin") == "Sun 29 Mar 2026 03:00 CEST"


def test_zone_names_begin_with_those_that_tracks_use() -> None:
    assert zone_names()[:2] == [AOE, "UTC"]
    assert "Europe/Berlin" in zone_names()
    assert (zone_title(AOE)[:3], zone_title("America/New_York")) == ("AoE", "America/New York")


def test_localize_gives_the_moment_at_which_a_clock_of_the_zone_shows_it() -> None:
    assert localize(datetime(2026, 3, 6, 23, 59), ZoneInfo(AOE)) == datetime(2026, 3, 7, 11, 59, tzinfo=UTC)  # noqa: DTZ001 - a wall clock's
    summer = datetime(2026, 7, 1, 12)  # noqa: DTZ001
    assert localize(summer, ZoneInfo("Europe/Berlin")) == datetime(2026, 7, 1, 10, tzinfo=UTC)


@pytest.mark.parametrize("clock", [datetime(2026, 3, 29, 2, 30), datetime(2026, 10, 25, 2, 30)])  # noqa: DTZ001
def test_localize_refuses_what_summer_time_skips_or_repeats(clock: datetime) -> None:
    with refused("nonexistent-local-time", match="summer time in Europe/Berlin"):
        localize(clock, ZoneInfo("Europe/Berlin"))
