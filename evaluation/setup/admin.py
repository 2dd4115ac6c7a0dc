"""Admin of tracks, tasks and criteria: what the steps of setting up change, too."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from evaluation.setup.forms import visible_name
from evaluation.tracks.actions import create_criteria
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.forms import MeasuresField, TaskDatesForm
from evaluation.tracks.models import DATES, Task, Track
from evaluation.web.admin.base import TracksideAdmin
from evaluation.work.recomputing.actions import ask_results
from trackside.text.time_zones import format_in_zone


def _shown(name: str) -> Callable[[Task], str]:
    @admin.display(description=name.removesuffix("_at"), ordering=name)
    def shown(task: Task) -> str:
        """Return the date in the task's time zone."""
        moment = getattr(task, name)
        return format_in_zone(moment, task.time_zone) if moment else "–"

    return shown


SHOWN_DATES = tuple(_shown(name) for name in DATES)


@admin.register(Track)
class TrackAdmin(TracksideAdmin):
    """One year of an evaluation. The site's staff create tracks; their organizers edit them."""

    can, staff_can = "change delete", "add"  # a new track has no organizer yet
    track_path = "pk"
    list_display = ("name", "year", "slug", "created_at")
    list_filter = ("year",)
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = (
        (None, {"fields": ("name", "slug", "year", "description", "guidelines")}),
        ("At the release", {"fields": ("licence", "citation", "doi", "has_public_runs")}),
    )


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

    def clean_name(self) -> str:
        """Reject invisible characters, as the steps of setting up do."""
        return visible_name(self.cleaned_data["name"])

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


@admin.register(Task)
class TaskAdmin(TracksideAdmin):
    """A task with its dates and limits."""

    track_path = "track"
    form = TaskForm
    fixed_fields = ("track",)
    list_display = ("name", "track", "kind", "phase", *SHOWN_DATES)
    list_filter = ("kind", ("track", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("track",)
    search_fields = ("name", "slug")
    actions = ("recompute_reports",)
    fieldsets = (
        (None, {"fields": ("track", "name", "slug", "kind", "collection", "guidelines")}),
        ("Dates, in the zone chosen here", {"fields": ("time_zone", *DATES, "grace")}),
        ("Rules", {"fields": ("max_per_topic", "max_runs", "tag_max", "pool_depth", "baseline_pool_depth")}),
        ("Numbers", {"fields": ("relevance_level", "measures")}),
    )

    def save_model(self, request: HttpRequest, obj: Task, form: forms.ModelForm[Task], change: bool) -> None:  # noqa: FBT001 - Django's own signature
        """Give a new task the default criteria."""
        super().save_model(request, obj, form, change)
        create_criteria(task=obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Task]:
        """Return the organizer's tasks, annotated with their phase."""
        return super().get_queryset(request).with_phase()  # type: ignore[attr-defined, no-any-return]

    @admin.display(ordering="opens_at")
    def phase(self, task: Task) -> str:
        """Return the phase of the task, by the database clock."""
        return task.phase

    @admin.action(description="Recompute the report")
    def recompute_reports(self, request: HttpRequest, tasks: QuerySet[Task]) -> None:
        """Queue the computation of each report."""
        for task in tasks:
            ask_results(task_id=task.pk)
            self.message_user(request, f"{task}: the report is being computed.", messages.SUCCESS)


@admin.register(Criteria)
class CriteriaAdmin(TracksideAdmin):
    """Grade scales. After the first judgment by a version, a change needs a new version."""

    track_path = "task__track"
    fixed_fields = ("task", "version")
    readonly_fields = ("frozen_at",)
    list_display = ("task", "version", "created_at")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track",)
    ordering = ("task", "-version")

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Allow changes until the first judgment by the version."""
        return self._is_theirs(request, obj) and (obj is None or obj.frozen_at is None)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Allow deletion until the first judgment by the version; a task keeps at least one version."""
        if obj is None:
            return self._is_theirs(request, None)
        others = Criteria.objects.filter(task=obj.task_id).exclude(pk=obj.pk)
        return self.has_change_permission(request, obj) and others.exists()
