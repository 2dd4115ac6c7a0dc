"""The page on which organizers write announcements."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from evaluation.platform.access.limits.views import form_view
from evaluation.platform.access.requests import SignedInRequest
from evaluation.tracks.announcements.actions import announce, mail_context, people_reading
from evaluation.tracks.announcements.forms import AnnouncementForm
from evaluation.tracks.announcements.models import Audience
from evaluation.tracks.lookups import find_organized_track
from evaluation.tracks.mail.actions import render_mail
from evaluation.tracks.models import Track


@form_view("announcement")
def announcement_create(request: SignedInRequest, track: str) -> HttpResponse:
    """Preview an announcement with its mail and the number of readers; publish it at the second step."""
    track_row = find_organized_track(request, track)
    form = AnnouncementForm(request.POST or None)
    context: dict[str, object] = {"track": track_row, "form": form}
    if form.is_valid():
        if "publish" in request.POST:
            announce(track=track_row, by=request.user, **form.cleaned_data)
            messages.success(request, "The announcement is published.")
            return redirect("track_detail", track)
        context |= _preview(track_row, form)
    return render(request, "evaluation/announcements/announcement_create.html", context)


def _preview(track: Track, form: AnnouncementForm) -> dict[str, object]:
    wanted = form.cleaned_data
    subject, text = render_mail("announcement", mail_context(track, wanted["subject"], wanted["text"]))
    readers = people_reading(track, Audience(wanted["audience"]))
    return {
        "preview": wanted,
        "audience": Audience(wanted["audience"]).label,
        "mail": f"{subject}\n\n{text}",
        "reader_count": readers.count(),
    }
