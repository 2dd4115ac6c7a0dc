"""Forms of adjudication."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from assessment.judging.forms import A_DAY
from evaluation.access.people import Membership, Role, User
from evaluation.tracks.models import Task
from trackside.text.time_zones import EPOCH, FUTURE


class AdjudicateForm(forms.Form):
    """An adjudicator's grade of one item."""

    client_uuid = forms.UUIDField()
    image_sha256 = forms.RegexField(r"^[0-9a-f]{64}$", required=False)
    shown_at = forms.DateTimeField(validators=[MinValueValidator(EPOCH), MaxValueValidator(FUTURE)])
    active_seconds = forms.FloatField(min_value=0, max_value=A_DAY, required=False)
    grade = forms.IntegerField(min_value=-99, max_value=99)
    comment = forms.CharField(max_length=2000, required=False)
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
