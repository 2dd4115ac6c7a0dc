"""The tables of the test collection in the admin: read-only, except for accounts and mails."""

import evaluation.mail.admin
import evaluation.teams.admin  # noqa: F401
from evaluation import models
from evaluation.web.admin import register_table

TASK, RUN = "task__track", "run__task__track"

register_table(models.Announcement, "subject track audience created_at", track_path="track")
register_table(
    models.Application,
    "team state applied_at applied_by decided_at decided_by",
    track_path="team__track",
    search="team__name",
)
register_table(models.Blob, "sha256 size created_at", search="sha256", ordering=("-created_at",))
register_table(models.Collection, "name track created_at", track_path="track", search="name")
register_table(models.Criteria, "task version created_at", track_path=TASK, ordering=("task", "-version"))
register_table(models.EntryRules, "track needs_approval", track_path="track")
register_table(models.Family, "name task", track_path=TASK, search="name")
register_table(models.Image, "sha256 width height created_at", search="sha256", ordering=("-created_at",))
register_table(
    models.Import,
    "file_name kind task state received_by received_at confirmed_by ended_at",
    track_path=TASK,
    search="file_name",
)
register_table(
    models.Invitation,
    "email role track invited_by invited_at expires_at accepted_at",
    track_path="track",
    search="email",
    exclude=("token_sha256",),
)
register_table(
    models.LateException,
    "team task closes_at reason granted_by withdrawn_at",
    track_path=TASK,
    search="team__name",
)
register_table(
    models.MeasureValue,
    "run measure mean qrels computed_at code_version",
    track_path=RUN,
    search="run__tag measure",
    ordering=("qrels", "measure", "-mean"),
)
register_table(
    models.Membership,
    "user role team track created_at",
    track_path="track",
    search="user__email user__name team__name",
    ordering=("track", "role", "user__email"),
)
register_table(
    models.Operation,
    "kind about task outcome requested_by requested_at ended_at",
    track_path=TASK,
    search="about message",
)
register_table(
    models.Packing,
    "task report queued_at claimed_at packed_at attempt_count parked_at",
    track_path=TASK,
    joins="report__task__track",
    ordering=("-claimed_at",),
)
register_table(models.Picture, "name task image", track_path=TASK)
register_table(models.Pool, "name task kind seed created_at created_by", track_path=TASK, search="name")
register_table(
    models.PoolItem, "topic docno pool position", track_path="pool__task__track", search="topic docno"
)
register_table(
    models.PoolRun,
    "pool run depth",
    track_path="pool__task__track",
    search="run__tag",
    ordering=("pool", "run"),
)
register_table(
    models.Qrels,
    "name version kind task graded_count pair_count created_at sha256",
    track_path=TASK,
    search="name sha256",
)
register_table(
    models.QrelsPair,
    "topic docno grade raw_score outcome qrels",
    track_path="qrels__task__track",
    search="topic docno",
    ordering=("qrels", "topic", "docno"),
)
register_table(
    models.Ranking,
    "run topic",
    track_path=RUN,
    search="run__tag topic",
    ordering=("run", "topic"),
    exclude=("scores",),
)
register_table(
    models.Report,
    "task reference computed_at code_version inputs_sha256",
    track_path=TASK,
    ordering=("-computed_at",),
)
register_table(
    models.ReportProgress,
    "task queued_at claimed_at ended_at attempt_count parked_at done_count section_count problem",
    track_path=TASK,
    ordering=("-claimed_at",),
)
register_table(
    models.Run,
    "tag team task state type pool_depth pool_priority received_at is_late",
    track_path=TASK,
    search="tag file_name team__name",
)
register_table(models.RunNote, "run written_at written_by text", track_path=RUN, search="run__tag")
register_table(
    models.Scoring,
    "task queued_at claimed_at ended_at attempt_count parked_at",
    track_path=TASK,
    ordering=("-claimed_at",),
)
register_table(
    models.Signature,
    "team signed_at signed_by agreement_sha256",
    track_path="team__track",
    search="team__name",
)
register_table(
    models.SubmissionQuestion, "text task place kind is_required", track_path=TASK, search="name text"
)
register_table(
    models.Task,
    "name track kind opens_at closes_at judging_at releases_at",
    track_path="track",
    search="name slug",
)
register_table(models.Team, "name track is_baseline created_at", track_path="track", search="name")
register_table(models.TeamLimit, "team task max_runs", track_path=TASK, search="team__name")
register_table(
    models.Token,  # only owners create and revoke them
    "user name prefix scopes created_at used_at expires_at revoked_at",
    search="user__email user__name name prefix",
    exclude=("sha256",),
)
register_table(models.Topic, "number state note task", track_path=TASK, search="number fields")
register_table(models.Track, "name year slug created_at", search="name slug")
