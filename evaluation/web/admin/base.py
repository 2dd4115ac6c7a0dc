"""Base classes of all admin pages: organizers see only rows of the tracks that they organize."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db import models, router
from django.db.models import ForeignKey, ManyToManyField, Model, QuerySet
from django.forms import ModelChoiceField, ModelForm, ModelMultipleChoiceField
from django.http import HttpRequest, HttpResponse

from evaluation.access.changes import changes_to
from evaluation.access.forms import JSONTextField
from evaluation.access.people import Role, User, tracks_of
from evaluation.access.requests import SignedInRequest
from evaluation.web.admin.archive import ArchiveGuard
from evaluation.web.admin.deletions import MOST_DELETED, MOST_NAMED, LimitedObjects, plural_of
from evaluation.web.admin.filters import OfferedFiltersList
from evaluation.web.admin.paging import CappedPaginator
from evaluation.web.opened_forms import compared

KNOWN_ROWS = "known_rows"  # attribute of a request: rows that its person may see, as checked before
NOT_YOURS = "rows of another track"
MOST_WORDS = 20  # of a search


class TracksideAdmin(ArchiveGuard):
    """Admin that is limited to tracks that the person organizes.

    ``track_path`` is the lookup from the model to its track. If it is empty, only the model's ``visible_to``
    filters rows. Choices of foreign keys and the lists before a deletion use the querysets of the related
    models' admins. ``fixed_fields`` are editable only while adding a row. ``can`` says what organizers may do
    beyond viewing, ``staff_can`` what the site's staff may in addition. Tables with ``is_of_staff`` are shown
    to them alone.
    """

    can: ClassVar[str] = "add change delete"
    staff_can: ClassVar[str] = ""
    is_of_staff: ClassVar[bool] = False

    formfield_overrides = {models.JSONField: {"form_class": JSONTextField}}
    track_path: ClassVar[str] = ""
    fixed_fields: ClassVar[tuple[str, ...]] = ()
    show_full_result_count = False
    list_per_page = 50
    paginator = CappedPaginator

    object_history_template = "admin/changes_history.html"
    change_form_template = "admin/opened_change_form.html"

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show every change of a tracked row, not only those made in the admin."""
        row = self.get_object(request, object_id)
        changes = changes_to(row) if row else []
        return super().history_view(request, object_id, {**(extra_context or {}), "changes": changes})

    def get_form(  # type: ignore[override]  # UserAdmin takes ``change`` by name only
        self, request: HttpRequest, obj: Any | None = None, **named: Any
    ) -> type[ModelForm[Any]]:
        """Return a form that refuses to overwrite what was stored after its page was opened."""
        form = super().get_form(request, obj, **named)
        return compared(form) if obj and named.get("fields") else form

    def get_changelist(self, request: HttpRequest, **named: Any) -> type[ChangeList]:
        """Return a list that accepts only the filters that it offers."""
        return OfferedFiltersList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search for the first MOST_WORDS words, because Django adds a condition for each word and column."""
        return super().get_search_results(request, queryset, " ".join(search_term.split()[:MOST_WORDS]))

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
        """Show the lists to organizers; the queryset limits their rows."""
        return request.user.is_active and (
            request.user.is_superuser if self.is_of_staff else request.user.is_staff
        )

    def has_view_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the person may view the row, or any row if None."""
        return self._is_theirs(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whether the person may add rows; the choices of foreign keys limit organizers to their tracks."""
        return self._may("add", request) and self._is_theirs(request, None)

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the person may change the row, or any row if None; nobody changes archived tracks."""
        return self._may("change", request) and self._may_write(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the person may delete the row, or any row if None; nobody changes archived tracks."""
        return self._may("delete", request) and self._may_write(request, obj)

    def _may(self, what: str, request: HttpRequest) -> bool:
        return what in (self.can if not request.user.is_superuser else f"{self.can} {self.staff_can}").split()

    def _may_write(self, request: HttpRequest, obj: Any | None) -> bool:
        # Known rows are those of a deletion whose own row was checked before.
        known: Collection[Model] = getattr(request, KNOWN_ROWS, ())
        return self._is_theirs(request, obj) and (obj in known or not self.is_archived(obj))

    def _is_theirs(self, request: HttpRequest, obj: Any | None) -> bool:
        if not self.has_module_permission(request):
            return False
        known: Collection[Model] = getattr(request, KNOWN_ROWS, ())
        return obj is None or obj in known or self.get_queryset(request).filter(pk=obj.pk).exists()

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelChoiceField[Any] | None:
        """Offer only rows that the related model's admin shows to this person."""
        kwargs["queryset"] = self._open_choices(db_field.related_model, request)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> ModelMultipleChoiceField[Any] | None:
        """Offer only rows that the related model's admin shows to this person."""
        kwargs["queryset"] = self._open_choices(db_field.related_model, request)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def _choices(self, model: type[Model], request: HttpRequest) -> QuerySet[Any]:
        return self.admin_site.get_model_admin(model).get_queryset(request)

    def _open_choices(self, model: type[Model], request: HttpRequest) -> QuerySet[Any]:
        """Return the choices of a form: none in an archived track."""
        found, related = self._choices(model, request), self.admin_site.get_model_admin(model)
        return found.exclude(pk__in=cast("ArchiveGuard", related).archived_rows(found).values("pk"))

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
        collector = LimitedObjects(using=router.db_for_write(self.model))
        collector.collect(objs)
        if collector.uncollected:
            return [str(obj) for obj in objs], {}, set(), collector.uncollected
        reached = {*collector.protected, *(row for rows in collector.data.values() for row in rows)}
        if not self._shows_all(reached, request):
            return [str(obj) for obj in objs], {}, {NOT_YOURS}, []
        setattr(request, KNOWN_ROWS, reached)
        if len(reached) > MOST_NAMED:
            return self._deleted_counts(objs, collector, request)
        return super().get_deleted_objects(objs, request)

    def _deleted_counts(
        self, objs: list[Any], collector: LimitedObjects, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[Any], list[Any]]:
        """Count the rows by model: Django's page would run queries for each row that it names."""
        counts = {plural_of(model): len(rows) for model, rows in collector.data.items()}
        protected = Counter(plural_of(type(row)) for row in collector.protected)
        by_model = collector.data.items()
        kept = {plural_of(model) for model, rows in by_model if self._keeps(model, rows, request)}
        named = [*map(str, objs), *(f"{name}: {count:,}" for name, count in counts.items())]
        return named, counts, kept, [f"{name}: {count:,}" for name, count in protected.items()]

    def _keeps(self, model: type[Model], rows: Iterable[Model], request: HttpRequest) -> bool:
        """Whether the person may not delete one of the rows."""
        if not self.admin_site.is_registered(model):
            return False
        model_admin = self.admin_site.get_model_admin(model)
        return not all(model_admin.has_delete_permission(request, row) for row in rows)

    def _shows_all(self, rows: Iterable[Model], request: HttpRequest) -> bool:
        """Whether the person sees every row, with one query per model; joining tables have no admin page."""
        keys: dict[type[Model], set[Any]] = {}
        for row in rows:
            keys.setdefault(type(row), set()).add(row.pk)
        shown = (
            found <= set(self._choices(model, request).filter(pk__in=found).values_list("pk", flat=True))
            for model, found in keys.items()
            if self.admin_site.is_registered(model)
        )
        return all(shown)


class AddOnlyAdmin(TracksideAdmin):
    """Admin of rows that an action adds, and that nobody changes or deletes, because others refer to them."""

    can = "add"

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


def register_table(
    model: type[Model],
    columns: str,
    *,
    can: str = "",
    track_path: str = "",
    joins: str = "",
    search: str = "",
    fixed: str = "",
    **options: Any,
) -> None:
    """Register a table, read-only unless ``can`` names more; names in texts are separated by blanks.

    The list has filters by the columns with choices or yes and no, and by the first object on the way to the
    track.
    """
    fields = {field.name: field for field in model._meta.get_fields()}  # noqa: SLF001 - Django's documented way
    shown = [fields[name] for name in columns.split() if name in fields]
    related = [field.name for field in shown if field.is_relation]
    kinds = [
        field.name
        for field in shown
        if getattr(field, "choices", None) or isinstance(field, models.BooleanField)
    ]
    parent = track_path.partition("__")[0]
    attributes = {
        "can": can,
        "track_path": track_path,
        "fixed_fields": tuple(fixed.split()),
        "list_display": columns.split(),
        "list_filter": [*kinds, *([(parent, admin.RelatedOnlyFieldListFilter)] if parent else ())],
        "list_select_related": [*related, *joins.split(), *([track_path] if track_path else ())],
        "search_fields": search.split(),
    }
    admin.site.register(model, type(f"{model.__name__}Admin", (TracksideAdmin,), attributes | options))
