"""Zones in which a task's dates are entered and shown."""

from datetime import datetime
from zoneinfo import ZoneInfo, available_timezones

from evaluation.core.errors import InputError

AOE = "Etc/GMT+12"  # the sign is POSIX's: twelve hours behind UTC, where a day ends last


class ClockSkips(InputError):
    """Summer time begins or ends then: the clock never shows this time, or shows it twice."""


class TimeZoneUnknown(InputError):
    """No zone has this name."""


def zone_names() -> list[str]:
    """Every zone by its IANA name, in byte order, AoE and UTC first."""
    return [AOE, "UTC", *sorted(available_timezones() - {AOE, "UTC", "localtime", "Factory"})]


def zone_title(name: str) -> str:
    """What people read: AoE is called by its name, others as IANA has them."""
    return "AoE (anywhere on earth, UTC−12)" if name == AOE else name.replace("_", " ")


def check_zone(name: str) -> None:
    """Raise TimeZoneUnknown when IANA has no such zone."""
    if name not in zone_names():
        raise TimeZoneUnknown(f"'{name}' is no time zone. Write one such as Europe/Berlin, UTC or {AOE}.")


def placed(clock: datetime, zone: ZoneInfo) -> datetime:
    """The moment at which a clock of the zone shows this. Raises ClockSkips when none or two do."""
    early, late = (clock.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() != late.utcoffset():
        raise ClockSkips(
            f"{clock:%d %B %Y %H:%M} is within the change of summer time in {zone}. Move it by a few hours."
        )
    return early


def zoned(moment: datetime, name: str) -> str:
    """The moment on a clock of that zone, with the zone's short name: "Fri 6 Mar 2026 23:59 AoE"."""
    local = moment.astimezone(ZoneInfo(name))
    return f"{local:%a} {local.day} {local:%b %Y %H:%M} {'AoE' if name == AOE else f'{local:%Z}'}"
