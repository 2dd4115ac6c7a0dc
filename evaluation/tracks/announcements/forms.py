"""The form of an announcement."""

from typing import Any

from django import forms

from evaluation.platform.access.site_mail import sends_mail
from evaluation.tracks.announcements.models import Announcement, Audience


class AnnouncementForm(forms.ModelForm[Announcement]):
    """The text, who reads it, and whether it is mailed."""

    is_mailed = forms.BooleanField(
        label="Mail it to them, too",
        required=False,
        help_text="One mail to each member of a team or assessor who may read it.",
    )

    class Meta:
        model = Announcement
        fields = ("audience", "subject", "text")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["audience"].choices = [("", "choose"), *Audience.choices]  # type: ignore[attr-defined]
        if not sends_mail():
            del self.fields["is_mailed"]
