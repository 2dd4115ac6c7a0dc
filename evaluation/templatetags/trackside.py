"""How pages write times, durations, numbers and hashes: one way each; and a task's links."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from evaluation.core.estimate import Reason
from evaluation.core.markdown import markdown_html
from evaluation.core.time_zones import zoned as in_zone
from evaluation.models import Qrels, Report, Run, Task

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

register = template.Library()

ABSENT = "–"
MINUS = "\N{MINUS SIGN}"


@register.filter
def when(moment: datetime | None) -> str | SafeString:
    """A moment with its zone, as a ``time`` element; a dash when there is none.

    It is written in UTC; in a browser with scripts countdown.js shows it on the reader's own clock.
    """
    if moment is None:
        return ABSENT
    moment = moment.astimezone(UTC)
    text = f"{moment:%a} {moment.day} {moment:%b %Y %H:%M} UTC"
    return format_html('<time datetime="{}" data-local="long">{}</time>', stamp(moment), text)


@register.filter
def stamp(moment: datetime) -> str:
    """A moment as scripts read it: ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


@register.filter
def zoned(moment: datetime | None, zone: str) -> str | SafeString:
    """A moment on the clock of a zone, by its IANA name, as a ``time`` element; a dash when there is none."""
    if moment is None:
        return ABSENT
    return format_html('<time datetime="{}">{}</time>', stamp(moment), in_zone(moment, zone))


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML that core.markdown has cleaned."""
    return mark_safe(markdown_html(text))  # noqa: S308 - nothing but the elements of its list is left


@register.filter
def short_when(moment: datetime | None) -> str | SafeString:
    """A moment as `when` has it, without year and zone, for a column headed by the clock."""
    if moment is None:
        return ABSENT
    moment = moment.astimezone(UTC)
    text = f"{moment.day} {moment:%b %H:%M}"
    return format_html('<time datetime="{}" data-local="short">{}</time>', stamp(moment), text)


@register.filter
def time_to(moment: datetime) -> str:
    """How long until a moment, in its two largest of days, hours and minutes: "2 d 21 h"."""
    minutes = max(int((moment - timezone.now()) / timedelta(minutes=1)), 0)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    return f"{days} d {hours} h" if days else f"{hours} h {minutes} min"


@register.filter
def thousands(count: int | None) -> str:
    """A count with commas; a dash when there is none."""
    return ABSENT if count is None else f"{count:,}".replace("-", MINUS)


@register.filter
def decimals(value: float | None, places: int = 4) -> str:
    """A number with so many decimals and a true minus; a dash when there is none."""
    return ABSENT if value is None else f"{value:.{places}f}".replace("-", MINUS)


@register.filter
def signed(value: float | None, places: int = 1) -> str:
    """A difference: with its sign, so many decimals and a true minus; a dash when there is none."""
    return ABSENT if value is None else f"{value:+.{places}f}".replace("-", MINUS)


@register.filter
def percent(share: float | None) -> str:
    """A share from 0 to 1 as whole per cent; a dash when there is none."""
    return ABSENT if share is None else f"{100 * share:.0f} %"


@register.filter
def estimate(stored: dict[str, Any], places: int = 2) -> str:
    """A stored estimate with so many decimals, or "undefined" with the reason."""
    return _undefined(stored) or decimals(stored["value"], places)


@register.filter
def signed_estimate(stored: dict[str, Any], places: int = 1) -> str:
    """A stored difference with its sign and so many decimals, or "undefined" with the reason."""
    return _undefined(stored) or signed(stored["value"], places)


def _undefined(stored: dict[str, Any]) -> str:
    return f"undefined ({Reason(stored['reason']).words})" if stored["value"] is None else ""


@register.filter
def short_hash(sha256: str) -> str:
    """The first twelve digits, enough to tell two files apart by eye."""
    return sha256[:12]


@register.inclusion_tag("evaluation/task_links.html", takes_context=True)
def task_links(context: dict[str, Any], task: Task) -> dict[str, Any]:
    """The pages of a task that its reader can reach, for the top bar."""
    reader = context["user"]
    is_organizer = Task.objects.organized_by(reader).contains(task)
    return {
        "task": task,
        "is_organizer": is_organizer,
        "is_released": Task.objects.released_to(reader).contains(task),
        "has_runs": Run.objects.visible_to(reader).filter(task=task).exists(),
        "has_leaderboard": is_organizer or Qrels.objects.visible_to(reader).filter(task=task).exists(),
        "has_report": is_organizer or Report.objects.visible_to(reader).filter(task=task).exists(),
    }
