"""Collections, documents and topics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.template.defaultfilters import truncatechars

from evaluation.admin.base import TracksideAdmin
from evaluation.admin.blob import thumbnail_of
from evaluation.forms.item import DocumentForm, TopicForm
from evaluation.models import Collection, Document, PoolItem, Topic

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from evaluation.models.collection import Item

BEGINNING = 120  # characters of an item's text shown in a list


@admin.register(Collection)
class CollectionAdmin(TracksideAdmin):
    """The documents that runs retrieve."""

    track_path = "track"
    fixed_fields = ("track",)
    list_display = ("name", "track", "created_at")
    list_filter = (("track", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("track",)
    search_fields = ("name",)


class ItemAdmin(TracksideAdmin):
    """What topics and documents have in common: texts and a picture, and that what is pooled stays."""

    readonly_fields = ("thumbnail",)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Pools and judgments name their topics and documents, and show them."""
        return self._is_theirs(request, obj) and (obj is None or not self.pairs_with(obj).exists())

    def pairs_with(self, obj: Any) -> QuerySet[PoolItem]:
        """The pooled pairs that name the item."""
        raise NotImplementedError

    @admin.display(description="image")
    def thumbnail(self, item: Item) -> SafeString | str:
        """The picture, small; a dash when there is none."""
        return thumbnail_of(item.image) if item.image else "–"

    @admin.display(description="text")
    def beginning(self, item: Item) -> str:
        """The first words of the item's texts."""
        return truncatechars(item.text_of(), BEGINNING)


@admin.register(Document)
class DocumentAdmin(ItemAdmin):
    """One thing that can be retrieved."""

    track_path = "collection__track"
    form = DocumentForm
    fixed_fields = ("collection", "docno")
    list_display = ("docno", "thumbnail", "beginning", "collection")
    list_filter = (("collection", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("image", "collection")
    search_fields = ("docno", "fields")
    fields = ("collection", "docno", "fields", "thumbnail", "picture")

    def pairs_with(self, obj: Document) -> QuerySet[PoolItem]:
        """Those of the collection's tasks."""
        return PoolItem.objects.filter(pool__task__collection=obj.collection_id, docno=obj.docno)


@admin.register(Topic)
class TopicAdmin(ItemAdmin):
    """One information need."""

    track_path = "task__track"
    form = TopicForm
    fixed_fields = ("task", "number")
    list_display = ("number", "state", "thumbnail", "beginning", "note", "task")
    list_filter = ("state", ("task", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("image", "task__track")
    search_fields = ("number", "fields")
    fields = ("task", "number", "state", "note", "fields", "thumbnail", "picture")

    def pairs_with(self, obj: Topic) -> QuerySet[PoolItem]:
        """Those of the task."""
        return PoolItem.objects.filter(pool__task=obj.task_id, topic=obj.number)
