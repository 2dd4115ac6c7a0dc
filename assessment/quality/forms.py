"""Forms of adjudication."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from evaluation.access.people import Membership, Role, User

if TYPE_CHECKING:
    from evaluation.tracks.models import Task


class AdjudicateForm(forms.Form):
    """The head assessor's grade of one item."""

    topic = forms.CharField(max_length=255)
    docno = forms.CharField(max_length=255)
    grade = forms.IntegerField(min_value=-99, max_value=99)
    comment = forms.CharField(max_length=2000, required=False)


class HandOverForm(forms.Form):
    """The assessor who settles the open disagreements, blind."""

    to = forms.ModelChoiceField(User.objects.none(), label="Third assessor", empty_label=None)

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = Membership.objects.filter(track=task.track_id, role=Role.ASSESSOR).values("user")
        self.fields["to"].queryset = User.objects.filter(is_active=True, pk__in=members)  # type: ignore[attr-defined]
