"""Judgments: append-only events."""

from __future__ import annotations

from datetime import datetime
from typing import Self, TypeVar
from uuid import UUID

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from assessment.core.arranging import WALL_SIZE
from assessment.models.aggregate_updates import AGGREGATE_VARIABLES, UPDATE_AGGREGATES
from assessment.models.freezing import FREEZE
from assessment.models.marks import HAS_ANSWER, MARK_MAX, CannotJudge
from assessment.models.purposes import AdjudicationMode, AssignmentKind, Purpose
from assessment.models.replacing import ReplacesRule
from evaluation.collections.seen import SeenFields, seen_of_what_is_shown
from evaluation.platform.access.people import User
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.criteria import NOMINAL
from trackside.text.time_zones import EPOCH, FUTURE

Row = TypeVar("Row", bound=models.Model, covariant=True)


class EventQuerySet(models.QuerySet[Row]):
    """Reads of what assessors did to items."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """The user's own events, and those of tasks that the user organizes."""
        return self.filter(Q(assessor_id=user.pk) | Q(task__in=Task.objects.organized_by(user)))

    def current(self) -> Self:
        """The latest event of each (task, topic, docno, assessor) and purpose.

        The order picks the latest: do not change it.
        """
        pair = ("task_id", "topic", "docno", "assessor_id", "purpose")
        return self.order_by(*pair, "-pk").distinct(*pair)


class JudgmentQuerySet(EventQuerySet["Judgment"]):
    """Reads of judgments."""

    def not_undone(self) -> JudgmentQuerySet:
        """Grades and reasons that are not undone."""
        return self.filter(undoes__isnull=True, undo__isnull=True)

    def current(self) -> JudgmentQuerySet:
        """The latest judgment, not undone, of each item, assessor and purpose.

        After an undo the previous judgment is current again.
        """
        return super(JudgmentQuerySet, self.not_undone()).current()

    def counted(self) -> JudgmentQuerySet:
        """Current judgments without those that do not count (`Exclusion`)."""
        return self.filter(kept__isnull=False)

    def of_work(self) -> JudgmentQuerySet:
        """Judgments for qrels: no repeated item, no gold item, no adjudication."""
        return self.filter(purpose=Purpose.WORK)

    def graded(self) -> JudgmentQuerySet:
        """Judgments with a grade, not a reason for giving none."""
        return self.filter(grade__isnull=False)

    def answered(self) -> JudgmentQuerySet:
        """Judgments with a grade or the nominal answer, not a reason for giving none."""
        return self.filter(HAS_ANSWER)

    def adjudications(self, task: Task, topic: str, docno: str, by: User) -> JudgmentQuerySet:
        """The person's adjudications of the item, undone ones and undos too."""
        judgments = self.filter(task=task, topic=topic, docno=docno, assessor=by)
        return judgments.filter(purpose=Purpose.ADJUDICATION)

    def pairs(self) -> list[tuple[str, str]]:
        """Return topic and docno of each judgment."""
        return list(self.values_list("topic", "docno"))

    def by_owners(self) -> JudgmentQuerySet:
        """Judgments of work by assessors who own, or owned, the topic in any pool of the task."""
        pools = Pool.objects.filter(
            task=OuterRef("task"),
            assignments__kind=AssignmentKind.OWNER,
            assignments__topic=OuterRef("topic"),
            assignments__assessor=OuterRef("assessor"),
        )
        return self.of_work().filter(Exists(pools))


class Judgment(SeenFields):
    """One event: an assessor grades a pair, says why it cannot be judged, or undoes an earlier judgment.

    Events are append-only. They store topic and docno and refer to no pool or place in it, so every later
    pool reuses them. ``image_sha256`` is the hash of the first image that was shown (empty for a text).
    ``text_sha256`` is the hash of the document's texts and further images, ``topic_sha256`` that of the
    topic's texts and images, as ``trackside.text.hashes`` computes them. The database sets both, and freezes
    topic, document and criteria; they are empty if the task lacks the topic or document. ``shown_sha256`` is
    the hash of the whole item as the page showed it.
    """

    task = models.ForeignKey(Task, models.PROTECT, related_name="judgments")
    topic = models.CharField(max_length=255, db_collation="C")
    docno = models.CharField(max_length=255, db_collation="C")
    purpose = models.CharField(max_length=12, choices=Purpose, default=Purpose.WORK)
    image_sha256 = models.CharField(max_length=64, blank=True, db_collation="C")
    text_sha256 = models.CharField(max_length=64, blank=True, db_collation="C", editable=False)
    topic_sha256 = models.CharField(max_length=64, blank=True, db_collation="C", editable=False)
    criteria = models.ForeignKey(Criteria, models.PROTECT, related_name="judgments")
    assessor = models.ForeignKey(User, models.PROTECT, related_name="judgments")
    grade = models.SmallIntegerField(null=True)
    reason = models.CharField(
        max_length=MARK_MAX,
        blank=True,
        help_text=f"Why there is no grade, or {NOMINAL} and its reason: the answer beside the grades.",
    )
    undoes = models.OneToOneField("self", models.PROTECT, null=True, related_name="undo")
    comment = models.TextField(blank=True)
    is_flagged = models.BooleanField("flagged", default=False, help_text="Organizers look at flagged items.")
    replies = models.JSONField(
        default=dict, help_text="Replies to the task's extra questions, by the questions' names."
    )
    client_uuid = models.UUIDField(unique=True)
    shown_at = models.DateTimeField(null=True, help_text="Time by the assessor's clock. Empty for an undo.")
    active_seconds = models.FloatField(
        null=True, help_text="Seconds of activity on the item, without idle time."
    )
    looks_back = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Judged items of the topic opened again since the last judgment."
    )
    mode = models.CharField(
        max_length=5,
        choices=AdjudicationMode,
        blank=True,
        db_default="",
        help_text="Whether an adjudicator saw the grades on record first. Empty for other judgments.",
    )
    wall = models.PositiveIntegerField(
        null=True, help_text="Number of the wall of the topic on which it was judged. Empty: judged singly."
    )
    cell = models.PositiveSmallIntegerField(null=True, help_text="Place on the wall, from 1.")
    is_opened = models.BooleanField(
        "opened", default=False, db_default=False, help_text="It was looked at singly from the wall."
    )
    is_by_rest = models.BooleanField(
        "by rest", default=False, db_default=False, help_text="One key graded all unset items of the wall."
    )
    replaces = models.UUIDField(null=True, help_text="UUID of the judgment that the page named as current.")
    replaces_rule = models.CharField(
        max_length=7, choices=ReplacesRule, default=ReplacesRule.UNKNOWN, db_default=ReplacesRule.UNKNOWN
    )
    copied_from = models.UUIDField(
        null=True, help_text="UUID of the judgment by the same key of an item on the wall that looks alike."
    )
    given_at = models.DateTimeField(
        null=True,
        help_text="Time of the key by the assessor's clock. It orders what pages show, nothing else.",
    )
    judged_at = models.DateTimeField(db_default=Now(), editable=False)
    latest_version: int | None = None  # of the task's criteria; only `record_judgment` sets it
    is_withdrawn = False  # whether the assignment has ended; only `record_judgment` sets it

    objects = JudgmentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["task", "topic", "docno", "assessor"], name="judgment_pair"),
            models.Index(fields=["assessor", "judged_at"], name="judgment_of_a_day"),
            models.Index(
                fields=["task", "assessor"], condition=Q(looks_back__gt=0), name="judgment_after_looks_back"
            ),
            models.Index(
                fields=["task", "assessor"], condition=Q(wall__isnull=False), name="judgment_on_a_wall"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(grade__isnull=False, reason="", undoes__isnull=True)
                | Q(grade__isnull=True, reason__in=[*CannotJudge.values, NOMINAL], undoes__isnull=True)
                | Q(grade__isnull=True, reason__startswith=f"{NOMINAL}: ", undoes__isnull=True)
                | Q(grade__isnull=True, reason="", undoes__isnull=False),
                name="judgment_is_grade_reason_or_undo",
            ),
            models.CheckConstraint(
                condition=Q(shown_at__isnull=False) | Q(undoes__isnull=False), name="judgment_was_shown"
            ),
            *(
                models.CheckConstraint(
                    condition=Q((f"{act}_at__isnull", True)) | Q((f"{act}_at__range", (EPOCH, FUTURE))),
                    name=f"judgment_was_{act}_in_this_age",
                )
                for act in ("shown", "given")
            ),
            models.CheckConstraint(
                condition=Q(mode="") | Q(purpose=Purpose.ADJUDICATION, mode__in=AdjudicationMode.values),
                name="judgment_mode_of_adjudication",
            ),
            models.CheckConstraint(
                condition=Q(active_seconds__isnull=True) | Q(active_seconds__gte=0),
                name="judgment_active_seconds_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(wall__isnull=True, cell__isnull=True, is_opened=False, is_by_rest=False)
                | Q(wall__isnull=False, wall__gte=1, cell__isnull=False, cell__range=(1, WALL_SIZE)),
                name="judgment_has_wall_and_cell",
            ),
            models.CheckConstraint(
                condition=Q(copied_from__isnull=True) | Q(wall__isnull=False, is_by_rest=False),
                name="judgment_copied_on_a_wall",
            ),
            models.CheckConstraint(
                condition=Q(replaces_rule=ReplacesRule.NAMED, replaces__isnull=False)
                | Q(replaces_rule__in=("unknown", "none", "any"), replaces__isnull=True),
                name="judgment_names_what_it_replaces",
            ),
            models.CheckConstraint(
                condition=Q(image_sha256__regex=r"^([0-9a-f]{64})?$"), name="judgment_image_is_sha256"
            ),
            seen_of_what_is_shown("judgment"),
        ]
        triggers = [
            pgtrigger.Protect(
                name="judgments_are_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            pgtrigger.Trigger(
                name="judgments_freeze_what_they_name",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=FREEZE,
            ),
            pgtrigger.Trigger(
                name="undo_names_a_judgment_of_its_pair",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                condition=pgtrigger.Q(new__undoes__isnull=False),
                func="""
                    IF NOT EXISTS (
                        SELECT FROM assessment_judgment AS undone
                        WHERE undone.id = NEW.undoes_id AND undone.undoes_id IS NULL
                          AND undone.task_id = NEW.task_id AND undone.topic = NEW.topic
                          AND undone.docno = NEW.docno AND undone.assessor_id = NEW.assessor_id
                          AND undone.purpose = NEW.purpose
                    ) THEN
                        RAISE EXCEPTION 'an undo names a judgment of the same pair and assessor';
                    END IF;
                    RETURN NEW;
                """,
            ),
            pgtrigger.Trigger(
                name="judgments_are_kept_in_short",
                operation=pgtrigger.Insert,
                when=pgtrigger.After,
                declare=AGGREGATE_VARIABLES,
                func=UPDATE_AGGREGATES,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.topic} {self.docno}: {self.mark}"

    @property
    def has_answer(self) -> bool:
        """Whether it is a grade or the nominal answer."""
        return self.grade is not None or self.reason.startswith(NOMINAL)

    @property
    def words(self) -> str:
        """The grade, the nominal answer by its name in the criteria with its reason, or why there is none."""
        if self.grade is not None:
            return str(self.grade)
        if self.reason.startswith(NOMINAL):
            return self.criteria.nominal_name + self.reason.removeprefix(NOMINAL)
        return str(CannotJudge(self.reason).label) if self.reason else ""

    @property
    def mark(self) -> int | str:
        """The grade, or the reason for giving none ("undo" for an undo)."""
        if self.undoes_id is not None:
            return "undo"
        return self.reason if self.grade is None else self.grade

    def undo_by(self, person: User, client_uuid: UUID, given_at: datetime | None = None) -> Judgment:
        """Append an event that undoes this judgment of the person."""
        names = ("task_id", "topic", "docno", "purpose", "image_sha256", "criteria_id", "mode")
        columns = {name: getattr(self, name) for name in names}
        columns |= {"assessor": person, "undoes": self, "client_uuid": client_uuid, "given_at": given_at}
        return Judgment.objects.create(**columns)
