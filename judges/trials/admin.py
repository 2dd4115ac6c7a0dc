"""Admin of trials and comparisons."""

from evaluation.web.admin.base import register_table
from judges.trials.models import Comparison, Trial

register_table(
    Trial, "judge task topic docno asked_by asked_at ended_at result error", track_path="task__track"
)
register_table(Comparison, "judge task asked_by asked_at ended_at error", track_path="task__track")
