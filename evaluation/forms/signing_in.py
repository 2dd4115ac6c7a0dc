"""django-allauth's forms in the words of the site."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import AddEmailForm, LoginForm, ResetPasswordForm, SignupForm


class InOurWords:
    """Calls an address what every other page calls it, and repeats no label inside its field."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields.keys() & {"login", "email"}:
            self.fields[name].label = "E-mail address"
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)


class SignInForm(InOurWords, LoginForm):
    """Address and password."""


class SignUpForm(InOurWords, SignupForm):
    """Name, address and password of a new account."""

    field_order = ("name", "email", "password1")


class ResetForm(InOurWords, ResetPasswordForm):
    """Where a link for a new password goes."""


class AddressForm(InOurWords, AddEmailForm):
    """The address that takes the present one's place."""
