"""Forms of teams and their members."""

from django import forms

from evaluation.teams.models import Team
from evaluation.teams.registration import EntryRules
from evaluation.web.opened_forms import OpenedForm


class TeamNameForm(forms.ModelForm[Team]):
    """The team's name, which leaderboards show after the release."""

    class Meta:
        model = Team
        fields = ("name",)
        help_texts = {"name": "Until the release only the organizers and your team see it."}


class EntryRulesForm(OpenedForm[EntryRules]):
    """Requirements of the track for uploads of teams."""

    owner = "track"

    class Meta:
        model = EntryRules
        fields = ("needs_approval", "agreement")
        labels = {"agreement": "Agreement to sign"}
