"""The name that a person goes by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

if TYPE_CHECKING:
    from django.http import HttpRequest

    from evaluation.models import User


class PersonNameForm(forms.Form):
    """What others read where a person acts; django-allauth adds it to its own sign-up forms."""

    name = forms.CharField(max_length=120, widget=forms.TextInput({"autocomplete": "name"}))

    def signup(self, request: HttpRequest, user: User) -> None:
        """Keep the name of an account that is being made."""
        user.name = self.cleaned_data["name"]
        user.save(update_fields=["name"])
