"""Admin forms with rules that table constraints cannot express, such as rows of one track."""

from __future__ import annotations

from typing import Any

from django import forms

from evaluation.runs.models import Run
from evaluation.runs.submission import SubmissionQuestion, TeamLimit
from evaluation.tracks.forms import MeasuresField, TaskDatesForm
from evaluation.tracks.models import Task


class TaskForm(TaskDatesForm):
    """A task with its dates and limits."""

    class Meta:
        model = Task
        fields = (
            "track",
            "slug",
            "name",
            "kind",
            "guidelines",
            "collection",
            *TaskDatesForm.Meta.fields,
            "max_per_topic",
            "max_runs",
            "tag_max",
            "pool_depth",
            "baseline_pool_depth",
            "relevance_level",
            "measures",
        )
        field_classes = {"measures": MeasuresField}
        help_texts = {"guidelines": "Markdown, as in the guidelines of a track."}

    def clean(self) -> dict[str, Any]:
        """Reject a collection of another track, and a change of collection or kind once there are runs."""
        chosen = super().clean()
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
