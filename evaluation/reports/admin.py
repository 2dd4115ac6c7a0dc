"""Read-only admin of reports and their zips."""

from evaluation.reports.models import Packing, Report
from evaluation.web.admin.base import register_table

register_table(
    Report,
    "task reference computed_at code_version inputs_sha256",
    track_path="task__track",
    ordering=("-computed_at",),
)

register_table(
    Packing,
    "task report queued_at claimed_at packed_at attempt_count parked_at",
    track_path="task__track",
    joins="report__task__track",
    ordering=("-claimed_at",),
)
