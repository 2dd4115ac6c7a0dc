"""Admin forms with rules that table constraints cannot express, such as rows of one track."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.postgres.forms import SimpleArrayField

from evaluation.core.errors import InputError
from evaluation.core.measures import parse_measures
from evaluation.core.text.time_zones import EPOCH, FUTURE, localize, zone_names, zone_title
from evaluation.runs.models import Run
from evaluation.runs.submission import SubmissionQuestion, TeamLimit
from evaluation.tracks.models import DATES, Task

if TYPE_CHECKING:
    from datetime import datetime

ZONES = [(name, zone_title(name)) for name in zone_names()]


class LocalDateField(forms.DateTimeField):
    """A local date and time; the form's zone applies."""

    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M:%S", attrs={"type": "datetime-local", "step": 1})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)

    def to_python(self, value: Any) -> datetime | None:
        """Return the naive local time."""
        entered = super().to_python(value)
        if entered and not EPOCH.year <= entered.year < FUTURE.year:
            raise forms.ValidationError(f"Write a year from {EPOCH.year} to {FUTURE.year - 1}.")
        return entered.replace(tzinfo=None, microsecond=0) if entered else None


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
        if sampled := [str(each) for each in measures if each.family.is_sampled]:
            raise forms.ValidationError(f"{sampled[0]} needs a sampled pool, so leaderboards cannot show it.")
        return list(dict.fromkeys(map(str, measures)))


class TaskForm(forms.ModelForm[Task]):
    """A task with its dates and limits."""

    time_zone = forms.ChoiceField(
        choices=ZONES,
        initial="UTC",
        help_text="Dates are entered here, and shown to everybody, in this zone.",
    )
    opens_at = LocalDateField()
    closes_at = LocalDateField(help_text="A run whose last byte has arrived by then is in time.")
    judging_at = LocalDateField(label="Judging opens at")
    releases_at = LocalDateField(help_text="Qrels, scores and the test collection are public from then on.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = ZoneInfo(self.instance.time_zone)
        for name in DATES:
            if moment := self.initial.get(name):
                self.initial[name] = moment.astimezone(zone).replace(tzinfo=None, microsecond=0)

    class Meta:
        model = Task
        fields = (
            "track",
            "slug",
            "name",
            "kind",
            "guidelines",
            "collection",
            "opens_at",
            "closes_at",
            "judging_at",
            "releases_at",
            "time_zone",
            "grace",
            "max_per_topic",
            "max_runs",
            "tag_max",
            "pool_depth",
            "baseline_pool_depth",
            "relevance_level",
            "measures",
        )
        field_classes = {"measures": MeasuresField}
        help_texts = {"guidelines": "Markdown, as a track's."}

    def clean(self) -> dict[str, Any]:
        """Reject a collection of another track, and a change of collection or kind once there are runs."""
        chosen = super().clean() or self.cleaned_data
        self._localize_dates(chosen)
        collection = chosen.get("collection")
        track = chosen.get("track", getattr(self.instance, "track", None))
        if collection and collection.track != track:
            self.add_error("collection", f"{collection} is of {collection.track}. Choose one of {track}.")
        self._reject_changes_under_runs()
        return chosen

    def _reject_changes_under_runs(self) -> None:
        changed = [name for name in ("collection", "kind") if name in self.changed_data]
        if changed and self.instance.pk and self.instance.runs.exists():
            for name in changed:
                self.add_error(name, f"Runs were checked against the {name}. Make a new task instead.")

    def _localize_dates(self, chosen: dict[str, Any]) -> None:
        """Localize the dates in the chosen zone; daylight saving time may skip or repeat a local time."""
        zone = ZoneInfo(chosen.get("time_zone") or "UTC")
        for name in DATES:
            if entered := chosen.get(name):
                try:
                    chosen[name] = localize(entered, zone)
                except InputError as error:
                    self.add_error(name, str(error))


class TeamLimitForm(forms.ModelForm[TeamLimit]):
    """How many runs one team may have in a task."""

    class Meta:
        model = TeamLimit
        fields = ("task", "team", "max_runs")

    def clean(self) -> dict[str, Any]:
        """Reject a team of another track."""
        chosen = super().clean() or self.cleaned_data
        task, team = chosen.get("task"), chosen.get("team")
        if task and team and team.track != task.track:
            self.add_error("team", f"{team} is a team of {team.track}. Choose one of {task.track}.")
        return chosen


class SubmissionQuestionForm(forms.ModelForm[SubmissionQuestion]):
    """A question on the submission form."""

    class Meta:
        model = SubmissionQuestion
        fields = ("task", "place", "name", "text", "kind", "choices", "is_required")

    def clean(self) -> dict[str, Any]:
        """Reject a change of the name once there are replies, which are stored under it."""
        chosen = super().clean() or self.cleaned_data
        if self.instance.pk and "name" in self.changed_data:
            before = self.initial["name"]
            if Run.objects.filter(task=self.instance.task, replies__has_key=before).exists():
                self.add_error("name", f"Runs have replies under the name '{before}'. Keep it.")
        return chosen
