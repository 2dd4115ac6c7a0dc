"""Read-only admin of imports."""

from evaluation.access.admin.base import register_table
from evaluation.imports.models import Import

register_table(
    Import,
    "file_name kind task state received_by received_at confirmed_by ended_at",
    track_path="task__track",
    search="file_name",
)
