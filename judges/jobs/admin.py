"""Admin of judges, prices and budgets; read-only, of the ledger, jobs, shards, request files and calls."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from evaluation.access.people import User
from evaluation.access.requests import SignedInRequest
from evaluation.web.admin.base import AddOnlyAdmin, TracksideAdmin, register_table
from judges.catalogue.actions import create_judge, retire_judge
from judges.catalogue.models import Judge
from judges.jobs.budgets import set_cap, set_ceiling
from judges.jobs.calls import Call
from judges.jobs.forms import BudgetForm, JudgeForm
from judges.jobs.models import Job
from judges.jobs.money import Budget, LedgerEntry, Price
from judges.jobs.shards import RequestFile, Shard
from trackside.errors import InputError
from trackside.judging.costs import amount


@admin.register(Judge)
class JudgeAdmin(AddOnlyAdmin):
    """Judges: the server loads their models, and a model may be a folder on it."""

    form = JudgeForm
    list_display = (
        "name",
        "track",
        "backend",
        "model",
        "long_text",
        "image_size",
        "dtype",
        "created_at",
        "retired_at",
    )
    list_select_related = ("track",)
    list_filter = ("backend", ("retired_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "model")
    actions = ("retire",)

    def add_row(self, row: Judge, form: JudgeForm, by: User) -> Judge:
        """Store the new judge."""
        return create_judge(
            name=row.name, settings=form.settings, by=by, task_kinds=row.task_kinds, track=row.track
        )

    @admin.action(description="Retire: no new jobs", permissions=["add"])
    def retire(self, request: SignedInRequest, judges: QuerySet[Judge]) -> None:
        """Retire the judges."""

        for judge in judges:
            try:
                retire_judge(judge=judge, by=request.user)
            except InputError as error:
                messages.error(request, str(error))
            else:
                messages.success(request, f"Retired: {judge}.")


register_table(  # a running job keeps the price of its start
    Price,
    "model endpoint input_price output_price image_tokens batch_percent changed_at",
    can="add change delete",
    search="model",
    list_filter=(),
)


@admin.register(Budget)
class BudgetAdmin(TracksideAdmin):
    """Budgets: staff set caps and ceilings of tracks, only workers write spending."""

    can = "change"  # the first job creates a budget
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
        """Return cap, ceiling and amounts."""
        return ["cap", "ceiling", "reserved", "spent"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        """Return the amounts, and the ceiling of a job, which has none."""
        return self.readonly_fields if _has_ceiling(obj) else ("ceiling", *self.readonly_fields)

    def save_model(  # type: ignore[override]  # the admin lets nobody in who is not signed in
        self,
        request: SignedInRequest,
        obj: Budget,
        form: BudgetForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Set the cap by the action, which locks the budget against workers."""
        try:
            if _has_ceiling(obj):
                set_ceiling(budget=obj, ceiling_micros=form.micros("ceiling"), by=request.user)
            set_cap(budget=obj, cap_micros=form.micros("cap"), by=request.user)
        except InputError as error:
            messages.error(request, str(error))


def _has_ceiling(budget: Budget | None) -> bool:
    return bool(budget and budget.track_id)


register_table(
    LedgerEntry,
    "__str__ job outcome cost_micros input_tokens output_tokens sent_at",
    track_path="job__pool__task__track",
    joins="job__judge",
)


register_table(
    Job,
    "judge pool state created_by created_at finished_at",
    track_path="pool__task__track",
    search="judge__name pool__name",
)


register_table(
    Shard,
    "job side input_count encoded_count attempt_count claimed_at done_at error",
    track_path="job__pool__task__track",
    joins="job__judge",
    exclude=("inputs", "readings"),
)


register_table(
    RequestFile,
    "name state remote_state request_count answered_count submitted_at poll_at ended_at note",
    track_path="shard__job__pool__task__track",
    joins="shard__job__judge",
)


register_table(
    Call,
    "topic docno job state outcome raw_score cosine attempt_count ended_at",
    track_path="job__pool__task__track",
    joins="job__judge",
    search="topic docno",
)
