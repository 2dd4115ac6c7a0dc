"""Forms of the setup nouns: what a table constraint cannot say about rows of one track."""

from __future__ import annotations

from typing import Any

from django import forms

from evaluation.models import Membership, Run, Task


class MembershipForm(forms.ModelForm[Membership]):
    """A role in a track."""

    class Meta:
        model = Membership
        fields = ("user", "track", "role", "team")

    def clean(self) -> dict[str, Any]:
        """Refuse a team of another track."""
        chosen = super().clean() or self.cleaned_data
        team = chosen.get("team")
        if team and team.track != chosen.get("track"):
            self.add_error("team", f"{team} is a team of {team.track}. Choose one of the track above.")
        return chosen


class TaskForm(forms.ModelForm[Task]):
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
            "opens_at",
            "closes_at",
            "judging_at",
            "releases_at",
            "max_per_topic",
            "pool_depth",
            "baseline_pool_depth",
            "relevance_level",
        )

    def clean(self) -> dict[str, Any]:
        """Refuse a collection of another track, and another collection once there are runs."""
        chosen = super().clean() or self.cleaned_data
        collection = chosen.get("collection")
        track = chosen.get("track", getattr(self.instance, "track", None))
        if collection and collection.track != track:
            self.add_error("collection", f"{collection} is of {collection.track}. Choose one of {track}.")
        if self.instance.pk and "collection" in self.changed_data and self.instance.runs.exists():
            self.add_error("collection", "Runs were checked against the collection. Make a new task instead.")
        return chosen


class RunMetadataForm(forms.ModelForm[Run]):
    """What organizers say about a run."""

    class Meta:
        model = Run
        fields = ("description", "families", "pool_depth")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "families" in self.fields:
            families = self.fields["families"]
            families.queryset = families.queryset.filter(task=self.instance.task)  # type: ignore[attr-defined]
