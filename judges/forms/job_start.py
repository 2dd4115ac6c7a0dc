"""Starting a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from evaluation.models import Pool
from judges.core.costs import MICROS
from judges.models import Judge

if TYPE_CHECKING:
    from evaluation.models import Task

OF_FILES = ("imported",)  # judges whose scores exist already: no job can be started


class JobStartForm(forms.Form):
    """A judge that takes the task's kind, and one of the task's pools, the latest first."""

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        judges = Judge.objects.in_use().filter(task_kinds__contains=[task.kind]).exclude(backend__in=OF_FILES)
        pools = Pool.objects.filter(task=task).order_by("-created_at")
        self.fields["judge"] = forms.ModelChoiceField(judges, empty_label=None)
        self.fields["pool"] = forms.ModelChoiceField(pools, empty_label=None)
        self.fields["budget"] = forms.DecimalField(
            required=False,
            min_value=0,
            max_digits=12,
            decimal_places=2,
            help_text="The most that the job may cost, in the currency of the price table. Empty: no limit "
            "but the track’s.",
        )
        self.fields["priority"] = forms.IntegerField(
            required=False, initial=0, min_value=-9, max_value=9, help_text="Higher goes first."
        )

    @property
    def order(self) -> dict[str, Any]:
        """What ``start_job`` takes."""
        budget = self.cleaned_data["budget"]
        return {
            "judge": self.cleaned_data["judge"],
            "pool": self.cleaned_data["pool"],
            "cap_micros": None if budget is None else int(budget * MICROS),
            "priority": self.cleaned_data["priority"] or 0,
        }
