"""Making one judge of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from evaluation.models import Qrels, QrelsKind
from judges.actions.create_ensemble import CalibrationChoice
from judges.core.ensembles import MOST_MEMBERS, Rule
from judges.models import Job, Judge

if TYPE_CHECKING:
    from evaluation.models import Task

RULES = {
    Rule.MEAN: "mean of the members’ grades",
    Rule.MAJORITY: "the grade that most members give",
    Rule.VOTES: "votes: a threshold for each member, then the majority",
}


class EnsembleForm(forms.Form):
    """Members among the judges with a completed job on the task, and how they become one judge."""

    name = forms.SlugField(max_length=60)
    rule = forms.TypedChoiceField(choices=[(rule, RULES[rule]) for rule in Rule], coerce=Rule)
    judges = forms.ModelMultipleChoiceField(
        Judge.objects.none(), label="Members", help_text="At least two, each with a completed job."
    )
    tie_breaker = forms.ModelChoiceField(
        Judge.objects.none(), empty_label=None, help_text="A member: its grade decides where others are even."
    )
    quorum = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_MEMBERS,
        help_text="Members that must have a grade; with fewer a pair is a gap. Empty: more than half.",
    )
    qrels = forms.ModelChoiceField(
        Qrels.objects.none(),
        required=False,
        empty_label="none",
        label="For votes: calibrate on",
        help_text="Each member’s threshold is the one with the best F1 against these grades.",
    )
    level = forms.TypedChoiceField(
        required=False, choices=[(1, "1"), (2, "2")], coerce=int, label="For votes: relevant from grade"
    )
    percent = forms.IntegerField(
        required=False,
        initial=25,
        min_value=1,
        max_value=90,
        label="For votes: per cent of the topics",
        help_text="They calibrate, so they stay out of the ensemble’s grades.",
    )
    seed = forms.IntegerField(
        required=False, initial=0, min_value=0, max_value=2**31 - 1, label="For votes: seed of the draw"
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        done = Job.objects.completed().filter(pool__task=task)
        judges = Judge.objects.filter(pk__in=done.values("judge")).exclude(backend="ensemble")
        fields: dict[str, Any] = self.fields
        fields["judges"].queryset = fields["tie_breaker"].queryset = judges
        fields["qrels"].queryset = Qrels.objects.current().filter(task=task).exclude(kind=QrelsKind.MODEL)

    def clean(self) -> dict[str, Any]:
        """Votes need qrels."""
        chosen = super().clean() or self.cleaned_data
        if chosen.get("rule") == Rule.VOTES and not chosen.get("qrels"):
            self.add_error("qrels", "Votes need people’s grades to calibrate on. Publish some first.")
        return chosen

    @property
    def order(self) -> dict[str, Any]:
        """What ``create_ensemble`` takes."""
        given = self.cleaned_data
        choice = None
        if given["rule"] == Rule.VOTES:
            share = (given["percent"] or 25) / 100
            choice = CalibrationChoice(given["qrels"], given["level"] or 1, share, given["seed"] or 0)
        names = ("name", "rule", "judges", "tie_breaker", "quorum")
        return {name: given[name] for name in names} | {"choice": choice}
