"""Setting a cap."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms

from judges.core.costs import MICROS
from judges.models import Budget


class BudgetForm(forms.ModelForm):  # type: ignore[type-arg]  # no subscript at run time
    """The cap of a budget, in the currency of the price table."""

    cap = forms.DecimalField(
        required=False, min_value=0, max_digits=12, decimal_places=2, help_text="Empty: no limit."
    )

    class Meta:
        model = Budget
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.cap_micros is not None:
            self.fields["cap"].initial = Decimal(self.instance.cap_micros) / MICROS

    @property
    def cap_micros(self) -> int | None:
        """The cap as the budget keeps it."""
        cap = self.cleaned_data["cap"]
        return None if cap is None else int(cap * MICROS)
