"""Read-only admin of imports."""

from evaluation.imports.models import Import
from evaluation.web.admin.base import register_table

register_table(
    Import,
    "file_name kind task state received_by received_at confirmed_by ended_at",
    track_path="task__track",
    search="file_name",
)
