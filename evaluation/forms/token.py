"""The form that makes a personal token."""

from __future__ import annotations

from typing import Any

from django import forms

from evaluation.models import Scope

LIFETIMES = ((30, "30 days"), (90, "90 days"), (365, "a year"))


class TokenForm(forms.Form):
    """What the token is called, what it is good for, and for how long."""

    name = forms.CharField(max_length=60, help_text="Where you will use it, such as: laptop.")
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        initial=[Scope.READ, Scope.SUBMIT],
        widget=forms.CheckboxSelectMultiple,
        label="It may",
    )
    days = forms.TypedChoiceField(choices=LIFETIMES, coerce=int, initial=365, label="It lasts")

    def clean_scopes(self) -> list[Any]:
        """The scopes as such."""
        return [Scope(each) for each in self.cleaned_data["scopes"]]
