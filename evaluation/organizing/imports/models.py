"""Imports: files from organizers, their faults and their outcome."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.collections.blobs import Blob
from evaluation.collections.chosen_fields import ImportKind
from evaluation.platform.access.people import User
from evaluation.submissions.teams.models import Team
from evaluation.tracks.models import Task
from evaluation.tracks.work.models import LongWork, LongWorkQuerySet
from trackside.imports.fields import Use
from trackside.text.roles import Roles, propose_roles


class ImportState(models.TextChoices):
    """An import is received, tried without storing records, confirmed by a person, and done or failed."""

    RECEIVED = "received", "waiting"
    TRYING = "trying", "being tried"
    TRIED = "tried", "tried, not confirmed"
    CONFIRMED = "confirmed", "confirmed, waiting"
    ADDING = "adding", "being added"
    DONE = "done", "done"
    FAILED = "failed", "failed"


WORKING = {ImportState.RECEIVED: ImportState.TRYING, ImportState.CONFIRMED: ImportState.ADDING}


REMOVABLE = (ImportState.TRIED, ImportState.FAILED)


class ImportQuerySet(LongWorkQuerySet["Import"]):
    """Queryset of imports."""

    def listed(self) -> ImportQuerySet:
        """Imports that no organizer removed from the list."""
        return self.filter(removed_at__isnull=True)


class Import(LongWork):
    """One file imported for a task, its trial and its outcome. ``upload`` is keyed by the file's SHA-256.

    ``options`` are further fields of the kind: the state of new topics, or name and kind of qrels. ``choice``
    is a ``FieldChoice``, ``fields`` are those of the file; topics and documents have them.
    ``counts`` are the numbers of records ``added``, ``changed``, ``same`` and ``refused``; ``faults`` has the
    format of ``core.imports.faults``. ``seen_count`` is the progress of a running worker, in records. A
    removed import is not listed, but its row is kept.
    """

    task_name = "evaluation.run_imports"
    waits_for_task_only = True  # a pool waits for baselines, not for another task's pictures
    slots = 16  # tasks whose imports share the machine, and do not wait for each other

    task = models.ForeignKey(Task, models.PROTECT, related_name="imports")
    kind = models.CharField(max_length=10, choices=ImportKind)
    upload = models.ForeignKey(Blob, models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=255)
    team = models.ForeignKey(Team, models.PROTECT, null=True, related_name="+")
    options = models.JSONField(default=dict)
    choice = models.JSONField(default=dict, blank=True, help_text="The organizer's choice of fields.")
    fields = models.JSONField(default=list, help_text="Name, use and share of filled rows of each field.")
    samples = models.JSONField(default=list, help_text="The first records as people and models see them.")
    state = models.CharField(max_length=9, choices=ImportState, default=ImportState.RECEIVED)
    seen_count = models.PositiveIntegerField(default=0)
    counts = models.JSONField(null=True)
    faults = models.JSONField(default=list)
    error = models.TextField(blank=True)
    received_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    received_at = models.DateTimeField(db_default=Now())
    confirmed_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    confirmed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    client_uuid = models.UUIDField(
        null=True,
        editable=False,
        help_text="Sent with the upload: a repeated upload with the same key creates no second import.",
    )
    removed_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    removed_at = models.DateTimeField(null=True)

    objects = ImportQuerySet.as_manager()

    class Meta:
        ordering = ["-received_at", "-pk"]
        constraints = [
            *LongWork.Meta.constraints,
            models.UniqueConstraint(fields=["received_by", "client_uuid"], name="import_once_a_client_uuid"),
            models.CheckConstraint(
                condition=Q(removed_at__isnull=True, removed_by__isnull=True)
                | Q(removed_at__isnull=False, removed_by__isnull=False, state__in=REMOVABLE),
                name="import_removed_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(kind=ImportKind.RUNS, team__isnull=False)
                | (~Q(kind=ImportKind.RUNS) & Q(team__isnull=True)),
                name="import_team_iff_runs",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=("confirmed", "adding", "done"))
                | Q(confirmed_by__isnull=False, confirmed_at__isnull=False),
                name="import_is_confirmed_by_somebody",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=("tried", "done")) | Q(counts__isnull=False),
                name="import_counts_once_tried",
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="an_import_stays_as_it_came",
                fields=[
                    "task",
                    "kind",
                    "upload",
                    "file_name",
                    "team",
                    "received_by",
                    "received_at",
                    "client_uuid",
                ],
            ),
            pgtrigger.Protect(name="imports_are_never_deleted", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return self.file_name

    @property
    def total_count(self) -> int:
        """Return the number of records that the trial found, without refused ones."""
        return sum(count for name, count in (self.counts or {}).items() if name != "refused")

    @property
    def roles(self) -> Roles:
        """The field with each role of the file's texts, as chosen or else as proposed by their names."""
        texts = [field["name"] for field in self.fields if field["use"] == Use.TEXT]
        chosen: Roles = self.choice.get("roles", propose_roles(texts))
        return {role: name for role, name in chosen.items() if name in texts}

    @property
    def undecided(self) -> list[str]:
        """The fields whose names we do not know, for which the organizer has chosen no use."""
        return [field["name"] for field in self.fields if field.get("is_asked")]

    def name_field(self) -> str:
        """Return the field that names the file's records, as stored by the trial; "" if there is none."""
        self.refresh_from_db(fields=["fields"])
        return next((field["name"] for field in self.fields if field["use"] == Use.NAME), "")

    @property
    def is_pending(self) -> bool:
        """Whether it is claimed or waits for a worker."""
        return self.queued_at is not None and not self.is_parked

    @property
    def is_removable(self) -> bool:
        """Whether an organizer can remove it from the list: it failed, or it was tried and not confirmed."""
        return self.state in REMOVABLE and self.removed_at is None
