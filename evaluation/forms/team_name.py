"""The name of a team."""

from django import forms

from evaluation.models import Team


class TeamNameForm(forms.ModelForm[Team]):
    """What the team is called on the leaderboard, once results are released."""

    class Meta:
        model = Team
        fields = ("name",)
        help_texts = {"name": "Until the release only the organizers and your team see it."}
