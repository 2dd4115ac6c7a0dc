"""Tracks, their tasks, and the criteria people grade by."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Now

from evaluation.models.people import Role, tracks_of
from evaluation.models.tracking import tracked

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from evaluation.models.people import User

TAG_MAX = 50  # characters; trec_eval and the tools around it cut longer ones


class TrackQuerySet(models.QuerySet["Track"]):
    """Reads of tracks."""

    def organized_by(self, user: User | AnonymousUser) -> TrackQuerySet:
        """Tracks that the person may change; all of them for the site's staff."""
        if user.is_superuser:
            return self
        return self.with_member(user, Role.ORGANIZER)

    def with_member(self, user: User | AnonymousUser, *roles: Role) -> TrackQuerySet:
        """Tracks in which the person has one of the roles, or any role when none is named."""
        return self.filter(pk__in=tracks_of(user, *roles))

    def visible_to(self, user: User | AnonymousUser) -> TrackQuerySet:
        """Tracks one belongs to, and every track that has opened a task."""
        everyone = self.model.objects
        return self.filter(
            Q(pk__in=everyone.organized_by(user).values("pk"))
            | Q(pk__in=everyone.with_member(user).values("pk"))
            | Q(pk__in=Task.objects.opened().values("track"))
        )


@tracked
class Track(models.Model):
    """One year of an evaluation: its people, teams and tasks."""

    slug = models.SlugField(unique=True)
    name = models.CharField(max_length=120)
    year = models.PositiveSmallIntegerField(validators=[MinValueValidator(1992), MaxValueValidator(2100)])
    description = models.TextField(blank=True)
    guidelines = models.TextField(
        blank=True,
        help_text="Markdown. Links may lead to http, https and mailto; pictures and HTML are not shown.",
    )
    licence = models.CharField(
        max_length=120, blank=True, help_text="Of the test collection at its release: CC BY 4.0."
    )
    citation = models.TextField(blank=True, help_text="A BibTeX entry. Empty: one is made of name and year.")
    doi = models.CharField("DOI", max_length=120, blank=True, help_text="10.5281/zenodo.1234567")
    has_public_runs = models.BooleanField(
        "publish runs",
        default=False,
        help_text="Whether everybody may download accepted runs at the release.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TrackQuerySet.as_manager()

    class Meta:
        ordering = ["-year", "name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(doi="") | Q(doi__regex=r"^10\.[0-9]{4,9}/[^[:space:]]+$"),
                name="track_doi_is_one",
                violation_error_message="A DOI is one word that begins with 10., as 10.5281/zenodo.1234567.",
            )
        ]

    def __str__(self) -> str:
        return self.name


class TaskKind(models.TextChoices):
    """What a topic is and what is retrieved for it."""

    TEXT_TO_IMAGE = "text-to-image", "text topic, images retrieved"
    IMAGE_TO_TEXT = "image-to-text", "image topic, texts retrieved"
    TEXT_TO_TEXT = "text-to-text", "text topic, texts retrieved"


class Phase(models.TextChoices):
    """Where a task stands. It follows from the dates, by the database clock; nothing stores it."""

    DRAFT = "draft", "draft"
    OPEN = "open", "open for runs"
    CLOSED = "closed", "closed"
    JUDGING = "judging", "judging"
    RELEASED = "released", "released"


def open_for_judging(path: str = "") -> Q:
    """Whether the task at that path of a row, such as ``pool__task__``, is open for judging by now."""
    is_unreleased = Q(**{f"{path}releases_at__isnull": True}) | Q(**{f"{path}releases_at__gt": Now()})
    return is_unreleased & Q(**{f"{path}judging_at__lte": Now()})


class TaskQuerySet(models.QuerySet["Task"]):
    """Reads of tasks."""

    def with_phase(self) -> TaskQuerySet:
        """Annotate ``phase``, decided by the database clock at this statement."""
        annotations = {
            "phase": Case(
                When(releases_at__lte=Now(), then=Value(Phase.RELEASED.value)),
                When(judging_at__lte=Now(), then=Value(Phase.JUDGING.value)),
                When(closes_at__lte=Now(), then=Value(Phase.CLOSED.value)),
                When(opens_at__lte=Now(), then=Value(Phase.OPEN.value)),
                default=Value(Phase.DRAFT.value),
                output_field=models.CharField(),
            )
        }
        return self.annotate(**annotations)

    def opened(self) -> TaskQuerySet:
        """Past their opening date."""
        return self.filter(opens_at__lte=Now())

    def open_at(self, moment: datetime | Now) -> TaskQuerySet:
        """Those that take runs at the moment: from the opening up to the close, which still counts."""
        return self.filter(Q(closes_at__isnull=True) | Q(closes_at__gte=moment), opens_at__lte=moment)

    def taking_runs_at(self, moment: datetime | Now) -> TaskQuerySet:
        """Those open at the moment, and those in the grace period after the close; its end still counts."""
        in_time = Q(closes_at__isnull=True) | Q(closes_at__gte=moment - F("grace"))
        return self.filter(in_time, opens_at__lte=moment)

    def in_judging(self) -> TaskQuerySet:
        """Those whose ``phase`` is judging, found without deciding the phase of every task."""
        return self.filter(open_for_judging())

    def released(self) -> TaskQuerySet:
        """Past their release date."""
        return self.filter(releases_at__lte=Now())

    def organized_by(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Tasks that the person may change; all of them for the site's staff."""
        return self if user.is_superuser else self.with_member(user, Role.ORGANIZER)

    def with_member(self, user: User | AnonymousUser, *roles: Role) -> TaskQuerySet:
        """Tasks of tracks in which the person has one of the roles, or any role when none is named."""
        return self.filter(track__in=tracks_of(user, *roles))

    def shown_to(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Tasks whose topics and documents the person may see without organizing them.

        Those that have opened in tracks that one belongs to, and everybody's that are released.
        """
        return self.filter(Q(opens_at__lte=Now(), track__in=tracks_of(user)) | Q(releases_at__lte=Now()))

    def released_to(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Released tasks whose results the person may see: everybody's but the track's assessors.

        Assessors stay blind after the release too: they grade the track's next pool.
        """
        return self.released().exclude(track__in=Track.objects.with_member(user, Role.ASSESSOR))

    def visible_to(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Opened tasks, and drafts of the tracks that one organizes."""
        return self.filter(Q(opens_at__lte=Now()) | Q(track__in=Track.objects.organized_by(user)))


@tracked
class Task(models.Model):
    """One question put to systems: a collection, topics, dates and the rules for runs and pools."""

    track = models.ForeignKey(Track, models.PROTECT, related_name="tasks")
    slug = models.SlugField()
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=16, choices=TaskKind)
    guidelines = models.TextField(blank=True)
    collection = models.ForeignKey("evaluation.Collection", models.PROTECT, related_name="tasks")
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    judging_at = models.DateTimeField("judging opens at", null=True, blank=True)
    releases_at = models.DateTimeField(null=True, blank=True)
    time_zone = models.CharField(
        max_length=64, default="UTC", help_text="The zone in which dates are entered and shown."
    )
    grace = models.DurationField(
        "grace after the close",
        default=timedelta,
        blank=True,
        help_text="Hours:minutes:seconds in which runs are still taken, and marked as late.",
    )
    max_per_topic = models.PositiveIntegerField("results a topic, at most", default=1000)
    max_runs = models.PositiveSmallIntegerField(
        "accepted runs a team, at most", null=True, blank=True, help_text="Empty: any number."
    )
    tag_max = models.PositiveSmallIntegerField("characters of a tag, at most", default=TAG_MAX)
    pool_depth = models.PositiveIntegerField(default=30)
    baseline_pool_depth = models.PositiveIntegerField(default=25)
    relevance_level = models.PositiveSmallIntegerField(
        default=1, help_text="The lowest grade that counts as relevant in measures that know only yes and no."
    )
    measures = ArrayField(
        models.CharField(max_length=32),
        default=list,
        blank=True,
        help_text="Shown first to last, in ir_measures' names. Empty: the site's own choice.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    release_noted_at = models.DateTimeField(null=True, editable=False)  # from then on people have been told

    phase: Phase
    objects = TaskQuerySet.as_manager()

    class Meta:
        ordering = ["track", "name"]
        constraints = [
            models.UniqueConstraint(fields=["track", "slug"], name="task_slug_once_a_track"),
            models.CheckConstraint(
                condition=(Q(closes_at__isnull=True) | Q(closes_at__gt=F("opens_at")))
                & (Q(judging_at__isnull=True) | Q(judging_at__gte=F("closes_at") + F("grace")))
                & (Q(releases_at__isnull=True) | Q(releases_at__gte=F("judging_at"))),
                name="task_dates_in_order",
                violation_error_message="Dates go in order: opens, closes, grace, judging opens, releases.",
            ),
            models.CheckConstraint(
                condition=(Q(closes_at__isnull=True) | Q(opens_at__isnull=False))
                & (Q(judging_at__isnull=True) | Q(closes_at__isnull=False))
                & (Q(releases_at__isnull=True) | Q(judging_at__isnull=False)),
                name="task_dates_without_gaps",
                violation_error_message="A later date needs all earlier ones.",
            ),
            models.CheckConstraint(
                condition=Q(max_per_topic__gte=1, pool_depth__gte=1, baseline_pool_depth__gte=1),
                name="task_limits_positive",
            ),
            models.CheckConstraint(
                condition=Q(max_runs__isnull=True) | Q(max_runs__gte=1), name="task_max_runs_positive"
            ),
            models.CheckConstraint(
                condition=Q(tag_max__gte=1, tag_max__lte=TAG_MAX), name="task_tag_max_in_bounds"
            ),
            models.CheckConstraint(condition=Q(grace__gte=timedelta()), name="task_grace_not_negative"),
            models.CheckConstraint(condition=Q(relevance_level__gte=1), name="task_relevance_level_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.track}: {self.name}"


class CriteriaQuerySet(models.QuerySet["Criteria"]):
    """Reads of criteria."""

    def visible_to(self, user: User | AnonymousUser) -> CriteriaQuerySet:
        """Those of the tasks one may see."""
        return self.filter(task__in=Task.objects.visible_to(user))

    def current(self, task: Task) -> Criteria:
        """The latest version of a task's criteria."""
        return self.filter(task=task).latest("version")


class Criteria(models.Model):
    """The grade scale and its words, in numbered versions; each judgment names the version it was made under.

    ``grades`` is a list of ``{"grade": int, "name": str, "text": str}`` in rising order.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="criteria")
    version = models.PositiveSmallIntegerField(default=1)
    instructions = models.TextField(blank=True)
    grades = models.JSONField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = CriteriaQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "criteria"
        constraints = [models.UniqueConstraint(fields=["task", "version"], name="criteria_version_once")]
        triggers = [
            pgtrigger.Protect(name="criteria_are_immutable", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return f"{self.task}, criteria {self.version}"

    @property
    def scale(self) -> tuple[int, ...]:
        """The declared grades, rising: the scale of every agreement figure."""
        return tuple(grade["grade"] for grade in self.grades)
