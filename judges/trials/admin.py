"""Admin of trials."""

from evaluation.web.admin.base import register_table
from judges.trials.models import Trial

register_table(
    Trial, "judge task topic docno asked_by asked_at ended_at result error", track_path="task__track"
)
