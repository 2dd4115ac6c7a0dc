"""The form of the training page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from assessment.models.gold import GoldItem

if TYPE_CHECKING:
    from evaluation.tracks.models import Task


class TrainingForm(forms.Form):
    """A grade for a training item of the task."""

    item = forms.ModelChoiceField(GoldItem.objects.none())
    grade = forms.IntegerField(min_value=-99, max_value=99)

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["item"].queryset = GoldItem.objects.filter(task=task)  # type: ignore[attr-defined]
