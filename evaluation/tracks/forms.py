"""Form fields of dates and measures, and the form of a task's dates."""

import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.postgres.forms import SimpleArrayField

from evaluation.platform.access.requests import error_in
from evaluation.platform.web.opened_forms import OpenedForm
from evaluation.tracks.models import DATES, Task
from trackside.errors import InputError
from trackside.measuring import parse_measures
from trackside.text.time_zones import EPOCH, FUTURE, localize, zone_names, zone_title

GRACE_UNITS = {"d": "days", "h": "hours", "min": "minutes"}
ZONES = [(name, zone_title(name)) for name in zone_names()]


class LocalDateField(forms.DateTimeField):
    """A local date and time in the form's zone."""

    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M:%S", attrs={"type": "datetime-local", "step": 1})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False} | kwargs)

    def to_python(self, value: Any) -> datetime | None:
        """Return the naive local time."""
        entered = super().to_python(value)
        if entered and not EPOCH.year <= entered.year < FUTURE.year:
            raise forms.ValidationError(f"Write a year from {EPOCH.year} to {FUTURE.year - 1}.")
        return entered.replace(tzinfo=None, microsecond=0) if entered else None


class GraceField(forms.DurationField):
    """A length of time: `2 h`, `30 min`, `1 d`, `2:00` as hours and minutes, or as Django reads it."""

    def to_python(self, value: Any) -> timedelta | None:
        """Return the length. Raises ValidationError for a bare number, which could be of any unit."""
        text = str(value or "").strip()
        if text.isdecimal() and int(text):
            raise forms.ValidationError(f"Give the unit: {text} h, {text} min or {text} d.")
        if found := re.fullmatch(r"(\d{1,6}) ?(d|h|min)", text):
            return timedelta(**{GRACE_UNITS[found[2]]: int(found[1])})
        if found := re.fullmatch(r"(\d{1,4}):([0-5]\d)", text):
            return timedelta(hours=int(found[1]), minutes=int(found[2]))
        return super().to_python(value)


class MeasuresField(SimpleArrayField):
    """Names of measures separated by blanks, because a name may contain commas."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"delimiter": " "})

    def clean(self, value: str) -> list[str]:
        """Return the normalized names without duplicates, in the order given."""
        try:
            measures = parse_measures((value or "").split())
        except InputError as error:
            raise forms.ValidationError(str(error)) from error
        if sampled := [str(measure) for measure in measures if measure.family.is_sampled]:
            raise forms.ValidationError(f"{sampled[0]} needs a sampled pool, so leaderboards cannot show it.")
        return list(dict.fromkeys(map(str, measures)))


class TaskDatesForm(OpenedForm[Task]):
    """The dates of a task, entered in its own time zone."""

    time_zone = forms.ChoiceField(
        choices=ZONES,
        initial="UTC",
        help_text="Dates are entered here, and shown to everybody, in this zone.",
    )
    opens_at = LocalDateField()
    closes_at = LocalDateField(help_text="A run whose last byte has arrived by then is in time.")
    judging_at = LocalDateField(label="Judging opens at")
    releases_at = LocalDateField(
        help_text="Qrels, scores and the test collection are public from then on, once the release is "
        "confirmed on its page."
    )
    grace = GraceField(
        required=False,
        label="Grace after the close",
        help_text="Such as 2 h or 30 min. Runs that arrive in this time are accepted and marked as late.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.is_practice:
            for name in (*DATES[1:], "grace"):
                del self.fields[name]
        zone = ZoneInfo(self.instance.time_zone)
        for name in DATES:
            if moment := self.initial.get(name):
                self.initial[name] = moment.astimezone(zone).replace(tzinfo=None, microsecond=0)

    class Meta:
        model = Task
        fields = ("time_zone", *DATES, "grace")

    def clean(self) -> dict[str, Any]:
        """Localize the dates in the chosen zone; daylight saving time may skip or repeat a local time.

        An empty grace is stored as no grace period.
        """
        chosen = super().clean() or self.cleaned_data
        if "grace" in chosen:
            chosen["grace"] = chosen["grace"] or timedelta()
        zone = ZoneInfo(chosen.get("time_zone") or "UTC")
        for name in DATES:
            if entered := chosen.get(name):
                with error_in(self, name):
                    chosen[name] = localize(entered, zone)
        return chosen
