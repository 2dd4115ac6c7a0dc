"""Tracks and their tasks."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.validators import ArrayMaxLengthValidator
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Now

from evaluation.platform.access.people import Role, User, tracks_of
from evaluation.platform.access.schema.names import (
    FoldedField,
    lead_field,
    markdown_field,
    visible_characters,
)
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.release_dates import DATE_CONSTRAINTS, HAS_OPEN_RESULTS, IS_RELEASED, open_for_judging
from evaluation.tracks.task_triggers import TASK_TRIGGERS
from trackside.text.names import TAG_MAX, folded
from trackside.text.time_zones import EPOCH, FUTURE

DATES = ("opens_at", "closes_at", "judging_at", "releases_at")


class TrackQuerySet(models.QuerySet["Track"]):
    """Queryset of tracks."""

    def organized_by(self, user: User | AnonymousUser) -> TrackQuerySet:
        """Tracks that the person may change; all of them for the site's staff."""
        return self if user.is_superuser else self.with_member(user, Role.ORGANIZER)

    def with_member(self, user: User | AnonymousUser, *roles: Role) -> TrackQuerySet:
        """Tracks in which the person has one of the roles, or any role when none is named."""
        return self.filter(pk__in=tracks_of(user, *roles))

    def visible_to(self, user: User | AnonymousUser) -> TrackQuerySet:
        """Tracks that the person belongs to, and all tracks with an opened task."""
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
    name_folded = FoldedField(of="name")
    year = models.PositiveSmallIntegerField(validators=[MinValueValidator(1992), MaxValueValidator(2100)])
    description = lead_field()
    guidelines = markdown_field(
        help_text="Markdown. Links may lead to http, https and mailto; only pictures of this site are shown."
    )
    licence = models.CharField(
        max_length=120, blank=True, help_text="Licence of the released test collection, such as CC BY 4.0."
    )
    citation = lead_field(help_text="A BibTeX entry. If empty, the site makes one from name and year.")
    doi = models.CharField("DOI", max_length=120, blank=True, help_text="Such as 10.5281/zenodo.1234567.")
    has_public_runs = models.BooleanField(
        "publish runs", default=False, help_text="Everybody can download accepted runs after the release."
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
            ),
            models.UniqueConstraint(fields=["year", "name_folded"], name="track_name_once_a_year"),
            visible_characters("name", "track_name_is_visible"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Reject a name that looks like the name of another track of the year."""
        if Track.objects.exclude(pk=self.pk).filter(year=self.year, name_folded=folded(self.name)).exists():
            raise ValidationError({"name": f"A track of {self.year} has this or a look-alike name."})


class TaskKind(models.TextChoices):
    """The type of topics, and of the documents retrieved for them."""

    TEXT_TO_IMAGE = "text-to-image", "text topic, images retrieved"
    IMAGE_TO_TEXT = "image-to-text", "image topic, texts retrieved"
    TEXT_TO_TEXT = "text-to-text", "text topic, texts retrieved"
    IMAGE_TO_IMAGE = "image-to-image", "image topic, images retrieved"

    @property
    def retrieves_images(self) -> bool:
        """Whether documents are judged by their images."""
        return self in {TaskKind.TEXT_TO_IMAGE, TaskKind.IMAGE_TO_IMAGE}


class Phase(models.TextChoices):
    """The phase of a task, derived from its dates by the database clock and not stored."""

    DRAFT = "draft", "draft"
    OPEN = "open", "open for runs"
    CLOSED = "closed", "closed"
    JUDGING = "judging", "judging"
    RELEASED = "released", "released"


class TaskQuerySet(models.QuerySet["Task"]):
    """Queryset of tasks."""

    def with_phase(self) -> TaskQuerySet:
        """Annotate ``phase``, by the database clock at this statement."""
        annotations = {
            "phase": Case(
                When(IS_RELEASED, then=Value(Phase.RELEASED.value)),
                When(judging_at__lte=Now(), then=Value(Phase.JUDGING.value)),
                When(closes_at__lte=Now(), then=Value(Phase.CLOSED.value)),
                When(opens_at__lte=Now(), then=Value(Phase.OPEN.value)),
                default=Value(Phase.DRAFT.value),
            )
        }
        return self.annotate(**annotations)

    def opened(self) -> TaskQuerySet:
        """Past their opening date."""
        return self.filter(opens_at__lte=Now())

    def open_at(self, moment: datetime | Now) -> TaskQuerySet:
        """Tasks open for runs at the moment: from the opening up to and including the close."""
        return self.filter(Q(closes_at__isnull=True) | Q(closes_at__gte=moment), opens_at__lte=moment)

    def taking_runs_at(self, moment: datetime | Now) -> TaskQuerySet:
        """Tasks open at the moment, or in the grace period after the close, up to and including its end."""
        in_time = Q(closes_at__isnull=True) | Q(closes_at__gte=moment - F("grace"))
        return self.filter(in_time, opens_at__lte=moment)

    def in_judging(self) -> TaskQuerySet:
        """Tasks whose ``phase`` is judging; faster than computing the phase of every task."""
        return self.filter(open_for_judging())

    def released(self) -> TaskQuerySet:
        """Past their release date, which was confirmed."""
        return self.filter(IS_RELEASED)

    def with_open_results(self) -> TaskQuerySet:
        """Released tasks, and practice tasks from their opening."""
        return self.filter(HAS_OPEN_RESULTS)

    def once_released(self) -> TaskQuerySet:
        """Released tasks, and tasks whose date was moved after the mails about the release."""
        return self.filter(IS_RELEASED | Q(release_noted_at__isnull=False))

    def organized_by(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Tasks that the person may change; all of them for the site's staff."""
        return self if user.is_superuser else self.with_member(user, Role.ORGANIZER)

    def with_member(self, user: User | AnonymousUser, *roles: Role) -> TaskQuerySet:
        """Tasks of tracks in which the person has one of the roles, or any role when none is named."""
        return self.filter(track__in=tracks_of(user, *roles))

    def shown_to(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Tasks that people see who do not organize them: opened ones of own tracks, open results of all."""
        return self.filter(Q(opens_at__lte=Now(), track__in=tracks_of(user)) | HAS_OPEN_RESULTS)

    def released_to(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Tasks whose open results the person may see: everybody may, except the track's assessors.

        Assessors stay blind after the release, because they may grade the track's next pool.
        """
        return self.with_open_results().exclude(track__in=Track.objects.with_member(user, Role.ASSESSOR))

    def explored_by(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Tasks whose topics, documents and results the person may look at; never the track's assessors."""
        may_see = Q(pk__in=Task.objects.shown_to(user)) | Q(pk__in=Task.objects.organized_by(user))
        return self.filter(may_see).exclude(track__in=tracks_of(user, Role.ASSESSOR))

    def visible_to(self, user: User | AnonymousUser) -> TaskQuerySet:
        """Opened tasks, and drafts of the tracks that the person organizes."""
        return self.filter(Q(opens_at__lte=Now()) | Q(track__in=Track.objects.organized_by(user)))


@tracked
class Task(models.Model):
    """One task of a track: a collection, topics, dates and the rules for runs and pools."""

    track = models.ForeignKey(Track, models.PROTECT, related_name="tasks")
    slug = models.SlugField()
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=16, choices=TaskKind)
    guidelines = markdown_field()
    is_practice = models.BooleanField(
        "practice task",
        default=False,
        db_default=False,
        editable=False,
        help_text="Its qrels are open from the start: it scores runs at once, and has no deadline, pool, "
        "judging or release. Fixed when the task is made.",
    )
    collection = models.ForeignKey("evaluation.Collection", models.PROTECT, related_name="tasks")
    corpus = models.ForeignKey(
        "evaluation.Corpus",
        models.PROTECT,
        related_name="tasks",
        null=True,
        blank=True,
        help_text="The part of the collection that runs may list. It stays from the first run on.",
    )
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
        help_text="As hours:minutes:seconds. Runs that arrive in this time are accepted and marked as late.",
    )
    max_per_topic = models.PositiveIntegerField("results per topic, at most", default=1000)
    max_runs = models.PositiveSmallIntegerField(
        "accepted runs per team, at most", null=True, blank=True, help_text="Empty: any number."
    )
    tag_max = models.PositiveSmallIntegerField("characters of a tag, at most", default=TAG_MAX)
    pool_depth = models.PositiveIntegerField(default=30)
    baseline_pool_depth = models.PositiveIntegerField(default=25)
    relevance_level = models.PositiveSmallIntegerField(
        default=1, help_text="The lowest grade that counts as relevant in binary measures."
    )
    measures = ArrayField(
        models.CharField(max_length=32),
        default=list,
        blank=True,
        validators=[ArrayMaxLengthValidator(100)],  # all of trec_eval's fit
        help_text="Names of ir_measures, in the order of the leaderboard. If empty, the site's measures.",
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    release_confirmed_for = models.DateTimeField(null=True, editable=False)  # the confirmed releases_at
    release_noted_at = models.DateTimeField(null=True, editable=False)  # when mails were queued

    phase: Phase
    objects = TaskQuerySet.as_manager()

    class Meta:
        ordering = ["track", "name"]
        constraints = [
            models.UniqueConstraint(fields=["track", "slug"], name="task_slug_once_a_track"),
            *DATE_CONSTRAINTS,
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
            models.CheckConstraint(
                condition=Q(*(Q((name, None)) | Q((f"{name}__range", (EPOCH, FUTURE))) for name in DATES)),
                name="task_dates_of_this_age",
            ),
            models.CheckConstraint(condition=Q(relevance_level__gte=1), name="task_relevance_level_positive"),
        ]
        triggers = TASK_TRIGGERS

    def __str__(self) -> str:
        return f"{self.track}: {self.name}"

    @property
    def has_open_results(self) -> bool:
        """Whether everybody but the track's assessors sees its results; ``phase`` must be annotated."""
        return self.phase == Phase.RELEASED or (self.is_practice and self.phase == Phase.OPEN)

    @property
    def is_release_confirmed(self) -> bool:
        """Whether the task is released at its date: the date was not moved before the confirmed one."""
        return (self.release_confirmed_for or FUTURE) <= (self.releases_at or EPOCH)
