"""Forms of teams and their members."""

from typing import Any

from django import forms

from evaluation.access.people import Membership
from evaluation.teams.models import Team
from evaluation.teams.registration import EntryRules
from evaluation.web.opened_forms import OpenedForm


class TeamNameForm(forms.ModelForm[Team]):
    """The team's name, which leaderboards show after the release."""

    class Meta:
        model = Team
        fields = ("name",)
        help_texts = {"name": "Until the release only the organizers and your team see it."}


class MembershipForm(forms.ModelForm[Membership]):
    """A role in a track."""

    class Meta:
        model = Membership
        fields = ("user", "track", "role", "team")

    def clean(self) -> dict[str, Any]:
        """Reject a team of another track."""
        chosen = super().clean() or self.cleaned_data
        team = chosen.get("team")
        if team and team.track != chosen.get("track"):
            self.add_error("team", f"{team} is a team of {team.track}. Choose one of the track above.")
        return chosen


class EntryRulesForm(OpenedForm[EntryRules]):
    """Requirements of the track for uploads of teams."""

    owner = "track"

    class Meta:
        model = EntryRules
        fields = ("needs_approval", "agreement")
        labels = {"agreement": "Agreement to sign"}
