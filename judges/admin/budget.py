"""Prices, caps and what was spent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages

from evaluation.admin.base import ReadOnlyAdmin, StaffAdmin, TracksideAdmin
from evaluation.core.errors import InputError
from judges.actions.set_cap import set_cap
from judges.core.costs import amount
from judges.forms.budget import BudgetForm
from judges.models import Budget, LedgerEntry, Price

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest

    from evaluation.views.finding import SignedInRequest


@admin.register(Price)
class PriceAdmin(StaffAdmin):
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
        except InputError as error:
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
