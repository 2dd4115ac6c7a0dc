"""Forms of adjudication."""

from typing import Any

from django import forms

from assessment.judging.forms import ShownForm
from evaluation.access.people import Membership, Role, User
from evaluation.tracks.models import Task


class AdjudicateForm(ShownForm):
    """An adjudicator's grade of one item."""

    grade = forms.IntegerField(min_value=-99, max_value=99)
    saw_record = forms.BooleanField(required=False)


class ReasonForm(forms.Form):
    """The reason of an adjudication."""

    client_uuid = forms.UUIDField()
    comment = forms.CharField(max_length=2000, required=False)


class HandOverForm(forms.Form):
    """The assessor who settles the open disagreements, blind."""

    to = forms.ModelChoiceField(User.objects.none(), label="Third assessor", empty_label=None)

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = Membership.objects.filter(track=task.track_id, role=Role.ASSESSOR).values("user")
        self.fields["to"].queryset = User.objects.filter(is_active=True, pk__in=members)  # type: ignore[attr-defined]
