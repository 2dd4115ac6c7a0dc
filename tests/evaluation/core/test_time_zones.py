from datetime import UTC, datetime

import pytest

from evaluation.core.time_zones import AOE, TimeZoneUnknown, check_zone, zone_names, zone_title, zoned

NEW_YEAR = datetime(2026, 1, 1, 11, 59, tzinfo=UTC)


def test_anywhere_on_earth_is_twelve_hours_behind_utc() -> None:
    assert zoned(NEW_YEAR, AOE) == "Wed 31 Dec 2025 23:59 AoE"


def test_zoned_follows_summer_time() -> None:
    assert zoned(datetime(2026, 3, 29, 0, 59, tzinfo=UTC), "Europe/Berlin") == "Sun 29 Mar 2026 01:59 CET"
    assert zoned(datetime(2026, 3, 29, 1, 0, tzinfo=UTC), "Europe/Berlin") == "Sun 29 Mar 2026 03:00 CEST"


def test_zone_names_begin_with_those_that_tracks_use() -> None:
    assert zone_names()[:2] == [AOE, "UTC"]
    assert "Europe/Berlin" in zone_names()
    assert (zone_title(AOE)[:3], zone_title("America/New_York")) == ("AoE", "America/New York")


def test_check_zone_refuses_what_iana_does_not_have() -> None:
    check_zone("Asia/Tokyo")
    with pytest.raises(TimeZoneUnknown, match="'AOE' is no time zone"):
        check_zone("AOE")
