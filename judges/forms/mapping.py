"""What scores become which grades."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from evaluation.models import Qrels, QrelsKind
from judges.core.rules import FIXED, PAPER, WORDS

if TYPE_CHECKING:
    from evaluation.models import Task


class MappingForm(forms.Form):
    """A rule, and what it needs: people's grades with the topics to fit on, or cuts. Empty is paper-2024."""

    rule = forms.ChoiceField(
        required=False, choices=[(name, f"{name}: {words}") for name, words in WORDS.items()]
    )
    share = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=99,
        initial=50,
        label="Topics to fit on, in per cent",
        help_text="For rules by people. Drawn by the seed; the judge’s qrels leave these topics out.",
    )
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**32 - 1, initial=0)
    lower = forms.FloatField(required=False, label="Grade 1 from", help_text="For cuts set by hand.")
    upper = forms.FloatField(required=False, label="Grade 2 from")

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        current = Qrels.objects.filter(task=task, kind=QrelsKind.HUMAN).current()
        known = Qrels.objects.filter(pk__in=current.values("pk")).order_by("-created_at")
        self.fields["people"] = forms.ModelChoiceField(
            known, required=False, empty_label="none" if not known else None, label="People’s grades"
        )
        self.order_fields(["rule", "people", "share", "seed", "lower", "upper"])

    def clean(self) -> dict[str, Any]:
        """Both cuts or none; cuts set by hand need them."""
        given = super().clean() or self.cleaned_data
        cuts = [given.get("lower"), given.get("upper")]
        if given.get("rule") == FIXED and None in cuts:
            self.add_error(None, "Give both cuts.")
        elif (cuts[0] is None) != (cuts[1] is None):
            self.add_error(None, "Give both cuts, or none.")
        return given

    @property
    def cuts(self) -> tuple[float, float] | None:
        """The cuts, None where none are given."""
        lower, upper = self.cleaned_data["lower"], self.cleaned_data["upper"]
        return None if lower is None or upper is None else (lower, upper)

    @property
    def order(self) -> dict[str, Any]:
        """What ``fit_mapping`` takes; cuts count where no other rule is named."""
        chosen = self.cleaned_data
        share = chosen["share"]
        return {
            "rule": chosen["rule"] or PAPER,
            "cuts": self.cuts if chosen["rule"] in {"", FIXED} else None,
            "people": chosen["people"],
            "share": 0.5 if share is None else share / 100,
            "seed": chosen["seed"] or 0,
        }
