"""Files of requests that an endpoint answers later, as batches."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from judges.models.job import Job
from judges.models.shard import Shard

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models import User

QUEUED_FOR = timedelta(minutes=2)  # a message that nobody took up for so long may be lost


class FileState(models.TextChoices):
    """How far a file has come. Each step may be tried again without harm, whoever died in the one before."""

    WRITTEN = "written", "waiting to be handed over"
    UPLOADED = "uploaded", "handed over"
    SUBMITTING = "submitting", "being submitted"  # the endpoint may have made the batch, or not
    SUBMITTED = "submitted", "with the endpoint"
    ENDED = "ended", "ended"


HERE = (FileState.WRITTEN, FileState.UPLOADED)  # nothing has been asked yet
THERE = (FileState.SUBMITTING, FileState.SUBMITTED)


class RequestFileQuerySet(models.QuerySet["RequestFile"]):
    """Reads of files of requests."""

    def visible_to(self, user: User | AnonymousUser) -> RequestFileQuerySet:
        """Those of the jobs one may see."""
        return self.filter(shard__job__in=Job.objects.visible_to(user))

    def open(self) -> RequestFileQuerySet:
        """Not ended."""
        return self.exclude(state=FileState.ENDED)

    def due(self) -> RequestFileQuerySet:
        """Those whose next step may be tried now: what is here only while its job is not halted."""
        here = Q(state__in=HERE) & ~Q(shard__job__in=Job.objects.halted())
        return self.filter(here | Q(state__in=THERE), poll_at__lte=Now())

    def unqueued(self) -> RequestFileQuerySet:
        """Those that no message in the queue stands for."""
        return self.filter(Q(queued_at__isnull=True) | Q(queued_at__lt=Now() - QUEUED_FOR))


class RequestFile(models.Model):
    """Some requests of a shard in one file; the ledger holds them, so the file can be written anew.

    ``file_id`` and ``remote_id`` are the endpoint's names of the file and of the batch made of it. Our own id
    goes along with the batch: after a death in between it tells whether the batch was made.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    shard = models.ForeignKey(Shard, models.PROTECT, related_name="files")
    state = models.CharField(max_length=12, choices=FileState, default=FileState.WRITTEN)
    request_count = models.PositiveIntegerField()
    answered_count = models.PositiveIntegerField(default=0, help_text="as the endpoint told last")
    file_id = models.CharField(max_length=120, db_default="")
    remote_id = models.CharField(max_length=120, db_default="")
    remote_state = models.CharField(max_length=20, db_default="")
    created_at = models.DateTimeField(db_default=Now())
    poll_at = models.DateTimeField(db_default=Now(), help_text="when the next step may be tried")
    queued_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    note = models.TextField(db_default="", help_text="what stood in the way last")

    objects = RequestFileQuerySet.as_manager()

    class Meta:
        ordering = ["shard", "created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["remote_id"], condition=~Q(remote_id=""), name="request_file_one_batch_each"
            ),
            models.CheckConstraint(
                condition=~Q(state=FileState.SUBMITTED) | ~Q(remote_id=""), name="request_file_there_has_name"
            ),
            models.CheckConstraint(
                condition=Q(state=FileState.ENDED, ended_at__isnull=False)
                | (~Q(state=FileState.ENDED) & Q(ended_at__isnull=True)),
                name="request_file_ended_iff_over",
            ),
        ]
        indexes = [
            models.Index(fields=["poll_at"], condition=~Q(state=FileState.ENDED), name="request_file_open")
        ]
        triggers = [pgtrigger.Protect(name="request_files_are_never_deleted", operation=pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.request_count} requests of {self.shard.job}"

    @property
    def name(self) -> str:
        """Our own name of the file, by which its endpoint knows it, too."""
        return f"ts-{self.id.hex}"
