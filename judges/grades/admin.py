"""Read-only admin of mappings."""

from evaluation.web.admin.base import register_table
from judges.grades.models import Mapping

register_table(
    Mapping,
    "rule version judge pool thresholds score_count created_at created_by",
    track_path="pool__task__track",
)
