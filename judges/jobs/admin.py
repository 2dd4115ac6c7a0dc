"""Admin of judges, prices, budgets and the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from evaluation.access.people import User
from evaluation.access.requests import SignedInRequest
from evaluation.pools.models import Pool
from evaluation.web.admin.base import (
    AddOnlyAdmin,
    StaffAdmin,
    TracksideAdmin,
    register_read_only,
)
from judges.catalogue.actions import create_judge, retire_judge
from judges.catalogue.models import Judge
from judges.jobs.budgets import set_cap, set_ceiling
from judges.jobs.forms import BudgetForm, JudgeForm
from judges.jobs.money import Budget, LedgerEntry, Price
from judges.jobs.starting import start_job
from trackside.errors import InputError
from trackside.judging.costs import amount


def act_on_each(request: HttpRequest, rows: Iterable[tuple[Any, ...]], act: Callable[..., str]) -> None:
    """Act on each row and show a message for each; an InputError of one row does not stop the others."""
    for row in rows:
        try:
            messages.success(request, act(*row))
        except InputError as error:
            messages.error(request, str(error))


@admin.register(Judge)
class JudgeAdmin(AddOnlyAdmin):
    """Judges of the site and of the user's tracks. Only staff add them: the server loads their models."""

    form = JudgeForm
    list_display = (
        "name",
        "track",
        "backend",
        "model_name",
        "long_text",
        "image_size",
        "dtype",
        "created_at",
        "retired_at",
    )
    list_select_related = ("track",)
    list_filter = ("backend", ("retired_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "model")
    actions = ("start_on_latest_pools", "retire")

    @admin.display(description="model", ordering="model")
    def model_name(self, judge: Judge) -> str:
        """The model's name; for a folder on the server only its last part."""
        return judge.model_name

    def get_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        """Return the settings; only staff see the paths of models on the server."""
        fields = super().get_fields(request, obj)
        if request.user.is_superuser:
            return fields
        return ["model_name" if name == "model" else name for name in fields]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Staff only: a judge's model may be a folder on the server."""
        return request.user.is_active and request.user.is_superuser

    def add_row(self, row: Judge, form: JudgeForm, by: User) -> Judge:
        """Store the new judge."""
        return create_judge(
            name=row.name, settings=form.settings, by=by, task_kinds=row.task_kinds, track=row.track
        )

    @admin.action(description="Start a job on the latest pool of each of my tasks", permissions=["view"])
    def start_on_latest_pools(self, request: SignedInRequest, judges: QuerySet[Judge]) -> None:
        """Start one job for each judge and task."""
        latest = Pool.objects.visible_to(request.user).order_by("task_id", "-created_at").distinct("task_id")
        pairs = [(judge, pool) for judge in judges for pool in latest.select_related("task__track")]
        act_on_each(
            request,
            pairs,
            lambda judge, pool: f"Queued: {start_job(judge=judge, pool=pool, by=request.user)}.",
        )

    @admin.action(description="Retire: no new jobs", permissions=["add"])
    def retire(self, request: SignedInRequest, judges: QuerySet[Judge]) -> None:
        """Retire the judges."""

        def act(judge: Judge) -> str:
            retire_judge(judge=judge, by=request.user)
            return f"Retired: {judge}."

        act_on_each(request, ((judge,) for judge in judges), act)


@admin.register(Price)
class PriceAdmin(StaffAdmin):
    """The price table. A running job keeps the price of its start."""

    list_display = (
        "model",
        "endpoint",
        "input_price",
        "output_price",
        "image_tokens",
        "batch_percent",
        "changed_at",
    )
    search_fields = ("model",)


@admin.register(Budget)
class BudgetAdmin(TracksideAdmin):
    """Budgets: organizers set caps of tracks and jobs, staff set ceilings, only workers write spending."""

    form = BudgetForm
    list_display = ("__str__", "cap", "ceiling", "reserved", "spent")
    readonly_fields = ("reserved", "spent")
    list_select_related = ("track", "job__judge", "job__pool__task__track")

    @admin.display(description="cap")
    def cap(self, budget: Budget) -> str:
        """The spending limit that the organizers set."""
        return "none" if budget.cap_micros is None else amount(budget.cap_micros)

    @admin.display(description="ceiling")
    def ceiling(self, budget: Budget) -> str:
        """The highest cap that the staff allow."""
        return "none" if budget.ceiling_micros is None else amount(budget.ceiling_micros)

    @admin.display(description="reserved")
    def reserved(self, budget: Budget) -> str:
        """The money that active shards may still cost."""
        return amount(budget.reserved_micros)

    @admin.display(description="spent")
    def spent(self, budget: Budget) -> str:
        """The ledger's total of settled shards."""
        return amount(budget.spent_micros)

    def get_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        """Return cap, ceiling and amounts; only staff can edit a track's ceiling."""
        return ["cap", "ceiling", "reserved", "spent"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        """Return the amounts, and the ceiling for people who may not set it."""
        return self.readonly_fields if _sets_ceiling(request, obj) else ("ceiling", *self.readonly_fields)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody: the first job creates a budget."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody."""
        return False

    def save_model(  # type: ignore[override]  # the admin lets nobody in who is not signed in
        self,
        request: SignedInRequest,
        obj: Budget,
        form: BudgetForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Set the cap by the action, which locks the budget against workers."""
        try:
            if _sets_ceiling(request, obj):
                set_ceiling(budget=obj, ceiling_micros=form.micros("ceiling"), by=request.user)
            set_cap(budget=obj, cap_micros=form.micros("cap"), by=request.user)
        except InputError as error:
            messages.error(request, str(error))


def _sets_ceiling(request: HttpRequest, budget: Budget | None) -> bool:
    return bool(request.user.is_superuser and budget and budget.track_id)


register_read_only(
    LedgerEntry,
    "__str__ job outcome cost_micros input_tokens output_tokens sent_at",
    track_path="job__pool__task__track",
    joins="job__judge",
)
