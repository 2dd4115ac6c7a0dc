"""Template filters for times, durations, numbers and hashes, and the tag with a task's links."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from evaluation.core.statistics.estimate import Reason
from evaluation.core.text.markdown import markdown_html
from evaluation.core.text.time_zones import zoned as in_zone
from evaluation.qrels.models import Qrels
from evaluation.reports.models import Report
from evaluation.runs.models import Run
from evaluation.tracks.models import Task

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

register = template.Library()

ABSENT = "–"
MINUS = "\N{MINUS SIGN}"


@register.filter
def when(moment: datetime | None) -> str | SafeString:
    """Format a datetime in UTC as a ``time`` element; a dash if None.

    With JavaScript, countdown.js converts it to the reader's local time.
    """
    if moment is None:
        return ABSENT
    moment = moment.astimezone(UTC)
    text = f"{moment:%a} {moment.day} {moment:%b %Y %H:%M} UTC"
    return format_html('<time datetime="{}" data-local="long">{}</time>', stamp(moment), text)


@register.filter
def stamp(moment: datetime) -> str:
    """Format a datetime for scripts: ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


@register.filter
def zoned(moment: datetime | None, zone: str) -> str | SafeString:
    """Format a datetime in a time zone (IANA name) as a ``time`` element; a dash if None."""
    if moment is None:
        return ABSENT
    return format_html('<time datetime="{}">{}</time>', stamp(moment), in_zone(moment, zone))


@register.filter
def markdown(text: str) -> SafeString:
    """Render Markdown as HTML, sanitized by core.markdown."""
    return mark_safe(markdown_html(text))  # noqa: S308 - sanitized: only allowed elements are left


@register.filter
def short_when(moment: datetime | None) -> str | SafeString:
    """Format a datetime like `when`, without year and zone; the column's heading names the zone."""
    if moment is None:
        return ABSENT
    moment = moment.astimezone(UTC)
    text = f"{moment.day} {moment:%b %H:%M}"
    return format_html('<time datetime="{}" data-local="short">{}</time>', stamp(moment), text)


@register.filter
def time_to(moment: datetime) -> str:
    """Format the time until a datetime, as days and hours ("2 d 21 h") or hours and minutes."""
    minutes = max(int((moment - timezone.now()) / timedelta(minutes=1)), 0)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    return f"{days} d {hours} h" if days else f"{hours} h {minutes} min"


@register.filter
def thousands(count: int | None) -> str:
    """Format a count with commas; a dash if None."""
    return ABSENT if count is None else f"{count:,}".replace("-", MINUS)


@register.filter
def decimals(value: float | None, places: int = 4) -> str:
    """Format a number with ``places`` decimals and a minus sign (U+2212); a dash if None."""
    return ABSENT if value is None else f"{value:.{places}f}".replace("-", MINUS)


@register.filter
def signed(value: float | None, places: int = 1) -> str:
    """Format a difference with its sign (minus is U+2212) and ``places`` decimals; a dash if None."""
    return ABSENT if value is None else f"{value:+.{places}f}".replace("-", MINUS)


@register.filter
def percent(share: float | None) -> str:
    """Format a share from 0 to 1 as whole per cent; a dash if None."""
    return ABSENT if share is None else f"{100 * share:.0f} %"


@register.filter
def estimate(stored: dict[str, Any], places: int = 2) -> str:
    """Format a stored estimate with ``places`` decimals, or "undefined" with the reason."""
    return _undefined(stored) or decimals(stored["value"], places)


@register.filter
def signed_estimate(stored: dict[str, Any], places: int = 1) -> str:
    """Format a stored difference with its sign and ``places`` decimals, or "undefined" with the reason."""
    return _undefined(stored) or signed(stored["value"], places)


def _undefined(stored: dict[str, Any]) -> str:
    return f"undefined ({Reason(stored['reason']).words})" if stored["value"] is None else ""


@register.filter
def short_hash(sha256: str) -> str:
    """Return the first 12 digits, enough to distinguish two files by eye."""
    return sha256[:12]


@register.inclusion_tag("evaluation/task_links.html", takes_context=True)
def task_links(context: dict[str, Any], task: Task) -> dict[str, Any]:
    """Return the context of the top bar: the pages of a task that the reader may open."""
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
