"""The form by which an invited person makes an account."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password


class InvitationAcceptForm(forms.Form):
    """The name others will read, and a password."""

    name = forms.CharField(max_length=120, widget=forms.TextInput({"autocomplete": "name"}))
    password = forms.CharField(
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=password_validators_help_text_html(),
    )

    def clean_password(self) -> Any:
        """The password, if the site's rules for passwords allow it."""
        validate_password(self.cleaned_data["password"])
        return self.cleaned_data["password"]
