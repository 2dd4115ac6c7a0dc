"""Admin of runs, families, rankings, notes, questions of the form and limits of teams."""

from django.contrib import admin

from evaluation.runs.families import Family
from evaluation.runs.forms import RunMetadataForm, SubmissionQuestionForm, TeamLimitForm
from evaluation.runs.late_exceptions import LateException
from evaluation.runs.models import Run
from evaluation.runs.notes import RunNote
from evaluation.runs.rankings import Ranking
from evaluation.runs.submission import SubmissionQuestion, TeamLimit
from evaluation.web.admin.base import TracksideAdmin, register_table

register_table(
    Family, "name task", can="add change delete", track_path="task__track", search="name", fixed="task"
)


@admin.register(Run)
class RunAdmin(TracksideAdmin):
    """Uploads: descriptions and pooling can be edited, all other fields are read-only."""

    can = "change"  # uploads add runs; they are never deleted, they can be withdrawn
    track_path = "task__track"
    form = RunMetadataForm
    list_display = (
        "__str__",
        "team",
        "task",
        "state",
        "type",
        "suggested_family",
        "depth_in_pool",
        "pool_priority",
        "received_at",
        "is_late",
    )
    list_filter = (
        "state",
        "type",
        "is_late",
        ("task", admin.RelatedOnlyFieldListFilter),
        ("team", admin.RelatedOnlyFieldListFilter),
        ("families", admin.RelatedOnlyFieldListFilter),
    )
    list_select_related = ("team", "task__track")
    search_fields = ("tag", "file_name", "team__name")
    filter_horizontal = ("families",)
    readonly_fields = (
        "task",
        "team",
        "tag",
        "state",
        "file_name",
        "upload",
        "received_at",
        "is_late",
        "late_exception",
        "received_by",
        "replies",
        "checked_at",
        "replaces",
    )


register_table(
    LateException,
    "team task closes_at reason granted_by withdrawn_at",
    track_path="task__track",
    search="team__name",
)


register_table(  # the page of the run writes notes, and mails them
    RunNote,
    "run written_at written_by text",
    can="change delete",
    track_path="run__task__track",
    search="run__tag",
    fixed="run",
    readonly_fields=("written_at", "written_by"),
)


register_table(
    Ranking,
    "run topic",
    track_path="run__task__track",
    search="run__tag topic",
    ordering=("run", "topic"),
    exclude=("scores",),
)


register_table(
    SubmissionQuestion,
    "text task place kind is_required",
    can="add change delete",
    track_path="task__track",
    search="name text",
    fixed="task",
    form=SubmissionQuestionForm,
)


register_table(
    TeamLimit,
    "team task max_runs",
    can="add change delete",
    track_path="task__track",
    search="team__name",
    fixed="task team",
    form=TeamLimitForm,
)
