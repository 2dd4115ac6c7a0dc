"""What the judging screen sends, and the form that shares out topics."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django import forms

from assessment.models import CannotJudge
from evaluation.models import Pool

if TYPE_CHECKING:
    from evaluation.models import Task

A_DAY = 86_400  # seconds
MAX_SEED = 2**32 - 1


class JudgmentForm(forms.Form):
    """One judgment as the screen sends it: a grade or a reason, and what was shown when."""

    client_uuid = forms.UUIDField()
    criteria_version = forms.IntegerField(min_value=1)
    image_sha256 = forms.RegexField(r"^[0-9a-f]{64}$", required=False)
    shown_at = forms.DateTimeField()
    active_seconds = forms.FloatField(min_value=0, max_value=A_DAY, required=False)
    grade = forms.IntegerField(min_value=-99, max_value=99, required=False)
    reason = forms.TypedChoiceField(
        choices=CannotJudge.choices, coerce=CannotJudge, empty_value=None, required=False
    )
    comment = forms.CharField(max_length=2000, required=False)

    def clean(self) -> dict[str, Any]:
        """Put the grade or the reason in ``mark``."""
        sent = super().clean() or self.cleaned_data
        given = [mark for mark in (sent.pop("grade", None), sent.pop("reason", None)) if mark is not None]
        if len(given) != 1 and not self.errors:
            raise forms.ValidationError("Choose a grade, or a reason why the item cannot be judged.")
        return sent | {"mark": given[0] if given else None}


class UndoForm(forms.Form):
    """Which judgment is undone, and the undo's own number."""

    undoes = forms.UUIDField()
    client_uuid = forms.UUIDField()


class TopicsAssignForm(forms.Form):
    """A pool whose topics are to be shared out."""

    pool = forms.ModelChoiceField(Pool.objects.none(), empty_label=None)
    second_percent = forms.IntegerField(
        label="Topics graded twice, per cent",
        min_value=0,
        max_value=100,
        initial=25,
        help_text="A second assessor grades these topics too, to show how far people agree.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=MAX_SEED, help_text="Decides ties, and which topics are graded twice."
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pool"].queryset = Pool.objects.filter(task=task)  # type: ignore[attr-defined]
        self.fields["seed"].initial = secrets.randbelow(MAX_SEED)
