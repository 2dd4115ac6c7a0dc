"""Read-only admin of the progress of reports and scores."""

from evaluation.web.admin.base import register_table
from evaluation.work.recomputing.models import ReportProgress, Scoring

register_table(
    ReportProgress,
    "task queued_at claimed_at ended_at attempt_count parked_at done_count section_count problem",
    track_path="task__track",
    ordering=("-claimed_at",),
)


register_table(
    Scoring,
    "task queued_at claimed_at ended_at attempt_count parked_at",
    track_path="task__track",
    ordering=("-claimed_at",),
)
