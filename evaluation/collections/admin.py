"""Admin of blobs, images, collections, documents and topics."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import truncatechars
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evaluation.collections.actions import delete_collection
from evaluation.collections.blobs import Blob, Image
from evaluation.collections.forms import DocumentForm, TopicForm
from evaluation.collections.items import Item
from evaluation.collections.models import Collection, Document, Picture, Topic
from evaluation.tracks.models import Task
from evaluation.web.admin.base import NOT_YOURS, TracksideAdmin, register_table

LIST_HEIGHT = 48  # pixels


def thumbnail_of(image: Image) -> SafeString:
    """Return an ``img`` element with the image's thumbnail."""
    address = reverse("image", args=[image.sha256, "thumbnail"])
    return format_html('<img src="{}" height="{}" alt="" loading="lazy">', address, LIST_HEIGHT)


register_table(Picture, "name task image", track_path="task__track")


register_table(Blob, "sha256 size created_at", search="sha256", ordering=("-created_at",))


register_table(Image, "sha256 width height created_at", search="sha256", ordering=("-created_at",))


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

    def get_deleted_objects(
        self, objs: QuerySet[Any] | Iterable[Any], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[Any], list[Any]]:
        """Name the collections and count their documents; a task protects its collection."""
        chosen = list(objs)
        if not self._shows_all(chosen, request):
            return [*map(str, chosen)], {}, {NOT_YOURS}, []
        tasks = [
            f"task: {task}" for task in Task.objects.filter(collection__in=chosen).select_related("track")
        ]
        count = Document.objects.filter(collection__in=chosen).count()
        named = [*map(str, chosen), f"documents: {count:,}"]
        return named, {"collections": len(chosen), "documents": count}, set(), tasks

    def delete_model(self, request: HttpRequest, obj: Collection) -> None:
        """Delete the collection and its documents, with one statement per table."""
        delete_collection(collection=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Collection]) -> None:
        """Delete the collections and their documents, one collection at a time."""
        for collection in queryset:
            delete_collection(collection=collection)


class ItemAdmin(TracksideAdmin):
    """Base of the admins of topics and documents: frozen or pooled items cannot be deleted."""

    readonly_fields = ("thumbnail", "version", "frozen_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Refuse frozen and pooled items: pools and judgments refer to them."""
        if obj is None:
            return self._is_theirs(request, None)
        return self._is_theirs(request, obj) and not obj.is_frozen and not self.pairs_with(obj).exists()

    def pairs_with(self, obj: Any) -> QuerySet[Any]:
        """Return the pooled pairs of the item."""
        raise NotImplementedError

    @admin.display(description="image")
    def thumbnail(self, item: Item) -> SafeString | str:
        """Return the thumbnail, or a dash if there is no image."""
        if item.image is None:
            return "–"
        count = f" 1 of {item.image_count}" if item.more_images else ""
        return format_html("{}{}", thumbnail_of(item.image), count)

    @admin.display(description="text")
    def beginning(self, item: Item) -> str:
        """Return the first BEGINNING characters of the item's texts."""
        return truncatechars(item.summary, BEGINNING)


class OneCollectionFilter(admin.SimpleListFilter):
    """The collection whose documents are listed; by default the newest one.

    PostgreSQL would sort the documents of all collections; it reads those of one in order from its index.
    """

    title = "collection"
    parameter_name = "collection"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> list[tuple[str, str]]:
        """Return the collections that the person may see, newest first."""
        shown = model_admin.admin_site.get_model_admin(Collection).get_queryset(request)
        return [
            (str(each.pk), f"{each.track}: {each}") for each in shown.select_related("track").order_by("-pk")
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the documents of the chosen collection."""
        return queryset.filter(collection=self._chosen())

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield a link for each collection."""
        for key, title in self.lookup_choices:
            address = changelist.get_query_string({self.parameter_name: key})
            yield {"selected": key == self._chosen(), "query_string": address, "display": title}

    def _chosen(self) -> str:
        keys = [str(key) for key, _ in self.lookup_choices]
        return asked if (asked := self.value()) in keys else keys[0]


@admin.register(Document)
class DocumentAdmin(ItemAdmin):
    """One thing that can be retrieved."""

    track_path = "collection__track"
    form = DocumentForm
    fixed_fields = ("collection", "docno")
    list_display = ("docno", "thumbnail", "beginning", "collection")
    list_filter = (OneCollectionFilter,)
    list_select_related = ("image", "collection")
    search_fields = ("docno__startswith",)
    fields = ("collection", "docno", "fields", "thumbnail", "picture", "version", "frozen_at")

    def pairs_with(self, obj: Document) -> QuerySet[Any]:
        """Return the pairs of the collection's tasks."""
        return _pooled().filter(pool__task__collection=obj.collection_id, docno=obj.docno)


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
    fields = ("task", "number", "state", "note", "fields", "thumbnail", "picture", "version", "frozen_at")

    def pairs_with(self, obj: Topic) -> QuerySet[Any]:
        """Return the pairs of the task."""
        return _pooled().filter(pool__task=obj.task_id, topic=obj.number)


def _pooled() -> QuerySet[Any]:
    """Return all pooled pairs. Pools import collections, so this module cannot import pools."""
    pairs: QuerySet[Any] = apps.get_model("evaluation", "PoolItem").objects.all()
    return pairs
