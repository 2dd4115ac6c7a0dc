"""Read-only admin of announcements."""

from evaluation.announcements.models import Announcement
from evaluation.web.admin.base import register_table

register_table(Announcement, "subject track audience created_at", track_path="track")
