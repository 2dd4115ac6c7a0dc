"""What all admin pages have in common: an organizer finds the rows of the own tracks and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import NestedObjects
from django.db import router

from evaluation.models import Track
from evaluation.models.audit import changes_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import ForeignKey, ManyToManyField, Model, QuerySet
    from django.forms import ModelChoiceField, ModelMultipleChoiceField
    from django.http import HttpRequest, HttpResponse

NOT_YOURS = "rows of another track"


class TracksideAdmin(admin.ModelAdmin[Any]):
    """Shows, offers and changes only what belongs to tracks that the person organizes.

    ``track_path`` is the lookup from the model to its track. Where it is empty, the model's own
    ``visible_to`` is all there is. Choices of foreign keys, autocomplete and the lists before a deletion come
    from the querysets of the related models' admins. ``fixed_fields`` can be set on adding only.
    """

    track_path: ClassVar[str] = ""
    fixed_fields: ClassVar[tuple[str, ...]] = ()
    show_full_result_count = False
    list_per_page = 50

    object_history_template = "admin/changes_history.html"

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show every change of a tracked row, not only those made here."""
        row = self.get_object(request, object_id)
        changes = changes_to(row) if row else []
        return super().history_view(request, object_id, {**(extra_context or {}), "changes": changes})

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Rows of the tracks that the person organizes."""
        rows = self.model._default_manager.visible_to(request.user)  # noqa: SLF001 - Django's documented name
        if self.track_path:
            rows = rows.filter(**{f"{self.track_path}__in": Track.objects.organized_by(request.user)})
        ordered: QuerySet[Any] = rows.order_by(*self.get_ordering(request))
        return ordered

    def get_readonly_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        """The fixed fields join once the row exists."""
        always = super().get_readonly_fields(request, obj)
        return always if obj is None else (*always, *self.fixed_fields)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Organizers get every list; what stands in it is the queryset's business."""
        return request.user.is_active and request.user.is_staff

    def has_view_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the row, or some row, may be seen."""
        return self._is_theirs(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Organizers may add; foreign keys keep the new row within their tracks."""
        return self._is_theirs(request, None)

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the row, or some row, may be changed."""
        return self._is_theirs(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the row, or some row, may be deleted."""
        return self._is_theirs(request, obj)

    def _is_theirs(self, request: HttpRequest, obj: Any | None) -> bool:
        if not self.has_module_permission(request):
            return False
        return obj is None or self.get_queryset(request).filter(pk=obj.pk).exists()

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField[Any] | None:
        """Offer only rows that the related model's admin shows to this person."""
        kwargs["queryset"] = self._choices(db_field.related_model, request)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelMultipleChoiceField[Any] | None:
        """Offer only rows that the related model's admin shows to this person."""
        kwargs["queryset"] = self._choices(db_field.related_model, request)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def _choices(self, model: type[Model], request: HttpRequest) -> QuerySet[Any]:
        return self.admin_site.get_model_admin(model).get_queryset(request)

    def get_deleted_objects(
        self, objs: QuerySet[Any] | Iterable[Any], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[Any], list[Any]]:
        """List what a deletion takes along; refuse, naming nothing, one that reaches into another track."""
        objs = list(objs)
        collector = NestedObjects(using=router.db_for_write(self.model))
        collector.collect(objs)
        reached = {*collector.protected, *(row for rows in collector.data.values() for row in rows)}
        if any(not self._shows(row, request) for row in reached):
            return [str(each) for each in objs], {}, {NOT_YOURS}, []
        return super().get_deleted_objects(objs, request)

    def _shows(self, row: Model, request: HttpRequest) -> bool:
        if not self.admin_site.is_registered(type(row)):
            return True  # rows of joining tables: they have no page and no name of their own
        return self._choices(type(row), request).filter(pk=row.pk).exists()


class StaffAdmin(TracksideAdmin):
    """Rows that hold for the whole site: organizers read what they may see, the site's staff change it."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The site's staff."""
        return request.user.is_active and request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """The site's staff."""
        return self.has_add_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """The site's staff."""
        return self.has_add_permission(request)


class ReadOnlyAdmin(TracksideAdmin):
    """Shows rows that only actions write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody changes by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody deletes by hand."""
        return False
