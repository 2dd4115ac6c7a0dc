"""Forms that archive and restore a track."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from evaluation.access.limits.views import post_view
from evaluation.access.requests import SignedInRequest, error_shown
from evaluation.tracks.archiving import archive_track, restore_track
from evaluation.tracks.lookups import find_organized_track


@post_view("change")
def track_archive(request: SignedInRequest, track: str) -> HttpResponse:
    """Archive a finished track; organizers only."""
    track_row = find_organized_track(request, track)
    with error_shown(request):
        archive_track(track=track_row, by=request.user)
        messages.success(request, f"{track_row} is archived.")
    return redirect("track_detail", track)


@post_view("change")
def track_restore(request: SignedInRequest, track: str) -> HttpResponse:
    """Restore an archived track; organizers only."""
    track_row = find_organized_track(request, track)
    restore_track(track=track_row, by=request.user)
    messages.success(request, f"{track_row} is restored. It can be changed again.")
    return redirect("track_detail", track)
