"""Forms of teams, their registration and invitations."""

import re
from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy

from evaluation.platform.access.people import Role
from evaluation.platform.web.opened_forms import OpenedForm
from evaluation.submissions.teams.models import Team
from evaluation.submissions.teams.registration import EntryRules


class TeamNameForm(forms.ModelForm[Team]):
    """The team's name, which leaderboards show after the release."""

    class Meta:
        model = Team
        fields = ("name",)
        help_texts = {"name": "Until the release only the organizers and your team see it."}


class EntryRulesForm(OpenedForm[EntryRules]):
    """The requirement of the track for uploads of teams."""

    owner = "track"

    class Meta:
        model = EntryRules
        fields = ("needs_approval",)


MOST_AT_ONCE = 50  # addresses of one form


class AddressesField(forms.CharField):
    """Several e-mail addresses, separated by blanks, commas, semicolons or line ends."""

    widget = forms.Textarea({"rows": 3, "autocomplete": "off", "spellcheck": "false"})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=MOST_AT_ONCE * 255, **kwargs)

    def clean(self, value: Any) -> list[str]:
        """Return the addresses, each once. Raises ValidationError, which names each wrong one."""
        words = dict.fromkeys(word.lower() for word in re.split(r"[\s,;]+", super().clean(value)) if word)
        if wrong := [word for word in words if not _is_address(word)]:
            raise ValidationError(
                f"No e-mail address: {', '.join(wrong[:5])}. Write them as name@example.org."
            )
        if not words:
            raise ValidationError("Write at least one address, such as name@example.org.")
        if len(words) > MOST_AT_ONCE:
            raise ValidationError(f"Write at most {MOST_AT_ONCE} addresses at once; these are {len(words)}.")
        return list(words)


def _is_address(word: str) -> bool:
    try:
        validate_email(word)
    except ValidationError:
        return False
    return len(word) <= 254


class InviteForm(forms.Form):
    """Addresses of people, and the role in the track that they are invited to."""

    emails = AddressesField(
        label="E-mail addresses",
        help_text="One or several. Each person gets one link, which creates an account, or adds the role to "
        "an existing one.",
    )
    role = forms.ChoiceField(
        choices=[(Role.ASSESSOR.value, "Assessors"), (Role.ORGANIZER.value, "Organizers")], label="Invite as"
    )


class TeamInviteForm(forms.Form):
    """Addresses of people who are invited to a team."""

    emails = AddressesField(label="E-mail addresses")
    role = forms.ChoiceField(
        choices=[(Role.TEAM_MEMBER.value, "Members"), (Role.TEAM_OWNER.value, "Owner")], label="Invite as"
    )


class InvitationAcceptForm(forms.Form):
    """The public name and the password of a new account."""

    name = forms.CharField(
        max_length=120, widget=forms.TextInput({"autocomplete": "name"}), label=gettext_lazy("Name")
    )
    password = forms.CharField(
        strip=False,
        label=gettext_lazy("Password"),
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=password_validators_help_text_html(),
    )

    def clean_password(self) -> Any:
        """Return the password if it meets the site's rules, else raise ValidationError."""
        validate_password(self.cleaned_data["password"])
        return self.cleaned_data["password"]
