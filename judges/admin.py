"""Judges to add, and everything else of theirs to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages

from evaluation.admin.base import ReadOnlyAdmin, TracksideAdmin
from evaluation.core.errors import InputError
from evaluation.models import Pool
from judges.actions.create_judge import create_judge
from judges.actions.create_prompt import create_prompt
from judges.actions.fit_mapping import fit_mapping
from judges.actions.publish_job import publish_job
from judges.actions.retire_judge import retire_judge
from judges.actions.retry_job import retry_job
from judges.actions.set_cap import CapTooLow, set_cap
from judges.actions.start_job import start_job
from judges.core.costs import amount
from judges.forms.budget import BudgetForm
from judges.forms.judge import JudgeForm
from judges.forms.prompt import PromptForm
from judges.models import (
    Budget,
    Call,
    Job,
    Judge,
    LedgerEntry,
    Mapping,
    Price,
    Prompt,
    Rate,
    RequestFile,
    Shard,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.db.models import QuerySet
    from django.http import HttpRequest

    from evaluation.views.finding import SignedInRequest


def _each(request: HttpRequest, rows: Iterable[tuple[Any, ...]], act: Callable[..., str]) -> None:
    """Act on each row and say what came of it; one that cannot be done does not hold up the others."""
    for row in rows:
        try:
            messages.success(request, act(*row))
        except InputError as error:
            messages.error(request, str(error))


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
        _each(
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

        _each(request, ((judge,) for judge in judges), act)


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """Jobs with their progress."""

    track_path = "pool__task__track"
    list_display = ("judge", "pool", "state", "pairs", "scored", "gaps", "created_at", "finished_at")
    list_filter = (
        "state",
        ("judge", admin.RelatedOnlyFieldListFilter),
        ("pool", admin.RelatedOnlyFieldListFilter),
    )
    list_select_related = ("judge", "pool__task__track", "created_by")
    search_fields = ("judge__name", "pool__name")
    actions = ("retry", "publish")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        """With the counts that the list shows."""
        return super().get_queryset(request).with_progress()  # type: ignore[attr-defined, no-any-return]

    @admin.display(description="pairs")
    def pairs(self, job: Job) -> int:
        """How many pairs the pool has."""
        return job.pair_count

    @admin.display(description="scored")
    def scored(self, job: Job) -> int:
        """How many have a score."""
        return job.scored_count

    @admin.display(description="gaps")
    def gaps(self, job: Job) -> int:
        """How many ended without one."""
        return job.gap_count

    @admin.action(description="Retry the gaps", permissions=["view"])
    def retry(self, request: SignedInRequest, jobs: QuerySet[Job]) -> None:
        """Plan the failed calls anew."""

        def act(job: Job) -> str:
            retry_job(job=job, by=request.user)
            return f"Queued again: {job}."

        _each(request, ((job,) for job in jobs), act)

    @admin.action(description="Publish by paper-2024, frozen on the job's own pool", permissions=["view"])
    def publish(self, request: SignedInRequest, jobs: QuerySet[Job]) -> None:
        """Publish the grades by the latest thresholds of judge and pool; if there are none, by new ones."""

        def act(job: Job) -> str:
            frozen = Mapping.objects.filter(judge=job.judge, pool=job.pool).order_by("-created_at").first()
            mapping = frozen or fit_mapping(job=job, by=request.user)
            return f"Published: {publish_job(job=job, mapping=mapping, by=request.user)}."

        _each(request, ((job,) for job in jobs), act)


@admin.register(Shard)
class ShardAdmin(ReadOnlyAdmin):
    """What workers take up: where it stands, and why it was given up."""

    track_path = "job__pool__task__track"
    list_display = (
        "job",
        "side",
        "input_count",
        "encoded_count",
        "attempt_count",
        "claimed_at",
        "done_at",
        "error",
    )
    list_filter = (("job", admin.RelatedOnlyFieldListFilter), "side", ("done_at", admin.EmptyFieldListFilter))
    list_select_related = ("job__judge", "job__pool__task__track")
    exclude = ("inputs",)


@admin.register(RequestFile)
class RequestFileAdmin(ReadOnlyAdmin):
    """Files of requests, and how their batches stand at the endpoint."""

    track_path = "shard__job__pool__task__track"
    list_display = (
        "name",
        "state",
        "remote_state",
        "request_count",
        "answered_count",
        "submitted_at",
        "poll_at",
        "ended_at",
        "note",
    )
    list_filter = ("state", ("shard__job", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("shard__job__judge", "shard__job__pool__task__track")


@admin.register(Call)
class CallAdmin(ReadOnlyAdmin):
    """What became of each pair."""

    track_path = "job__pool__task__track"
    list_display = (
        "topic",
        "docno",
        "job",
        "state",
        "outcome",
        "raw_score",
        "cosine",
        "attempt_count",
        "ended_at",
    )
    list_filter = ("state", "outcome", ("job", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("job__judge", "job__pool__task__track")
    search_fields = ("topic", "docno")


@admin.register(Price)
class PriceAdmin(TracksideAdmin):
    """The price table. A running job keeps the price it was started at."""

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


@admin.register(Rate)
class RateAdmin(TracksideAdmin):
    """What endpoints allow a minute. Workers heed a change from their next request on."""

    list_display = ("endpoint", "model", "requests_per_minute", "tokens_per_minute", "in_flight")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The site's staff, whose keys they are."""
        return request.user.is_active and request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """The site's staff."""
        return request.user.is_active and request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """The site's staff."""
        return request.user.is_active and request.user.is_superuser


@admin.register(Prompt)
class PromptAdmin(TracksideAdmin):
    """Prompts to add to the built-in ones; a stored one never changes."""

    form = PromptForm
    list_display = ("name", "version", "answer", "sha256", "created_at", "created_by")
    list_select_related = ("created_by",)

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: a changed text is a new version."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: judges were made with it."""
        return False

    def save_model(  # type: ignore[override]  # the admin lets nobody in who is not signed in
        self,
        request: SignedInRequest,
        obj: Prompt,
        form: PromptForm,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Store the next version by the action, and let the admin go on with it."""
        obj.pk = create_prompt(name=obj.name, template=obj.template, answer=obj.answer, by=request.user).pk


@admin.register(Budget)
class BudgetAdmin(TracksideAdmin):
    """Caps to set on tracks and jobs; what is reserved and spent only workers write."""

    form = BudgetForm
    list_display = ("__str__", "cap", "reserved", "spent")
    readonly_fields = ("reserved", "spent")
    list_select_related = ("track", "job__judge", "job__pool__task__track")

    @admin.display(description="cap")
    def cap(self, budget: Budget) -> str:
        """The most that may be spent."""
        return "none" if budget.cap_micros is None else amount(budget.cap_micros)

    @admin.display(description="reserved")
    def reserved(self, budget: Budget) -> str:
        """What shards at work may still cost."""
        return amount(budget.reserved_micros)

    @admin.display(description="spent")
    def spent(self, budget: Budget) -> str:
        """What the ledger says of shards that are settled."""
        return amount(budget.spent_micros)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody: a budget comes with the first job."""
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
        """Set the cap by the action, which workers cannot run into."""
        try:
            set_cap(budget=obj, cap_micros=form.cap_micros, by=request.user)
        except CapTooLow as error:
            messages.error(request, str(error))


class OutcomeFilter(admin.AllValuesFieldListFilter):
    """By outcome; a request that is under way has none."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The choices of Django's filter, each with words to click."""
        for choice in super().choices(changelist):
            yield {**choice, "display": choice["display"] or "under way"}


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    """Every request that was sent, and what it cost."""

    track_path = "job__pool__task__track"
    list_display = ("__str__", "job", "outcome", "cost_micros", "input_tokens", "output_tokens", "sent_at")
    list_filter = (("outcome", OutcomeFilter), ("job", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("job__judge", "job__pool__task__track")


@admin.register(Mapping)
class MappingAdmin(ReadOnlyAdmin):
    """Frozen thresholds."""

    track_path = "pool__task__track"
    list_display = (
        "rule",
        "version",
        "judge",
        "pool",
        "thresholds",
        "score_count",
        "created_at",
        "created_by",
    )
    list_filter = (
        "rule",
        ("judge", admin.RelatedOnlyFieldListFilter),
        ("pool", admin.RelatedOnlyFieldListFilter),
    )
    list_select_related = ("judge", "pool__task__track", "created_by")
