"""Time zones in which a task's dates are entered and shown."""

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from trackside.errors import InputError

# Bounds of dates. The calendars of Python and PostgreSQL end in different years, and sums must fit both.
EPOCH, FUTURE = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
LONGEST_GRACE = timedelta(days=366)
AOE = "Etc/GMT+12"  # POSIX sign: twelve hours behind UTC, where a day ends last


def zone_names() -> list[str]:
    """All IANA names of zones, AoE and UTC first, the others in byte order."""
    return [AOE, "UTC", *sorted(_available() - {AOE, "UTC", "localtime", "Factory"})]


@cache
def _available() -> set[str]:
    """Read the files of all zones once, because it takes many milliseconds."""
    return available_timezones()


def zone_named(name: str) -> ZoneInfo:
    """The zone of that IANA name; UTC for any other text."""
    return ZoneInfo(name if name in _available() else "UTC")


def zone_title(name: str) -> str:
    """The display name: AoE in words, other zones by their IANA name."""
    return "AoE (anywhere on earth, UTC−12)" if name == AOE else name.replace("_", " ")


def localize(clock: datetime, zone: ZoneInfo) -> datetime:
    """The time in the zone. Raises nonexistent-local-time if this local time is skipped or repeated."""
    early, late = (clock.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() != late.utcoffset():
        raise InputError(
            f"{clock:%d %B %Y %H:%M} is within the change of summer time in {zone}. Move it by a few hours.",
            code="nonexistent-local-time",
        )
    return early


def format_in_zone(moment: datetime, name: str) -> str:
    """The time in that zone with the zone's short name: "Fri 6 Mar 2026 23:59 AoE"."""
    local = moment.astimezone(ZoneInfo(name))
    return f"{local:%a} {local.day} {local:%b %Y %H:%M} {zone_code(local, name)}"


def zone_code(local: datetime, name: str) -> str:
    """The zone's short name at that time: "AoE", "CET"."""
    return "AoE" if name == AOE else f"{local:%Z}"


def day(moment: datetime, name: str) -> str:
    """The day in that zone: "6 Mar 2026"; with the time of day unless it is midnight: "6 Mar 2026, 23:59"."""
    local = moment.astimezone(ZoneInfo(name))
    text = f"{local.day} {local:%b %Y}"
    return text if local.hour == local.minute == 0 else f"{text}, {local:%H:%M}"
