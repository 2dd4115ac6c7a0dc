"""Forms of invitations."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password


class MemberInviteForm(forms.Form):
    """The e-mail address of the invitation."""

    email = forms.EmailField(
        label="E-mail address of the assessor",
        max_length=254,
        help_text="The link in the mail makes an account, or adds the track to the one that exists.",
    )


class InvitationAcceptForm(forms.Form):
    """The public name and the password of a new account."""

    name = forms.CharField(max_length=120, widget=forms.TextInput({"autocomplete": "name"}))
    password = forms.CharField(
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=password_validators_help_text_html(),
    )

    def clean_password(self) -> Any:
        """Return the password if it meets the site's rules, else raise ValidationError."""
        validate_password(self.cleaned_data["password"])
        return self.cleaned_data["password"]
