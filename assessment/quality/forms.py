"""Forms of adjudication."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from assessment.judging.forms import ShownForm
from assessment.models.judgment import Judgment
from evaluation.platform.access.people import Membership, Role, User
from evaluation.platform.access.requests import error_in
from evaluation.tracks.forms import LocalDateField
from evaluation.tracks.models import Task
from trackside.text.time_zones import localize, zone_title


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


class ExclusionForm(forms.Form):
    """Judgments that do not count: of a person in the task, in one topic, or in a time."""

    assessor = forms.ModelChoiceField(User.objects.none(), empty_label=None)
    topic = forms.CharField(max_length=255, required=False, help_text="Empty: all topics.")
    since = LocalDateField(label="Judged from")
    until = LocalDateField(
        label="Judged before", help_text="Empty: what the person judges later does not count either."
    )
    reason = forms.CharField(
        max_length=500,
        widget=forms.Textarea({"rows": 2}),
        help_text="Published with the qrels, which call the person A1 or A2: write no names.",
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = ZoneInfo(task.time_zone)
        judged = Judgment.objects.filter(task=task).order_by().values("assessor")
        people = User.objects.filter(pk__in=judged).order_by("name", "pk")
        self.fields["assessor"].queryset = people  # type: ignore[attr-defined]
        zone = zone_title(task.time_zone)
        self.fields["since"].help_text = f"Empty: from the first judgment on. Times are in {zone}."

    def clean(self) -> dict[str, Any]:
        """Localize the times in the task's zone, and refuse an end before the beginning."""
        chosen = super().clean() or self.cleaned_data
        for name in ("since", "until"):
            if entered := chosen.get(name):
                with error_in(self, name):
                    chosen[name] = localize(entered, self.zone)
        since, until = chosen.get("since"), chosen.get("until")
        if isinstance(since, datetime) and isinstance(until, datetime) and until <= since:
            self.add_error("until", "Choose a time after the first.")
        return chosen
