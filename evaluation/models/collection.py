"""Topics and documents: both are ordered text fields and an optional image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.models.blob import Image
from evaluation.models.people import Role, tracks_of
from evaluation.models.track import Task, Track
from evaluation.models.tracking import tracked

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from evaluation.models.people import User


class Item(models.Model):
    """What a topic and a document have in common.

    ``fields`` is a list of ``[name, text]`` pairs in reading order.
    """

    fields = models.JSONField(default=list, blank=True)
    image = models.ForeignKey(Image, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        abstract = True

    def text_of(self, *names: str) -> str:
        """The texts of the named fields in that order, or of all fields in theirs, joined by blanks."""
        texts = dict(self.fields)
        chosen = names or tuple(texts)
        return " ".join(texts[name] for name in chosen if texts.get(name))


class CollectionQuerySet(models.QuerySet["Collection"]):
    """Reads of collections."""

    def visible_to(self, user: User | AnonymousUser) -> CollectionQuerySet:
        """Members see the collections of their tracks; everybody those of released tasks."""
        if user.is_superuser:
            return self
        own = Q(track__in=tracks_of(user, Role.ORGANIZER))
        return self.filter(own | Q(pk__in=Task.objects.shown_to(user).values("collection")))


class Collection(models.Model):
    """The documents that runs retrieve."""

    track = models.ForeignKey(Track, models.PROTECT, related_name="collections")
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = CollectionQuerySet.as_manager()

    class Meta:
        ordering = ["track", "name"]
        constraints = [models.UniqueConstraint(fields=["track", "name"], name="collection_name_once_a_track")]

    def __str__(self) -> str:
        return self.name


class DocumentQuerySet(models.QuerySet["Document"]):
    """Reads of documents."""

    def visible_to(self, user: User | AnonymousUser) -> DocumentQuerySet:
        """Those of the collections one may see."""
        return self.filter(collection__in=Collection.objects.visible_to(user))


class Document(Item):
    """One thing that can be retrieved: an image with its captions, a text, or a mere docno."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="documents")
    docno = models.CharField(max_length=255, db_collation="C")

    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ["docno"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "docno"], name="docno_once_a_collection"),
            models.CheckConstraint(condition=~Q(docno__regex=r"\s") & ~Q(docno=""), name="docno_is_one_word"),
        ]

    def __str__(self) -> str:
        return self.docno


class TopicState(models.TextChoices):
    """Whether a topic counts."""

    DRAFT = "draft", "draft"
    ACTIVE = "active", "active"


class TopicQuerySet(models.QuerySet["Topic"]):
    """Reads of topics."""

    def active(self) -> TopicQuerySet:
        """Topics that count: runs are checked against them, and they are pooled and given away."""
        return self.filter(state=TopicState.ACTIVE)

    def drafts(self) -> TopicQuerySet:
        """Topics that do not count, yet or any more."""
        return self.filter(state=TopicState.DRAFT)

    def visible_to(self, user: User | AnonymousUser) -> TopicQuerySet:
        """Organizers all; active ones members once the task has opened, and everybody once it is released."""
        return self.filter(
            Q(task__in=Task.objects.organized_by(user))
            | Q(state=TopicState.ACTIVE, task__in=Task.objects.shown_to(user))
        )


@tracked
class Topic(Item):
    """One information need of a task: a text, an image or both.

    Only active topics are checked, pooled and given away. What runs have for a topic that goes back to draft
    is kept and left out of new pools; a topic that turns active later is one that earlier runs left out.
    """

    task = models.ForeignKey(Task, models.CASCADE, related_name="topics")
    number = models.CharField(
        max_length=255, db_collation="C", help_text="The topic as it stands in the first column of a run."
    )
    state = models.CharField(max_length=6, choices=TopicState, default=TopicState.ACTIVE)
    note = models.TextField(blank=True, help_text="Why it is a draft, or what readers should know of it.")

    objects = TopicQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="topic_once_a_task"),
            models.CheckConstraint(
                condition=~Q(number__regex=r"\s") & ~Q(number=""), name="topic_is_one_word"
            ),
            models.CheckConstraint(condition=Q(image__isnull=False) | ~Q(fields=[]), name="topic_not_empty"),
        ]

    def __str__(self) -> str:
        return self.number
