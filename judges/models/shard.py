"""Shards: the parts of a job that workers take up one by one."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import connection, models
from django.db.models import F, Q
from django.db.models.functions import Now

from judges.models.job import ACTIVE, Job, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import AnonymousUser

    from evaluation.models import User

# First key of the advisory locks on shards: "jshd" in ASCII. The second is the shard's own key modulo 2^31;
# two shards that met there would only wait for each other.
LOCK_SPACE = 0x6A736864
LOCK_KEYS = 2**31
HELD = """
    SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = %s AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class ShardQuerySet(models.QuerySet["Shard"]):
    """Reads of shards."""

    def visible_to(self, user: User | AnonymousUser) -> ShardQuerySet:
        """Those of the jobs one may see."""
        return self.filter(job__in=Job.objects.visible_to(user))

    def open(self) -> ShardQuerySet:
        """Still to be done, of jobs that go on."""
        return self.filter(done_at__isnull=True, job__state__in=ACTIVE)

    def held(self) -> ShardQuerySet:
        """Shards that a living worker holds at this moment."""
        with connection.cursor() as cursor:
            cursor.execute(HELD, [LOCK_SPACE])
            keys = [key for (key,) in cursor.fetchall()]
        return self.alias(lock_key=F("pk") % LOCK_KEYS).filter(lock_key__in=keys)


class Shard(models.Model):
    """Some unique texts or images of a job, or some of its pairs.

    ``inputs`` is a list of ``[name, SHA-256]``: the topic or document that stands for the input, and the
    input as it was when the job was planned. Of pairs it is a list of ``[call, request key]``. An encoder's
    batches are cut from it in order, so a resumed shard forms the same batches. ``gaps`` tells for the
    SHA-256 of each input without a vector why there is none. ``reserved_micros`` is what the budgets hold
    for the shard, ``spent_micros`` what they have paid for it.
    """

    job = models.ForeignKey(Job, models.PROTECT, related_name="shards")
    side = models.CharField(max_length=8, choices=Part)
    inputs = models.JSONField()
    input_count = models.PositiveIntegerField()
    encoded_count = models.PositiveIntegerField(default=0, help_text="inputs dealt with, gaps among them")
    gaps = models.JSONField(default=dict)
    queued_at = models.DateTimeField(db_default=Now())
    claimed_at = models.DateTimeField(null=True)
    attempt_count = models.PositiveSmallIntegerField(
        default=0, help_text="claims since the last stored batch"
    )
    done_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True, help_text="why the shard was given up")
    image_distance = models.FloatField(
        null=True, help_text="the furthest that a sampled image's vector is from that of the image as it came"
    )
    reserved_micros = models.PositiveBigIntegerField(default=0)
    spent_micros = models.PositiveBigIntegerField(default=0)

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

    @contextmanager
    def hold(self) -> Iterator[bool]:
        """Hold the shard while the body runs; yields whether it was free.

        The lock belongs to the database session, so it lasts while no transaction is open, and PostgreSQL
        frees it the moment a worker dies. It needs a session of one's own: a pooler in transaction mode
        breaks it.
        """
        keys = [LOCK_SPACE, self.pk % LOCK_KEYS]
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", keys)
            (is_free,) = cursor.fetchone()
            try:
                yield is_free
            finally:
                if is_free:
                    cursor.execute("SELECT pg_advisory_unlock(%s, %s)", keys)
