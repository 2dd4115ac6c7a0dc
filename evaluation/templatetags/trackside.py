"""Template filters for times, durations, numbers and hashes; tags for a task's links."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.dates import MONTHS_3, WEEKDAYS_ABBR
from django.utils.formats import get_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from evaluation.platform.access.people import organizes
from evaluation.results.qrels.models import Qrels
from evaluation.results.reports.models import Report
from evaluation.submissions.runs.models import Run
from evaluation.templatetags import parts_of_pages
from evaluation.tracks.inquiries.models import tasks_to_ask_on
from evaluation.tracks.models import Task
from trackside.figures.shades import Shade, shade_of
from trackside.statistics.estimate import Reason
from trackside.text.markdown import markdown_html
from trackside.text.time_zones import day, zone_code
from trackside.text.time_zones import zone_title as title_of_zone

register = template.Library()
register.tags |= parts_of_pages.register.tags

ABSENT = "–"
MINUS = "\N{MINUS SIGN}"


@register.filter
def shade_on(grade: int | None, scale: Sequence[int]) -> Shade:
    """Return how a grade of the scale is shown: its shade, edge and label."""
    return shade_of(grade, scale)


@register.filter
def when(moment: datetime | None) -> str | SafeString:
    """Format a datetime in UTC as a ``time`` element; a dash if None.

    With JavaScript, countdown.js converts it to the reader's local time.
    """
    if moment is None:
        return ABSENT
    moment = moment.astimezone(UTC)
    text = f"{_long(moment)} UTC"
    return format_html('<time datetime="{}" data-local="long">{}</time>', stamp(moment), text)


def _long(moment: datetime) -> str:
    return _in_words(moment, gettext("{weekday} {day} {month} {year} {time}"))


def _in_words(moment: datetime, pattern: str) -> str:
    """Format a datetime in the language of the page; Django's date filter takes ten times as long."""
    return pattern.format(
        weekday=WEEKDAYS_ABBR[moment.weekday()],
        day=moment.day,
        month=str(MONTHS_3[moment.month]).title(),
        year=moment.year,
        time=f"{moment:%H:%M}",
    )


@register.filter
def recorded(value: object) -> object:
    """Format a recorded value for readers: a moment in ISO 8601 as `when` does, None as "nothing"."""
    if value is None:
        return "nothing"
    try:
        return when(datetime.fromisoformat(value)) if isinstance(value, str) and "T" in value else value
    except ValueError:
        return value


@register.filter
def spaced(name: str) -> str:
    """Return the name of a field in words."""
    return name.replace("_", " ")


@register.filter
def stamp(moment: datetime) -> str:
    """Format a datetime for scripts: ISO 8601 in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


@register.filter
def zoned(moment: datetime | None, zone: str) -> str | SafeString:
    """Format a datetime in a time zone (IANA name) as a ``time`` element; a dash if None."""
    if moment is None:
        return ABSENT
    local = moment.astimezone(ZoneInfo(zone))
    text = f"{_long(local)} {zone_code(local, zone)}"
    return format_html('<time datetime="{}">{}</time>', stamp(moment), text)


@register.filter
def date_in(moment: datetime, zone: str) -> SafeString:
    """Format the day in a zone (IANA name), without the time."""
    text = day(moment, zone).partition(",")[0]
    return format_html('<time datetime="{}">{}</time>', stamp(moment), text)


@register.filter
def zone_title(zone: str) -> str:
    """Return the zone's name for readers."""
    return title_of_zone(zone)


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
    text = _in_words(moment, gettext("{day} {month} {time}"))
    return format_html('<time datetime="{}" data-local="short">{}</time>', stamp(moment), text)


@register.filter
def clock_in(moment: datetime | None, zone: str) -> str | SafeString:
    """Format a datetime in a time zone (IANA name) without year and zone; the page names the zone once."""
    if moment is None:
        return ABSENT
    return format_html('<time datetime="{}">{}</time>', stamp(moment), clock_text(moment, zone))


@register.filter
def clock_text(moment: datetime, zone: str) -> str:
    """Return the text of `clock_in`."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local.day} {local:%b %H:%M}"


@register.filter
def day_in(moment: datetime | None, zone: str) -> str:
    """Format the day of a datetime in a time zone, such as "5 Dec"; a dash if None."""
    local = moment.astimezone(ZoneInfo(zone)) if moment else None
    return f"{local.day} {local:%b}" if local else ABSENT


@register.filter
def time_to(moment: datetime) -> str:
    """Format the time until a datetime, as days and hours ("2 d 21 h") or hours and minutes."""
    minutes = max(int((moment - timezone.now()) / timedelta(minutes=1)), 0)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    return f"{days} d {hours} h" if days else f"{hours} h {minutes} min"


@register.filter
def breakable(name: str) -> SafeString:
    """Allow a line break in a name: before a measure's level and cutoff (RR, (rel=2), @10), after "_"."""
    parts = re.split(r"(?=[(@])|(?<=_)", name)
    return format_html_join(mark_safe("<wbr>"), "{}", ((part,) for part in parts))


@register.filter
def thousands(count: int | None) -> str:
    """Format a count with the language's separators; a dash if None."""
    return (
        ABSENT
        if count is None
        else f"{count:,}".replace("-", MINUS).replace(",", get_format("THOUSAND_SEPARATOR"))
    )


@register.filter
def decimals(value: float | None, places: int = 4) -> str:
    """Format a number with commas, ``places`` decimals and a minus sign (U+2212); a dash if None."""
    return ABSENT if value is None else f"{value:z,.{places}f}".replace("-", MINUS)


@register.filter
def seconds(value: float | None) -> str:
    """Format seconds with one decimal, or as "below 1 s"; a dash if None."""
    if value is None:
        return ABSENT
    return "below 1 s" if value < 1 else f"{decimals(value, 1)} s"


@register.filter
def signed(value: float | None, places: int = 1) -> str:
    """Format a difference with its sign (minus is U+2212) and ``places`` decimals; a dash if None."""
    return ABSENT if value is None else f"{value:+z.{places}f}".replace("-", MINUS)


@register.filter
def percent(share: float | None) -> str:
    """Format a share from 0 to 1 as whole per cent; a dash if None."""
    return ABSENT if share is None else f"{100 * share:.0f} %"


@register.filter
def estimate(stored: dict[str, Any], places: int = 2) -> str:
    """Format a stored estimate with ``places`` decimals, or "undefined" with the reason."""
    return _undefined(stored) or decimals(stored["value"], places)


def _undefined(stored: dict[str, Any]) -> str:
    return f"undefined ({Reason(stored['reason']).words})" if stored["value"] is None else ""


@register.filter
def short_hash(sha256: str) -> str:
    """Return the first 12 digits, enough to distinguish two files by eye."""
    return sha256[:12]


@register.simple_tag
def page_language() -> str:
    """Return the language of the page as an HTML tag; the site's English is plain "en"."""
    language = get_language() or settings.LANGUAGE_CODE
    return "en" if language == settings.LANGUAGE_CODE else language


@register.simple_tag
def topic_link(task: Task, number: str, **choice: int) -> SafeString:
    """Return a link to the page of a topic, which shows what runs retrieved; ``a`` chooses the first run."""
    address = reverse("topic_list", args=[task.track.slug, task.slug])
    query = urlencode({"number": number, **choice})
    return format_html('<a class="tag" href="{}?{}">{}</a>', address, query, number)


ORGANIZER_PAGES = {
    "Set up": {
        "Steps": "setup",
        "Imports": "import_list",
        "Audit": "task_audit",
        "Long work": "work_list",
    },
    "Runs": {
        "Runs": "run_list",
        "Pool": "pool_build",
        "Leaderboard": "leaderboard",
        "Questions": "inquiry_list",
    },
    "Judging": {
        "Progress": "judging_progress",
        "Quality": "judging_quality",
        "Disagreements": "disagreement_list",
        "Models": "setup_judges",
    },
    "Results": {
        "Topics": "topic_list",
        "Report": "report_detail",
        "Test collection": "collection_release",
        "Release": "setup_release",
    },
}
OF_OTHER_TASKS = ("Pool", "Release", "Report")
PRACTICE_PAGES = {
    group: {name: view for name, view in views.items() if name not in OF_OTHER_TASKS}
    for group, views in ORGANIZER_PAGES.items()
    if group != "Judging"
}


@register.inclusion_tag("evaluation/task_links.html", takes_context=True)
def task_links(context: dict[str, Any], task: Task) -> dict[str, Any]:
    """Return the pages of a task that the reader may open, by group, and the one of this address."""
    reader, path = context["user"], context["request"].path
    if organizes(reader, task.track_id):
        pages = PRACTICE_PAGES if task.is_practice else ORGANIZER_PAGES
    else:
        is_visible = {
            "inquiry_list": tasks_to_ask_on(reader).contains(task),
            "topic_list": Task.objects.explored_by(reader).contains(task),
            "run_list": Run.objects.visible_to(reader).filter(task=task).exists(),
            "leaderboard": Qrels.objects.visible_to(reader).filter(task=task).exists(),
            "collection_release": Task.objects.released_to(reader).contains(task),
            "report_detail": Report.objects.visible_to(reader).filter(task=task).exists(),
        }
        every = {name: view for group in ORGANIZER_PAGES.values() for name, view in group.items()}
        pages = {"": {name: view for name, view in every.items() if is_visible.get(view)}}
    links = {
        group: [(name, reverse(view, args=[task.track.slug, task.slug])) for name, view in views.items()]
        for group, views in pages.items()
        if views
    }
    above = [link for group in links.values() for _, link in group if path.startswith(link)]
    return {"groups": links, "current": max(above, key=len, default="")}
