"""Read-only admin of jobs, shards, request files, calls and mappings."""

from evaluation.web.admin.base import register_table
from judges.grades.models import Mapping
from judges.jobs.calls import Call
from judges.jobs.models import Job
from judges.jobs.shards import RequestFile, Shard

register_table(
    Job,
    "judge pool state created_by created_at finished_at",
    track_path="pool__task__track",
    search="judge__name pool__name",
)


register_table(
    Shard,
    "job side input_count encoded_count attempt_count claimed_at done_at error",
    track_path="job__pool__task__track",
    joins="job__judge",
    exclude=("inputs", "readings"),
)


register_table(
    RequestFile,
    "name state remote_state request_count answered_count submitted_at poll_at ended_at note",
    track_path="shard__job__pool__task__track",
    joins="shard__job__judge",
)


register_table(
    Call,
    "topic docno job state outcome raw_score cosine attempt_count ended_at",
    track_path="job__pool__task__track",
    joins="job__judge",
    search="topic docno",
)


register_table(
    Mapping,
    "rule version judge pool thresholds score_count created_at created_by",
    track_path="pool__task__track",
)
