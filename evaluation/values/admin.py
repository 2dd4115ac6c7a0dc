"""Read-only admin of values."""

from evaluation.values.models import MeasureValue
from evaluation.web.admin.base import register_table

register_table(
    MeasureValue,
    "run measure mean qrels computed_at code_version",
    track_path="run__task__track",
    search="run__tag measure",
    ordering=("qrels", "measure", "-mean"),
)
