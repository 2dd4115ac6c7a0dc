"""Admin of announcements."""

from evaluation.announcements.models import Announcement
from evaluation.web.admin.base import register_table

register_table(  # the page of the track creates announcements, and mails them
    Announcement,
    "subject track audience created_at",
    can="change delete",
    track_path="track",
    fixed="track audience",
    readonly_fields=("created_at", "created_by"),
    list_filter=("audience",),
)
