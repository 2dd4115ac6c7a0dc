"""What to see of the changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import Q

from evaluation.models import User
from evaluation.models.audit import event_models, verbose_name

if TYPE_CHECKING:
    from evaluation.models import Track


class AuditForm(forms.Form):
    """Changes of one kind of thing, or by one person."""

    model = forms.ChoiceField(label="What", required=False)
    person = forms.ModelChoiceField(User.objects.none(), label="By", required=False, empty_label="anybody")

    def __init__(self, *args: Any, track: Track | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        models = {label: verbose_name(event.pgh_tracked_model) for label, event in event_models().items()}
        self.fields["model"].choices = [("", "anything"), *models.items()]  # type: ignore[attr-defined]
        people = User.objects.order_by("name", "email")
        if track:
            people = people.filter(Q(memberships__track=track) | Q(is_superuser=True)).distinct()
        self.fields["person"].queryset = people  # type: ignore[attr-defined]
