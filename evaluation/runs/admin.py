"""Read-only admin of runs, families, rankings, notes, questions of the form and limits of teams."""

from evaluation.runs.families import Family
from evaluation.runs.late_exceptions import LateException
from evaluation.runs.models import Run
from evaluation.runs.notes import RunNote
from evaluation.runs.rankings import Ranking
from evaluation.runs.submission import SubmissionQuestion, TeamLimit
from evaluation.web.admin.base import register_table

register_table(Family, "name task", track_path="task__track", search="name")


register_table(
    Run,
    "tag team task state type pool_depth pool_priority received_at is_late",
    track_path="task__track",
    search="tag file_name team__name",
)


register_table(
    LateException,
    "team task closes_at reason granted_by withdrawn_at",
    track_path="task__track",
    search="team__name",
)


register_table(RunNote, "run written_at written_by text", track_path="run__task__track", search="run__tag")


register_table(
    Ranking,
    "run topic",
    track_path="run__task__track",
    search="run__tag topic",
    ordering=("run", "topic"),
    exclude=("scores",),
)


register_table(
    SubmissionQuestion, "text task place kind is_required", track_path="task__track", search="name text"
)


register_table(TeamLimit, "team task max_runs", track_path="task__track", search="team__name")
