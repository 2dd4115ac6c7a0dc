"""Topics and documents: both are ordered text fields and optional images."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.core.validators import URLValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.collections.blobs import Image
from evaluation.collections.items import Item, first_before_more, indexes_of_images
from evaluation.platform.access.people import Role, User, tracks_of
from evaluation.platform.access.schema.freezing import FROZEN_CODE, WAS_RELEASED, frozen_text
from evaluation.platform.access.schema.names import FoldedField, check_name, unique_names, visible_characters
from evaluation.platform.access.schema.tracking import tracked, tracked_in_bulk
from evaluation.tracks.models import Task, TaskKind, TaskQuerySet, Track
from evaluation.tracks.visibility import ShownWithTaskQuerySet

WEB = ["https", "http"]
CREDIT_MAX = 120


class CollectionQuerySet(models.QuerySet["Collection"]):
    """Queryset of collections."""

    def visible_to(self, user: User | AnonymousUser) -> CollectionQuerySet:
        """Collections of the tracks that the person organizes, and of the tasks that are shown to them."""
        if user.is_superuser:
            return self
        organized = Q(track__in=tracks_of(user, Role.ORGANIZER))
        return self.filter(organized | Q(pk__in=Task.objects.shown_to(user).values("collection")))


@tracked
class Collection(models.Model):
    """The documents that runs retrieve."""

    track = models.ForeignKey(Track, models.PROTECT, related_name="collections")
    name = models.CharField(max_length=120)
    name_folded = FoldedField(of="name")
    description = models.TextField(blank=True)
    is_shared = models.BooleanField("people download the documents here", default=False, db_default=False)
    address = models.CharField(
        "or get them from",
        max_length=400,
        blank=True,
        default="",
        db_default="",
        validators=[URLValidator(WEB)],
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = CollectionQuerySet.as_manager()

    class Meta:
        ordering = ["track", "name"]
        constraints = [
            unique_names("track", "collection_name_once_a_track"),
            visible_characters("name", "collection_name_is_visible"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Reject a name that looks like the name of another collection of the track."""
        check_name(self, "track")


# The words of a document's texts, as indexed; the function is in migration 0014.
WORDS = models.Func("fields", function="document_words", output_field=SearchVectorField())


class DocumentQuerySet(models.QuerySet["Document"]):
    """Queryset of documents."""

    def visible_to(self, user: User | AnonymousUser) -> DocumentQuerySet:
        """Documents of the collections that the person may see."""
        return self.filter(collection__in=Collection.objects.visible_to(user))

    def without_content(self) -> DocumentQuerySet:
        """Documents with neither text nor picture, which nobody can grade."""
        return self.filter(image__isnull=True, fields=[])

    def without_what_is_shown(self, kind: TaskKind) -> DocumentQuerySet:
        """Documents without a picture if the task retrieves pictures, else those without a text."""
        return self.filter(image__isnull=True) if kind.retrieves_images else self.filter(fields=[])


@tracked_in_bulk
class Document(Item):
    """One unit of retrieval: images with captions, a text, or only a docno.

    Texts and images are frozen once it is judged or a task with its collection is released.
    """

    collection = models.ForeignKey(  # the index of the constraint below begins with it
        Collection, models.CASCADE, related_name="documents", db_index=False
    )
    docno = models.CharField(max_length=255, db_collation="C")

    FROZEN: ClassVar = (
        "The document is judged or released, so its texts and image stay. "
        "Add the new content under a new docno."
    )
    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ["docno"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "docno"], name="docno_once_a_collection"),
            models.CheckConstraint(condition=~Q(docno__regex=r"\s") & ~Q(docno=""), name="docno_is_one_word"),
            first_before_more("document"),
        ]
        indexes = [
            models.Index(fields=["collection"], condition=Q(image=None), name="document_without_image"),
            models.Index(fields=["collection"], condition=Q(fields=[]), name="document_without_text"),
            *indexes_of_images("document"),
            GinIndex(models.Func("fields", function="document_words"), name="document_words"),
        ]
        triggers = frozen_text("document", ["collection_id", "docno"], "collection_id = OLD.collection_id")

    def __str__(self) -> str:
        return self.docno

    def released_tasks(self) -> TaskQuerySet:
        """Return the tasks with its collection that are or were released."""
        return Task.objects.once_released().filter(collection=self.collection_id)


class TopicState(models.TextChoices):
    """Whether a topic counts."""

    DRAFT = "draft", "draft"
    ACTIVE = "active", "active"
    LEFT = "left", "left to a practice task"


NEW_STATES = [(state.value, str(state.label)) for state in (TopicState.DRAFT, TopicState.ACTIVE)]


# Topics that are active at the release stay active; those that left stay away: their grades were open.
STATE_STAYS = pgtrigger.Trigger(
    name="topic_state_stays_once_released",
    operation=pgtrigger.Update,
    when=pgtrigger.Before,
    condition=pgtrigger.AnyChange("state"),
    func=f"""
        IF OLD.state = 'left'
        OR EXISTS (SELECT FROM evaluation_task WHERE id = OLD.task_id AND {WAS_RELEASED}) THEN
            RAISE EXCEPTION 'topic %: it left, or its task is released, so its state stays', OLD.id
            USING ERRCODE = '{FROZEN_CODE}';
        END IF;
        RETURN NEW;
    """,
)


class TopicQuerySet(models.QuerySet["Topic"]):
    """Queryset of topics."""

    def active(self) -> TopicQuerySet:
        """Topics that count: runs are checked for them, and they are pooled and published."""
        return self.filter(state=TopicState.ACTIVE)

    def drafts(self) -> TopicQuerySet:
        """Topics that do not count: also those that left to a practice task."""
        return self.exclude(state=TopicState.ACTIVE)

    def gone(self) -> TopicQuerySet:
        """Topics that left to a practice task, where their grades are open."""
        return self.filter(state=TopicState.LEFT)

    def visible_to(self, user: User | AnonymousUser) -> TopicQuerySet:
        """All for organizers; active ones for members after the opening, for everybody after the release."""
        return self.filter(
            Q(task__in=Task.objects.organized_by(user))
            | Q(state=TopicState.ACTIVE, task__in=Task.objects.shown_to(user))
        )


@tracked
class Topic(Item):
    """One information need of a task: a text, images or both.

    Only active topics are checked, pooled and published. Results of runs for a topic that is set back to
    draft stay stored but enter no new pool. A topic that is activated later has no results in earlier runs.
    Texts and images are frozen once it is judged or its task is released.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="topics")
    number = models.CharField(
        max_length=255, db_collation="C", help_text="The topic as written in the first column of a run."
    )
    state = models.CharField(max_length=6, choices=TopicState, default=TopicState.ACTIVE)
    note = models.TextField(blank=True, help_text="Why it is a draft, or what readers should know of it.")
    stratum = models.TextField(
        blank=True, help_text="The group of topics it belongs to, such as easy; only organizers see it."
    )

    FROZEN: ClassVar = (
        "The topic is judged or released, so its texts and image stay. Add the new content as a new topic; "
        "before the release this one can go back to draft."
    )

    objects = TopicQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="topic_once_a_task"),
            models.CheckConstraint(
                condition=~Q(number__regex=r"\s") & ~Q(number=""), name="topic_is_one_word"
            ),
            models.CheckConstraint(condition=Q(image__isnull=False) | ~Q(fields=[]), name="topic_not_empty"),
            first_before_more("topic"),
        ]
        indexes = indexes_of_images("topic")
        triggers = [*frozen_text("topic", ["task_id", "number"], "id = OLD.task_id"), STATE_STAYS]

    def __str__(self) -> str:
        return self.number

    def released_tasks(self) -> TaskQuerySet:
        """Return its own task, if that is or was released."""
        return Task.objects.once_released().filter(pk=self.task_id)


class PictureQuerySet(ShownWithTaskQuerySet["Picture"]):
    """Queryset of pictures."""

    def on_the_front(self, user: User | AnonymousUser, tracks: Iterable[Track]) -> PictureQuerySet:
        """Those that may stand on the pages of these tracks and on the home page, in the order of picking."""
        shown = self.visible_to(user).filter(task__track__in=tracks).exclude(credit="")
        return shown.select_related("image", "task__track").order_by("pk")


@tracked
class Picture(models.Model):
    """A named picture of a task's guidelines; one with a credit also stands on the front pages."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="pictures")
    name = models.CharField(max_length=60)
    name_folded = FoldedField(of="name")
    image = models.ForeignKey(Image, models.PROTECT, related_name="+")
    credit = models.CharField(
        max_length=CREDIT_MAX,
        blank=True,
        default="",
        db_default="",
        help_text="Who made it, and its licence. With it the picture also stands on the front pages.",
    )

    objects = PictureQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            unique_names("task", "picture_name_once_a_task"),
            visible_characters("name", "picture_name_is_visible"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Reject a name that looks like the name of another picture of the task."""
        check_name(self, "task")
