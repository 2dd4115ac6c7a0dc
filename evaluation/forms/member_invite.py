"""The form that invites an assessor."""

from django import forms


class MemberInviteForm(forms.Form):
    """Where the invitation goes."""

    email = forms.EmailField(
        label="E-mail address of the assessor",
        max_length=254,
        help_text="The link in the mail makes an account, or adds the track to the one that exists.",
    )
