"""Judges to add, to start and to retire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from evaluation.admin.base import TracksideAdmin
from evaluation.models import Pool
from judges.actions.create_judge import create_judge
from judges.actions.retire_judge import retire_judge
from judges.actions.start_job import start_job
from judges.admin.acting import act_on_each
from judges.forms.judge import JudgeForm
from judges.models import Judge

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

    from evaluation.views.finding import SignedInRequest


@admin.register(Judge)
class JudgeAdmin(TracksideAdmin):
    """Judges: new ones by the site's staff, whose server loads the models; a stored one never changes."""

    form = JudgeForm
    list_display = (
        "name",
        "backend",
        "model",
        "long_text",
        "image_size",
        "dtype",
        "created_at",
        "retired_at",
    )
    list_filter = ("backend", ("retired_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "model")
    actions = ("start_on_latest_pools", "retire")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The site's staff: a judge names files on the server."""
        return request.user.is_active and request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: another setting makes another judge."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: qrels name their judge."""
        return False

    def save_model(  # type: ignore[override]  # the admin lets nobody in who is not signed in
        self,
        request: SignedInRequest,
        obj: Judge,
        form: JudgeForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Store the new judge by the action, and let the admin go on with it."""
        obj.pk = create_judge(
            name=obj.name, settings=form.settings, by=request.user, task_kinds=obj.task_kinds
        ).pk

    @admin.action(description="Start a job on the latest pool of each of my tasks", permissions=["view"])
    def start_on_latest_pools(self, request: SignedInRequest, judges: QuerySet[Judge]) -> None:
        """One job for each judge and task."""
        latest = Pool.objects.visible_to(request.user).order_by("task_id", "-created_at").distinct("task_id")
        pairs = [(judge, pool) for judge in judges for pool in latest.select_related("task__track")]
        act_on_each(
            request,
            pairs,
            lambda judge, pool: f"Queued: {start_job(judge=judge, pool=pool, by=request.user)}.",
        )

    @admin.action(description="Retire: no new jobs", permissions=["add"])
    def retire(self, request: SignedInRequest, judges: QuerySet[Judge]) -> None:
        """Take the judges out of use."""

        def act(judge: Judge) -> str:
            retire_judge(judge=judge, by=request.user)
            return f"Retired: {judge}."

        act_on_each(request, ((judge,) for judge in judges), act)
