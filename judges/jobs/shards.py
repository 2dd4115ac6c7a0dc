"""Shards of a job, and the request files of a shard."""

from __future__ import annotations

import uuid
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from evaluation.tracks.visibility import OrganizedQuerySet
from evaluation.tracks.work.queueing import LOCK_KEYS, held_keys, hold_lock


class JobState(models.TextChoices):
    """A job is planned when its shards are queued, and running from the first claimed shard."""

    PLANNED = "planned", "planned"
    RUNNING = "running", "running"
    COMPLETED = "completed", "completed"
    COMPLETED_WITH_GAPS = "completed_with_gaps", "completed with gaps"
    PAUSED = "paused", "paused"
    STOPPED_BY_BUDGET = "stopped_by_budget", "stopped by budget"
    CANCELLED = "cancelled", "cancelled"


ACTIVE = (JobState.PLANNED, JobState.RUNNING)
HALTED = (JobState.PAUSED, JobState.STOPPED_BY_BUDGET)  # a person resumes or cancels it
UNFINISHED = (*ACTIVE, *HALTED)
COMPLETED = (JobState.COMPLETED, JobState.COMPLETED_WITH_GAPS)


LOCK_SPACE = 0x6A736864  # "jshd" in ASCII: advisory locks on shards
ATTEMPTS = 3  # in a row without a stored batch: then the shard itself crashes workers


class ShardContent(models.TextChoices):
    """The content of a shard: one side's unique texts or images, or pairs."""

    TOPIC = "topic", "topics"
    DOCUMENT = "document", "documents"
    PAIR = "pair", "pairs"


class ShardQuerySet(OrganizedQuerySet["Shard"]):
    """Reads of shards."""

    def open(self) -> ShardQuerySet:
        """Unfinished shards of active jobs."""
        return self.filter(done_at__isnull=True, job__state__in=ACTIVE)

    def free(self) -> ShardQuerySet:
        """Open shards that no worker has claimed and that wait for no file at an endpoint."""
        files = RequestFile.objects.open()
        return self.open().filter(claimed_at__isnull=True).exclude(files__in=files)

    def held(self) -> ShardQuerySet:
        """Shards that a live worker holds now."""
        return self.alias(lock_key=F("pk") % LOCK_KEYS).filter(lock_key__in=held_keys(LOCK_SPACE))


class Shard(models.Model):
    """Some unique texts or images of a job, or some of its pairs.

    ``inputs`` is a list of ``[name, SHA-256]``: a topic or document with the input, and the input's hash when
    the job was planned. For pairs it is a list of ``[call, request key]``. An encoder's batches are slices of
    it in order, so a resumed shard has the same batches. ``gaps`` maps the SHA-256 of each input without a
    vector to the reason, ``readings`` that of each text to its fields as lists of
    ``trackside.judging.encoding.FieldReading``. ``reserved_micros`` is the money that the budgets reserve for
    the shard, ``spent_micros`` the money that it has spent.
    """

    job = models.ForeignKey("judges.Job", models.PROTECT, related_name="shards")
    side = models.CharField(max_length=8, choices=ShardContent)
    inputs = models.JSONField()
    input_count = models.PositiveIntegerField()
    encoded_count = models.PositiveIntegerField(
        default=0, help_text="Inputs that are encoded or cannot be encoded."
    )
    gaps = models.JSONField(default=dict)
    readings = models.JSONField(default=dict)
    queued_at = models.DateTimeField(db_default=Now())
    claimed_at = models.DateTimeField(null=True)
    attempt_count = models.PositiveSmallIntegerField(
        default=0, help_text="Claims since the last stored batch."
    )
    done_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True, help_text="Why the shard was abandoned.")
    image_distance = models.FloatField(
        null=True,
        help_text="The largest distance of a sampled image's vector from that of the uploaded image.",
    )
    reserved_micros = models.PositiveBigIntegerField(default=0)
    spent_micros = models.PositiveBigIntegerField(default=0)

    task_path: ClassVar = "job__pool__task"
    objects = ShardQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(encoded_count__lte=F("input_count")), name="shard_encodes_its_inputs"
            ),
            models.CheckConstraint(
                condition=Q(done_at__isnull=True) | Q(encoded_count=F("input_count")),
                name="shard_done_is_whole",
            ),
        ]
        indexes = [models.Index(fields=["job"], condition=Q(done_at__isnull=True), name="shard_open")]

    def __str__(self) -> str:
        return f"{self.input_count} {self.get_side_display()} of {self.job}"

    def hold(self) -> AbstractContextManager[bool]:
        """Lock the shard while the body runs; yield whether it was free."""
        return hold_lock(LOCK_SPACE, self.pk)


QUEUED_FOR = timedelta(minutes=2)  # a message that no worker receives for this long may be lost


class FileState(models.TextChoices):
    """The state of a file. Each step may be retried safely after a crash in the previous one."""

    WRITTEN = "written", "written"
    UPLOADED = "uploaded", "uploaded"
    SUBMITTING = "submitting", "being submitted"  # the endpoint may or may not have created the batch
    SUBMITTED = "submitted", "with the endpoint"
    ENDED = "ended", "ended"


HERE = (FileState.WRITTEN, FileState.UPLOADED)  # no request has been submitted yet
THERE = (FileState.SUBMITTING, FileState.SUBMITTED)


class RequestFileQuerySet(OrganizedQuerySet["RequestFile"]):
    """Reads of request files."""

    def open(self) -> RequestFileQuerySet:
        """Files that have not ended."""
        return self.exclude(state=FileState.ENDED)

    def due(self) -> RequestFileQuerySet:
        """Files whose next step may be tried now; unsubmitted files only while their job is not halted."""
        is_here = Q(state__in=HERE) & ~Q(shard__job__state__in=HALTED)
        return self.filter(is_here | Q(state__in=THERE), poll_at__lte=Now())

    def unqueued(self) -> RequestFileQuerySet:
        """Files without a message in the queue."""
        return self.filter(Q(queued_at__isnull=True) | Q(queued_at__lt=Now() - QUEUED_FOR))


class RequestFile(models.Model):
    """Some requests of a shard in one file; the ledger stores them, so the file can be written again.

    ``file_id`` and ``remote_id`` are the endpoint's ids of the file and of its batch. Our own id is sent with
    the batch: after a crash it shows whether the batch was created.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    shard = models.ForeignKey(Shard, models.PROTECT, related_name="files")
    state = models.CharField(max_length=12, choices=FileState, default=FileState.WRITTEN)
    request_count = models.PositiveIntegerField()
    answered_count = models.PositiveIntegerField(default=0, help_text="As last reported by the endpoint.")
    file_id = models.CharField(max_length=120, db_default="")
    remote_id = models.CharField(max_length=120, db_default="")
    remote_state = models.CharField(max_length=20, db_default="")
    created_at = models.DateTimeField(db_default=Now())
    poll_at = models.DateTimeField(db_default=Now(), help_text="When the next step can be tried.")
    queued_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    note = models.TextField(db_default="", help_text="The latest problem.")

    task_path: ClassVar = "shard__job__pool__task"
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
        """Our name of the file, which the endpoint stores, too."""
        return f"ts-{self.id.hex}"
