"""Base classes of all admin pages: organizers see only rows of the tracks that they organize."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import NestedObjects
from django.db import models, router

from evaluation.access.changes import changes_to
from evaluation.access.forms import JSONTextField
from evaluation.access.people import Role, tracks_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import ForeignKey, ManyToManyField, Model, QuerySet
    from django.forms import ModelChoiceField, ModelMultipleChoiceField
    from django.http import HttpRequest, HttpResponse

    from evaluation.access.people import User
    from evaluation.access.requests import SignedInRequest

NOT_YOURS = "rows of another track"
MOST_DELETED = 2_000  # rows of one model that a deletion may cascade to; the confirmation page lists them all


def _over_limit(rows: list[Any]) -> list[str]:
    """Return the related models with more than MOST_DELETED rows to delete, each with its row count."""
    found = []
    relations = rows[0]._meta.related_objects if rows else ()  # noqa: SLF001 - Django's documented way
    for relation in relations:
        if relation.on_delete is models.CASCADE:
            name = relation.field.name
            count = relation.related_model._base_manager.filter(**{f"{name}__in": rows}).count()  # noqa: SLF001 - as above
            if count > MOST_DELETED:
                found.append(f"{relation.related_model._meta.verbose_name_plural}: {count:,}")  # noqa: SLF001 - as above
    return found


class TracksideAdmin(admin.ModelAdmin[Any]):
    """Admin that is limited to tracks that the person organizes.

    ``track_path`` is the lookup from the model to its track. If it is empty, only the model's ``visible_to``
    filters rows. Choices of foreign keys, autocomplete and the lists before a deletion use the querysets of
    the related models' admins. ``fixed_fields`` are editable only while adding a row.
    """

    formfield_overrides = {models.JSONField: {"form_class": JSONTextField}}
    track_path: ClassVar[str] = ""
    fixed_fields: ClassVar[tuple[str, ...]] = ()
    show_full_result_count = False
    list_per_page = 50

    object_history_template = "admin/changes_history.html"

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show every change of a tracked row, not only those made in the admin."""
        row = self.get_object(request, object_id)
        changes = changes_to(row) if row else []
        return super().history_view(request, object_id, {**(extra_context or {}), "changes": changes})

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows of the tracks that the person organizes."""
        rows = self.model._default_manager.visible_to(request.user)  # noqa: SLF001 - Django's documented name
        if self.track_path and not request.user.is_superuser:
            rows = rows.filter(**{f"{self.track_path}__in": tracks_of(request.user, Role.ORGANIZER)})
        ordered: QuerySet[Any] = rows.order_by(*self.get_ordering(request))
        return ordered

    def get_readonly_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        """Add ``fixed_fields`` once the row exists."""
        always = super().get_readonly_fields(request, obj)
        return always if obj is None else (*always, *self.fixed_fields)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show every list to organizers; the queryset limits its rows."""
        return request.user.is_active and request.user.is_staff

    def has_view_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the person may view the row, or any row if None."""
        return self._is_theirs(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Organizers may add rows; the choices of foreign keys limit them to their tracks."""
        return self._is_theirs(request, None)

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the person may change the row, or any row if None."""
        return self._is_theirs(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the person may delete the row, or any row if None."""
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
        """List the rows that a deletion cascades to; refuse it, naming no row, if one is in another track."""
        objs, most = (
            list(objs[: MOST_DELETED + 1] if isinstance(objs, models.QuerySet) else objs),
            MOST_DELETED,
        )
        if len(objs) > most:
            return [], {}, set(), [f"more than {most:,} rows at once: choose fewer"]
        if over_limit := _over_limit(objs):
            return [str(each) for each in objs], {}, set(), over_limit
        collector = NestedObjects(using=router.db_for_write(self.model))
        collector.collect(objs)
        reached = {*collector.protected, *(row for rows in collector.data.values() for row in rows)}
        if any(not self._shows(row, request) for row in reached):
            return [str(each) for each in objs], {}, {NOT_YOURS}, []
        return super().get_deleted_objects(objs, request)

    def _shows(self, row: Model, request: HttpRequest) -> bool:
        if not self.admin_site.is_registered(type(row)):
            return True  # rows of joining tables have no admin page
        return self._choices(type(row), request).filter(pk=row.pk).exists()


class StaffAdmin(TracksideAdmin):
    """Admin of site-wide rows: organizers view those that they may see, the site's staff change them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The site's staff."""
        return request.user.is_active and request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """The site's staff."""
        return self.has_add_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """The site's staff."""
        return self.has_add_permission(request)


class AddOnlyAdmin(TracksideAdmin):
    """Admin of rows that an action adds, and that nobody changes or deletes."""

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: other content makes a new row."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody: other rows name it."""
        return False

    def add_row(self, row: Any, form: Any, by: User) -> Model:
        """Store the form's new row by an action."""
        raise NotImplementedError

    def save_model(  # type: ignore[override]  # the admin lets nobody in who is not signed in
        self,
        request: SignedInRequest,
        obj: Any,
        form: Any,
        change: bool,  # noqa: FBT001
    ) -> None:
        """Store the new row, and pass its key to the admin."""
        obj.pk = self.add_row(obj, form, request.user).pk


class ReadOnlyAdmin(TracksideAdmin):
    """Admin of rows that only actions write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds rows in the admin."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody changes rows in the admin."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Nobody deletes rows in the admin."""
        return False
