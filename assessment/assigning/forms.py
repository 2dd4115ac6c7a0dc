"""Forms to assign topics and to change assignments."""

import secrets
from functools import partial
from typing import Any

from django import forms
from django.db import models

from assessment.assigning.actions import AssignmentChange
from assessment.assigning.lookups import find_assessors
from evaluation.platform.access.people import User
from evaluation.submissions.pools.forms import PoolChoiceField
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Task

MAX_SEED = 2**32 - 1


class AssignmentMethod(models.TextChoices):
    """How a pool is assigned."""

    TOPICS = "topics", "by topic: each has an owner"
    ITEMS = "items", "item by item: assessors take the next ones"


class TopicsAssignForm(forms.Form):
    """A pool to assign by topic or item by item."""

    pool = PoolChoiceField(Pool.objects.none(), empty_label=None)
    way = forms.ChoiceField(
        choices=AssignmentMethod.choices,
        initial=AssignmentMethod.TOPICS,
        required=False,
        help_text="By topic, an owner knows the whole topic, as at TREC. Item by item, many share a topic.",
    )
    second_percent = forms.IntegerField(
        label="Topics graded more than once, per cent",
        min_value=0,
        max_value=100,
        initial=25,
        help_text="Other assessors also grade these topics or items, to measure agreement.",
    )
    assessor_count = forms.IntegerField(
        label="Assessors for each of these",
        min_value=2,
        max_value=9,
        initial=2,
        required=False,
        help_text="Two by default.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=partial(secrets.randbelow, MAX_SEED),
        help_text="Decides ties, and which topics are graded more than once.",
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pool"].queryset = Pool.objects.filter(task=task)  # type: ignore[attr-defined]

    def clean_assessor_count(self) -> int:
        """Return the number, or 2 if empty."""
        return self.cleaned_data["assessor_count"] or 2

    @property
    def options(self) -> dict[str, Any]:
        """Return the checked values as JSON: the pool by its primary key."""
        values = self.cleaned_data
        return {
            "pool": values["pool"].pk,
            "is_by_items": values["way"] == AssignmentMethod.ITEMS,
            "percent": values["second_percent"],
            "assessor_count": values["assessor_count"],
            "seed": values["seed"],
        }


class AssignmentChangeForm(forms.Form):
    """A change of an assignment, and the new assessor of its topic."""

    what = forms.ChoiceField(label="What to do", choices=AssignmentChange.choices, widget=forms.RadioSelect)
    to = forms.ModelChoiceField(
        User.objects.none(),
        label="New assessor",
        required=False,
        empty_label="nobody",
        help_text="Required to give the topic to another assessor. The former owner's judgments still count.",
    )

    def __init__(self, *args: Any, pool: Pool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].queryset = find_assessors(pool=pool)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Require a new assessor to reassign a topic."""
        values = super().clean() or self.cleaned_data
        if values.get("what") == AssignmentChange.REASSIGN and not (values.get("to") or "to" in self.errors):
            self.add_error("to", "Choose the assessor who gets the topic.")
        return values
