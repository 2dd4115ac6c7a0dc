"""API operation that publishes an announcement."""

from datetime import datetime

from ninja import Router, Schema

from evaluation.platform.web.api.bearer import TokenRequest
from evaluation.platform.web.api.changes import change, read_form
from evaluation.platform.web.api.operations import TRACK
from evaluation.tracks.announcements.actions import announce
from evaluation.tracks.announcements.forms import AnnouncementForm
from evaluation.tracks.announcements.models import Announcement, Audience
from evaluation.tracks.lookups import find_organized_track

router = Router(tags=["Announcements"])


class AnnouncementOut(Schema):
    """A published text and its readers."""

    id: int
    audience: Audience
    subject: str
    text: str
    created_at: datetime


@change(
    router,
    f"{TRACK}/announcements",
    AnnouncementOut,
    reads=AnnouncementForm,
    rate="announcement",
    status=201,
)
def announcement_create(request: TokenRequest, track: str) -> Announcement:
    """Publish an announcement of a track that you organize, and mail it if you ask for that."""
    track_row = find_organized_track(request, track)
    return announce(track=track_row, by=request.user, **read_form(AnnouncementForm, request).cleaned_data)
