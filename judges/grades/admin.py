"""Admin of jobs, shards, request files, calls and mappings."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from evaluation.access.requests import SignedInRequest
from evaluation.web.admin.base import ReadOnlyAdmin, register_read_only
from judges.grades.models import Mapping
from judges.grades.publishing import request_publication
from judges.jobs.admin import act_on_each
from judges.jobs.calls import Call
from judges.jobs.models import Job
from judges.jobs.scheduling import retry_job
from judges.jobs.shards import RequestFile, Shard


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """Jobs with their progress."""

    track_path = "pool__task__track"
    list_display = ("judge", "pool", "state", "pairs", "scored", "gaps", "created_at", "finished_at")
    list_filter = (
        "state",
        ("judge", admin.RelatedOnlyFieldListFilter),
        ("pool", admin.RelatedOnlyFieldListFilter),
    )
    list_select_related = ("judge", "pool__task__track", "created_by")
    search_fields = ("judge__name", "pool__name")
    actions = ("retry", "publish")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        """Annotate the counts of the list."""
        return super().get_queryset(request).with_progress()  # type: ignore[attr-defined, no-any-return]

    @admin.display(description="pairs")
    def pairs(self, job: Job) -> int:
        """The number of pairs in the pool."""
        return job.pair_count

    @admin.display(description="scored")
    def scored(self, job: Job) -> int:
        """The number of pairs with a score."""
        return job.scored_count

    @admin.display(description="gaps")
    def gaps(self, job: Job) -> int:
        """The number of pairs that ended without a score."""
        return job.gap_count

    @admin.action(description="Retry the gaps", permissions=["view"])
    def retry(self, request: SignedInRequest, jobs: QuerySet[Job]) -> None:
        """Plan the failed calls again."""

        def act(job: Job) -> str:
            retry_job(job=job, by=request.user)
            return f"Queued again: {job}."

        act_on_each(request, ((job,) for job in jobs), act)

    @admin.action(description="Publish by paper-2024, frozen on the job's own pool", permissions=["view"])
    def publish(self, request: SignedInRequest, jobs: QuerySet[Job]) -> None:
        """Queue the publication by the latest mapping of judge and pool, or by a new one if there is none."""

        def act(job: Job) -> str:
            frozen = Mapping.objects.filter(judge=job.judge, pool=job.pool).order_by("-created_at").first()
            request_publication(job=job, mapping=frozen, by=request.user)
            return f"Queued: the grades of {job}."

        act_on_each(request, ((job,) for job in jobs), act)


register_read_only(
    Shard,
    "job side input_count encoded_count attempt_count claimed_at done_at error",
    track_path="job__pool__task__track",
    joins="job__judge",
    exclude=("inputs", "readings"),
)


register_read_only(
    RequestFile,
    "name state remote_state request_count answered_count submitted_at poll_at ended_at note",
    track_path="shard__job__pool__task__track",
    joins="shard__job__judge",
)


register_read_only(
    Call,
    "topic docno job state outcome raw_score cosine attempt_count ended_at",
    track_path="job__pool__task__track",
    joins="job__judge",
    search="topic docno",
)


register_read_only(
    Mapping,
    "rule version judge pool thresholds score_count created_at created_by",
    track_path="pool__task__track",
)
