"""Forms of a person's own account, and a form field for JSON."""

from typing import Any

from django import forms
from django.conf import settings
from django.forms.fields import InvalidJSONInput
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from evaluation.platform.access.people import User
from evaluation.platform.access.tokens import Scope


class PersonNameForm(forms.Form):
    """The name that others see; django-allauth adds this form to its own sign-up forms."""

    name = forms.CharField(
        max_length=120, widget=forms.TextInput({"autocomplete": "name"}), label=gettext_lazy("Name")
    )

    def signup(self, request: HttpRequest, user: User) -> None:
        """Store the name of a new account."""
        user.name = self.cleaned_data["name"]
        user.save(update_fields=["name"])


def languages() -> list[tuple[str, Any]]:
    """Return the choices of a language: the browser's, then the site's by their own names."""
    return [("", gettext_lazy("As in the browser")), *settings.LANGUAGES]


class LanguageForm(forms.Form):
    """The language of a person's pages and mails."""

    language = forms.ChoiceField(choices=languages, required=False, label=gettext_lazy("Language"))


LIFETIMES = ((30, gettext_lazy("30 days")), (90, gettext_lazy("90 days")), (365, gettext_lazy("a year")))


class TokenForm(forms.Form):
    """Name, scopes and lifetime of a token."""

    name = forms.CharField(
        max_length=60,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Where you will use it, such as: laptop."),
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        initial=[Scope.READ, Scope.SUBMIT],
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("It may"),
    )
    days = forms.TypedChoiceField(choices=LIFETIMES, coerce=int, initial=365, label=gettext_lazy("It lasts"))

    def clean_scopes(self) -> list[Any]:
        """Return the values as ``Scope`` members."""
        return [Scope(scope) for scope in self.cleaned_data["scopes"]]


MAX_DEPTH = 20  # of nested lists and objects; ours have three


class JSONTextField(forms.JSONField):
    """A JSON field that rejects what Python cannot parse or PostgreSQL cannot store."""

    def to_python(self, value: Any) -> Any:
        """Return the value. Raises ValidationError if it is invalid JSON, too deep or cannot be stored."""
        try:
            parsed = super().to_python(value)
        except (RecursionError, ValueError) as error:  # a thousand brackets; an integer of 5,000 digits
            raise forms.ValidationError(self.error_messages["invalid"], "invalid", {"value": "…"}) from error
        if not _is_storable(parsed, MAX_DEPTH):
            raise forms.ValidationError(
                "This cannot be stored: remove NUL characters, unpaired surrogates, NaN and Infinity, and "
                f"nest lists at most {MAX_DEPTH} deep."
            )
        return parsed

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return the submitted text, which may not be valid JSON, to show it again."""
        return initial if self.disabled else InvalidJSONInput(data or "")


def _is_storable(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, float):
        return abs(value) < float("inf")
    if isinstance(value, dict):
        return depth > 0 and all(_is_storable(part, depth - 1) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return depth > 0 and all(_is_storable(part, depth - 1) for part in value)
    return True
