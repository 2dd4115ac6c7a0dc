"""Tracks, their tasks and the criteria people grade by."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages

from evaluation.actions.build_pool import build_pool
from evaluation.actions.create_criteria import create_criteria
from evaluation.actions.enqueue import enqueue
from evaluation.admin.base import TracksideAdmin
from evaluation.core.errors import InputError
from evaluation.core.time_zones import zoned
from evaluation.forms.pool_build import MAX_SEED
from evaluation.forms.setup import DATES, SubmissionQuestionForm, TaskForm, TeamLimitForm
from evaluation.models import Criteria, SubmissionQuestion, Task, TeamLimit, Track

if TYPE_CHECKING:
    from collections.abc import Callable

    from django import forms
    from django.db.models import QuerySet
    from django.http import HttpRequest

    from evaluation.models import User


def _shown(name: str) -> Callable[[Task], str]:
    @admin.display(description=name.removesuffix("_at"), ordering=name)
    def shown(task: Task) -> str:
        """The date in the task's zone."""
        moment = getattr(task, name)
        return zoned(moment, task.time_zone) if moment else "–"

    return shown


SHOWN_DATES = tuple(_shown(name) for name in DATES)


@admin.register(Track)
class TrackAdmin(TracksideAdmin):
    """One year of an evaluation. The site's staff open tracks; their organizers look after them."""

    track_path = "pk"
    list_display = ("name", "year", "slug", "created_at")
    list_filter = ("year",)
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = (
        (None, {"fields": ("name", "slug", "year", "description", "guidelines")}),
        ("At the release", {"fields": ("licence", "citation", "doi", "has_public_runs")}),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A new track has no organizer yet, so only the site's staff can make one."""
        return request.user.is_active and request.user.is_superuser


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
    actions = ("build_pools", "recompute_reports")
    fieldsets = (
        (None, {"fields": ("track", "name", "slug", "kind", "collection", "guidelines")}),
        ("Dates, in the zone chosen here", {"fields": ("time_zone", *DATES, "grace")}),
        ("Rules", {"fields": ("max_per_topic", "max_runs", "tag_max", "pool_depth", "baseline_pool_depth")}),
        ("Numbers", {"fields": ("relevance_level", "measures")}),
    )

    def save_model(self, request: HttpRequest, obj: Task, form: forms.ModelForm[Task], change: bool) -> None:  # noqa: FBT001 - Django's own signature
        """A new task gets the default criteria; other measures or another level want values of their own."""
        super().save_model(request, obj, form, change)
        create_criteria(task=obj)
        if change and {"measures", "relevance_level"} & set(form.changed_data):
            enqueue("evaluation.compute_report", obj.pk)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Task]:
        """The organizer's tasks, each with its phase."""
        return super().get_queryset(request).with_phase()  # type: ignore[attr-defined, no-any-return]

    @admin.display(ordering="opens_at")
    def phase(self, task: Task) -> str:
        """Where the task stands, by the database clock."""
        return task.phase

    @admin.action(description="Build a pool of the depths set for task and runs")
    def build_pools(self, request: HttpRequest, tasks: QuerySet[Task]) -> None:
        """Freeze one pool a task."""
        person = cast("User", request.user)  # the admin lets nobody in who is not signed in
        for task in tasks:
            name = f"pool {task.pools.count() + 1}"
            try:
                build_pool(task=task, name=name, seed=secrets.randbelow(MAX_SEED), by=person)
            except InputError as error:
                self.message_user(request, str(error), messages.ERROR)
            else:
                self.message_user(request, f"{task}: {name} is frozen.", messages.SUCCESS)

    @admin.action(description="Compute the report anew")
    def recompute_reports(self, request: HttpRequest, tasks: QuerySet[Task]) -> None:
        """Queue the computation of each report."""
        for task in tasks:
            enqueue("evaluation.compute_report", task.pk)
            self.message_user(request, f"{task}: the report is being computed.", messages.SUCCESS)


@admin.register(Criteria)
class CriteriaAdmin(TracksideAdmin):
    """Grade scales. Judgments name the version they were made under, so a change is a new version."""

    track_path = "task__track"
    list_display = ("task", "version", "created_at")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track",)
    ordering = ("task", "-version")

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """A version stays as it is."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """A version stays as it is."""
        return False


@admin.register(SubmissionQuestion)
class SubmissionQuestionAdmin(TracksideAdmin):
    """What the submission form asks."""

    track_path = "task__track"
    form = SubmissionQuestionForm
    fixed_fields = ("task",)
    list_display = ("text", "task", "place", "kind", "is_required")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track",)
    search_fields = ("name", "text")


@admin.register(TeamLimit)
class TeamLimitAdmin(TracksideAdmin):
    """Teams that may have more or fewer runs than others."""

    track_path = "task__track"
    form = TeamLimitForm
    fixed_fields = ("task", "team")
    list_display = ("team", "task", "max_runs")
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task__track", "team")
    search_fields = ("team__name",)
