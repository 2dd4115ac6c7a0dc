"""The admin of every noun: for the site's staff, and for organizers of the tracks that a row belongs to."""

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, ValidationError
from django.db import models
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse

from evaluation.platform.access.changes import changes_to
from evaluation.platform.access.limits.rates import spend_rate
from evaluation.platform.access.people import Role, User, tracks_of
from evaluation.platform.access.requests import error_in
from evaluation.platform.web.admin_lists import CappedPaginator, OfferedFiltersList
from evaluation.platform.web.opened_forms import OPENED, compared
from evaluation.platform.web.rows import RowTable, tables_of

MOST_WORDS = 20  # of a search
MOST_STEPS = 5  # foreign keys between a row and its track
NAMES = ("name", "email", "tag")  # columns by which a search finds rows of another table


@cache
def path_to_track(model: type[Model]) -> str:
    """Return the lookup from rows of the model to their track; empty if they belong to none.

    It is the shortest one, by foreign keys that are never null if there are such.
    """
    if model._meta.label == "evaluation.Track":  # noqa: SLF001 - Django's documented way
        return "pk"
    for takes_null in (False, True):
        paths: list[tuple[tuple[str, ...], type[Model]]] = [((), model)]
        for names, reached in paths:
            for field in _foreign_keys(reached):
                path = (*names, field.name)
                if field.null and not takes_null:
                    continue
                if field.related_model._meta.label == "evaluation.Track":  # noqa: SLF001 - as above
                    return "__".join(path)
                if len(path) < MOST_STEPS:
                    paths.append((path, field.related_model))
    return ""


def _foreign_keys(model: type[Model]) -> Iterator[Any]:
    return (field for field in model._meta.concrete_fields if field.is_relation)  # noqa: SLF001 - as above


class _SavedByAction:
    """A form of the admin that is valid once the action of the row's page has stored it."""

    table: RowTable
    by: User

    def is_valid(self) -> bool:
        """Store the row; the message of an InputError is an error of the form."""
        form: Any = super()
        if not form.is_valid():
            return False
        with error_in(self):  # type: ignore[arg-type]  # it is mixed into a form
            spend_rate(name="change", who=f"user:{self.by.pk}")
            self.table.save(self, self.by)
        return bool(form.is_valid())


class TracksideAdmin(admin.ModelAdmin[Any]):
    """A noun. Staff see all rows, organizers those of their tracks; the form of a row's page changes it.

    A noun without such a form is read-only. An organizer who is also an assessor of the track, and so has to
    stay blind, does not see it. ``can`` says what staff may do beyond, of: add, change, delete;
    ``fixed_fields`` are editable only while adding a row.
    """

    can: ClassVar[str] = ""
    fixed_fields: ClassVar[tuple[str, ...]] = ()
    is_blinding: ClassVar[bool] = False  # whether rows name runs or judges although they can be changed
    show_full_result_count = False
    list_per_page = 50
    paginator = CappedPaginator

    object_history_template = "admin/changes_history.html"
    change_form_template = "admin/row_change_form.html"

    @property
    def track_path(self) -> str:
        """Return the lookup from a row to its track; empty if it has none."""
        model: type[Model] = self.model
        return path_to_track(model)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows that the person may see here."""
        rows = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        if not self.track_path:
            return rows.none()
        visible: QuerySet[Any] = rows.visible_to(request.user)  # type: ignore[attr-defined]  # each of ours has it
        return visible.filter(**{f"{self.track_path}__in": self._tracks(request)})

    def _tracks(self, request: HttpRequest) -> set[int]:
        """Return keys of the tracks whose rows an organizer sees; none of a table without tracks."""
        organized = set(tracks_of(request.user, Role.ORGANIZER)) if self.track_path else set()
        if tables_of(self.model) and not self.is_blinding:
            return organized
        return organized.difference(tracks_of(request.user, Role.ASSESSOR))

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row. Raises Http404 for an absent one and for one of another track."""
        row = super().get_object(request, object_id, from_field)
        if row is None:
            raise Http404
        return row

    def has_view_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the person is of the staff, or organizes a track whose rows are shown."""
        return request.user.is_superuser or bool(self._tracks(request))

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whether the index lists the table."""
        return self.has_view_permission(request)

    def _staff_can(self, request: HttpRequest, what: str) -> bool:
        return request.user.is_superuser and what in self.can.split()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whether the person is of the staff, and they may add rows."""
        return self._staff_can(request, "add")

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether staff change rows here, or a page has a form for them; never in an archived track."""
        return self._staff_can(request, "change") or bool(
            tables_of(self.model) and self.has_view_permission(request) and not self._is_archived(obj)
        )

    def _is_archived(self, row: Any | None) -> bool:
        for name in self.track_path.removeprefix("pk").split("__"):
            row = getattr(row, name) if row and name else row
        return hasattr(row, "archiving")

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the person is of the staff, and they may delete rows."""
        return self._staff_can(request, "delete")

    def _tables(self, request: HttpRequest, row: Any | None) -> dict[str, RowTable]:
        """Return the tables whose forms change the row here, that of the address first; none if none does."""
        if row is None or not self.has_change_permission(request, row):
            return {}
        tables = tables_of(self.model)
        name = request.GET.get("form", "")
        return {name: tables[name], **tables} if name in tables else tables

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the row with the form of its page; ``?form=`` names another one, if it has several."""
        context = {"row_forms": list(tables_of(self.model)), **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    def get_form(  # type: ignore[override]  # UserAdmin takes ``change`` by name only
        self, request: HttpRequest, obj: Any | None = None, **named: Any
    ) -> type[ModelForm[Any]]:
        """Return the form of the row's page; else one that does not overwrite what was stored meanwhile."""
        for table in self._tables(request, obj).values():
            parts: dict[str, Any] = {"table": table, "by": request.user}
            form: Any = compared(table.form)  # type: ignore[arg-type]  # a table of ``tables_of`` has one
            return type(form.__name__, (_SavedByAction, form), parts)
        plain = super().get_form(request, obj, **named)
        return compared(plain) if obj and named.get("fields") else plain

    def get_fieldsets(self, request: HttpRequest, obj: Any | None = None) -> Any:
        """Return the fields of the row's form, some of which depend on the row; then its columns."""
        if not self._tables(request, obj):
            return super().get_fieldsets(request, obj)
        fields = [name for name in self.get_form(request, obj)(instance=obj).fields if name != OPENED]
        return [(None, {"fields": [*fields, *self.get_readonly_fields(request, obj)]})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        """Add ``fixed_fields`` once the row exists; beside the form of a page, the other columns."""
        always = super().get_readonly_fields(request, obj)
        if self._tables(request, obj):
            shown = set(self.get_form(request, obj)(instance=obj).fields) | {"__str__"}
            return [name for name in self.list_display if name not in shown]
        return always if obj is None else (*always, *self.fixed_fields)

    def save_form(self, request: HttpRequest, form: Any, change: Any) -> Any:
        """Return the row, which the form of a page has stored already."""
        is_stored = isinstance(form, _SavedByAction)
        return form.instance if is_stored else super().save_form(request, form, change)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Store the row, unless the form of a page has."""
        if not isinstance(form, _SavedByAction):
            super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """Store many-to-many fields, unless the form of a page has."""
        if not isinstance(form, _SavedByAction):
            super().save_related(request, form, formsets, change)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show every change of a tracked row, not only those made in the admin."""
        changes = changes_to(self.get_object(request, object_id))
        return super().history_view(request, object_id, {**(extra_context or {}), "changes": changes})

    def get_changelist(self, request: HttpRequest, **named: Any) -> type[ChangeList]:
        """Return a list that accepts only the filters that it offers."""
        return OfferedFiltersList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search for the first MOST_WORDS words, because Django adds a condition for each word and column."""
        return super().get_search_results(request, queryset, " ".join(search_term.split()[:MOST_WORDS]))

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *rest: Any, **named: Any) -> Any:
        """Run an action on the chosen rows. Raises BadRequest."""
        try:
            queryset.filter(pk__in=request.POST.getlist(ACTION_CHECKBOX_NAME))
        except (ValueError, ValidationError) as error:
            raise BadRequest("The key of a chosen row is malformed.") from error
        return super().response_action(request, queryset, *rest, **named)


def register_tables(app: str, tables: dict[str, str]) -> None:
    """Register tables of an app by their columns, separated by blanks."""
    for name, columns in tables.items():
        register_table(f"{app}.{name}", columns)


def register_table(label: str, columns: str, **options: Any) -> None:
    """Register a table by the label of its model, such as "evaluation.Topic". Raises LookupError.

    Its list has filters by the columns with choices or yes and no, and by the first object on the way to the
    track. A search reads the columns of text, and the names in rows that columns refer to.
    """
    model: type[Model] = apps.get_model(label)
    fields = {field.name: field for field in model._meta.get_fields()}  # noqa: SLF001 - Django's documented way
    listed = [fields[name] for name in columns.split() if name in fields]
    related: list[Any] = [field for field in listed if field.is_relation]
    kinds = [
        field.name
        for field in listed
        if getattr(field, "choices", None) or isinstance(field, models.BooleanField)
    ]
    texts = [field.name for field in listed if _is_searched(field)]
    names = [
        f"{field.name}__{name.name}"
        for field in related
        for name in field.related_model._meta.concrete_fields  # noqa: SLF001 - as above
        if name.name in NAMES
    ]
    joined = [f"{field.name}__{key.name}" for field in related for key in _foreign_keys(field.related_model)]
    path = path_to_track(model)
    parent = path.removeprefix("pk").partition("__")[0]
    attributes = {
        "list_display": columns.split(),
        "list_filter": [*kinds, *([(parent, admin.RelatedOnlyFieldListFilter)] if parent else ())],
        "list_select_related": [*(field.name for field in related), *joined, *([path] if parent else ())],
        "search_fields": [*texts, *names],
    }
    admin.site.register(model, type(f"{model.__name__}Admin", (TracksideAdmin,), attributes | options))


def _is_searched(field: Any) -> bool:
    return isinstance(field, models.CharField | models.TextField) and not field.choices
