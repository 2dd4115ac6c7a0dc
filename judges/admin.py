"""Admin: staff add judges, prices and rates and set budgets; all other tables of the app are read-only."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from evaluation.access.people import User
from evaluation.access.requests import SignedInRequest
from evaluation.web.admin import AddOnlyAdmin, TracksideAdmin, register_table
from judges.catalogue.actions import create_judge, retire_judge
from judges.catalogue.models import Judge, Rate
from judges.grades.models import Mapping
from judges.jobs.budgets import set_cap, set_ceiling
from judges.jobs.calls import Call
from judges.jobs.forms import BudgetForm, JudgeForm
from judges.jobs.models import Job
from judges.jobs.money import Budget, LedgerEntry, Price
from judges.jobs.shards import RequestFile, Shard
from judges.prompts.models import Prompt
from judges.trials.models import Comparison, Trial
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


def _money(name: str) -> Callable[[Any, Budget], str]:
    """Return a column with an amount of a budget."""

    @admin.display(description=name)
    def column(_admin: Any, budget: Budget) -> str:
        micros = getattr(budget, f"{name}_micros")
        return "none" if micros is None else amount(micros)

    return column


@admin.register(Budget)
class BudgetAdmin(TracksideAdmin):
    """Budgets: staff set caps and ceilings of tracks, only workers write spending."""

    can = "change"  # the first job creates a budget
    form = BudgetForm
    list_display = ("__str__", "cap", "ceiling", "reserved", "spent")
    readonly_fields = ("reserved", "spent")
    list_select_related = ("track", "job__judge", "job__pool__task__track")

    cap, ceiling, reserved, spent = map(_money, ("cap", "ceiling", "reserved", "spent"))

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
                set_ceiling(budget=obj, ceiling_micros=form.cleaned_data["ceiling"], by=request.user)
            set_cap(budget=obj, cap_micros=form.cleaned_data["cap"], by=request.user)
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


register_table(
    Rate,
    "endpoint model requests_per_minute tokens_per_minute in_flight",
    can="add change delete",
    list_filter=(),
)


register_table(
    Mapping,
    "rule version judge pool thresholds score_count created_at created_by",
    track_path="pool__task__track",
)


register_table(Prompt, "name track version answer text_sha256 source created_at created_by", search="name")


register_table(
    Trial, "judge task topic docno asked_by asked_at ended_at result error", track_path="task__track"
)
register_table(Comparison, "judge task asked_by asked_at ended_at error", track_path="task__track")
