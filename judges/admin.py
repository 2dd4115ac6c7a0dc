"""Models' judging in the admin: its tables and the columns of their lists; staff also add judges."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from evaluation.platform.access.requests import SignedInRequest
from evaluation.platform.web.admin import TracksideAdmin, register_table, register_tables
from judges.catalogue.actions import create_judge, retire_judge
from judges.catalogue.models import Judge
from judges.jobs.forms import JudgeForm
from judges.jobs.money import Budget
from trackside.errors import InputError
from trackside.judging.costs import amount


@admin.register(Judge)
class JudgeAdmin(TracksideAdmin):
    """Judges: the server loads their models, and a model may be a folder on it."""

    can = "add"
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

    def save_model(self, request: HttpRequest, obj: Judge, form: Any, change: Any) -> None:
        """Store the new judge, and pass its key to the admin."""
        by: Any = request.user
        obj.pk = create_judge(
            name=obj.name, settings=form.settings, by=by, task_kinds=obj.task_kinds, track=obj.track
        ).pk

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


def _money(name: str) -> Callable[[Budget], str]:
    """Return a column with an amount of a budget."""

    @admin.display(description=name)
    def column(budget: Budget) -> str:
        micros = getattr(budget, f"{name}_micros")
        return "none" if micros is None else amount(micros)

    return column


register_tables(
    "judges",
    {
        "Call": "topic docno job state outcome raw_score cosine attempt_count ended_at",
        "Comparison": "judge task asked_by asked_at ended_at error",
        "LedgerEntry": "__str__ job outcome cost_micros input_tokens output_tokens sent_at",
        "Mapping": "rule version judge pool thresholds score_count created_at created_by",
        "Prompt": "name track version answer text_sha256 source created_at created_by",
        "RequestFile": "name state remote_state request_count answered_count submitted_at poll_at ended_at "
        "note",
        "Trial": "judge task topic docno asked_by asked_at ended_at result error",
    },
)
register_table(
    "judges.Budget",
    "track job",
    list_display=("__str__", *map(_money, ("cap", "ceiling", "reserved", "spent"))),
    is_blinding=True,
)
register_table(  # a running job keeps the price of its start
    "judges.Price",
    "model endpoint input_price output_price image_tokens batch_percent changed_at",
    can="add change delete",
    list_filter=(),
)
register_table(
    "judges.Rate",
    "endpoint model requests_per_minute tokens_per_minute in_flight",
    can="add change delete",
    list_filter=(),
)
register_table("judges.Job", "judge pool state created_by created_at finished_at", exclude=("probe",))
register_table(
    "judges.Shard",
    "job side input_count encoded_count attempt_count claimed_at done_at error",
    exclude=("inputs", "readings"),
)
