"""The form of one upload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Q

from evaluation.forms.run_description import RunDescriptionForm
from evaluation.models import Task, Team, Track

if TYPE_CHECKING:
    from evaluation.models import User


class RunUploadForm(RunDescriptionForm):
    """A run file, whose it is and what made it."""

    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None)
    file = forms.FileField(
        label="Run file",
        help_text="Six columns a line: topic, Q0, docno, rank, score, tag. Plain or packed with gzip.",
    )
    field_order = ("team", "file")

    def __init__(self, *args: Any, task: Task, by: User, **kwargs: Any) -> None:
        teams = teams_to_upload_for(task, by)
        # Baselines need no replies; which of its teams an organizer chooses is known on arrival.
        has_baselines = teams.filter(is_baseline=True).exists()
        super().__init__(*args, task=task, needs_replies=not has_baselines, **kwargs)
        self.fields["team"].queryset = teams  # type: ignore[attr-defined]


def teams_to_upload_for(task: Task, by: User) -> Any:
    """One's own teams in the task's track; for its organizers the baselines' teams as well."""
    ways = Q(pk__in=Team.objects.of_member(by).values("pk"))
    if Track.objects.organized_by(by).contains(task.track):
        ways |= Q(is_baseline=True)
    return Team.objects.filter(ways, track=task.track)
