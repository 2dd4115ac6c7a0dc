"""Read-only admin of operations."""

from evaluation.web.admin.base import register_table
from evaluation.work.operations.models import Operation

register_table(
    Operation,
    "kind about task outcome requested_by requested_at ended_at",
    track_path="task__track",
    search="about message",
)
