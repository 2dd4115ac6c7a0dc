"""Read-only admin of tracks, tasks and criteria."""

from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task, Track
from evaluation.web.admin.base import register_table

register_table(Track, "name year slug created_at", search="name slug")


register_table(
    Task,
    "name track kind opens_at closes_at judging_at releases_at",
    track_path="track",
    search="name slug",
)


register_table(Criteria, "task version created_at", track_path="task__track", ordering=("task", "-version"))
