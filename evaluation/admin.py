"""The test collection in the admin: its tables and the columns of their lists."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

import evaluation.submissions.teams.admin
import evaluation.tracks.mail.admin  # noqa: F401
from evaluation.collections.models import Collection
from evaluation.platform.access.requests import key_of
from evaluation.platform.web.admin import register_table, register_tables
from evaluation.tracks.models import Track


class OneCollection(admin.SimpleListFilter):
    """The documents of one collection, which an index has in the order of docnos; first the latest one."""

    title = parameter_name = "collection"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the collections of the tracks that the person organizes."""
        tracks = Track.objects.organized_by(request.user)
        return [
            (str(row.pk), str(row)) for row in Collection.objects.filter(track__in=tracks).order_by("-pk")
        ]

    def value(self) -> str | None:
        """Return the chosen collection, or the latest."""
        return super().value() or next((key for key, _ in self.lookup_choices), None)

    def choices(self, changelist: Any) -> Any:
        """Leave out the choice of all."""
        return list(super().choices(changelist))[1:]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the documents of the collection."""
        return queryset.filter(collection=key_of(self.value() or ""))


register_tables(
    "evaluation",
    {
        "Announcement": "subject track audience created_at",
        "Application": "team state applied_at applied_by decided_at decided_by",
        "Blob": "sha256 size created_at",
        "Collection": "name track created_at",
        "Corpus": "name collection size",
        "Criteria": "task version created_at",
        "EntryRules": "track needs_approval",
        "Family": "name task",
        "Image": "sha256 width height created_at",
        "Import": "file_name kind task state received_by received_at confirmed_by ended_at",
        "LateException": "team task closes_at reason granted_by withdrawn_at",
        "MeasureValue": "run measure mean qrels computed_at code_version",
        "Membership": "user role team track created_at",
        "Operation": "kind about task outcome requested_by requested_at ended_at",
        "Packing": "task report queued_at claimed_at packed_at attempt_count parked_at",
        "Picture": "name task image",
        "Pool": "name task kind seed created_at created_by",
        "PoolItem": "topic docno pool position",
        "PoolRun": "pool run depth",
        "Qrels": "name version kind task graded_count pair_count created_at sha256",
        "QrelsPair": "topic docno grade raw_score outcome qrels",
        "Report": "task reference computed_at code_version inputs_sha256",
        "ReportProgress": "task queued_at claimed_at ended_at attempt_count parked_at done_count "
        "section_count problem",
        "Run": "tag team task state type pool_depth pool_priority received_at is_late",
        "Scoring": "task queued_at claimed_at ended_at attempt_count parked_at",
        "SubmissionQuestion": "text task place kind is_required",
        "Task": "name track kind opens_at closes_at judging_at releases_at",
        "Team": "name track is_baseline created_at",
        "TeamLimit": "team task max_runs",
        "Track": "name year slug created_at",
    },
)
register_table(
    "evaluation.Document",
    "docno collection",
    list_filter=(OneCollection,),
    ordering=("docno",),
    search_fields=("docno__startswith",),
)
register_table(
    "evaluation.Invitation",
    "email role track invited_by invited_at expires_at accepted_at",
    exclude=("token_sha256",),
)
register_table("evaluation.Ranking", "run topic", exclude=("scores",))
register_table("evaluation.RunNote", "run written_at written_by text", is_blinding=True)
register_table(
    "evaluation.Inquiry", "text task asked_at asked_by answer is_public answered_at", is_blinding=True
)
register_table("evaluation.Topic", "number state note task", search_fields=("number", "fields"))
register_table(  # only owners create and revoke them
    "evaluation.Token",
    "user name prefix scopes created_at used_at expires_at revoked_at",
    exclude=("sha256",),
)
