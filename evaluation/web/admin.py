"""Base of the admin, which is the site's staff's: every table can be read, few can be changed."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar, cast

from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import NestedObjects
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import BadRequest, ValidationError
from django.core.paginator import Paginator
from django.db import models
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse

from evaluation.access.changes import changes_to
from evaluation.access.people import User
from evaluation.access.requests import SignedInRequest
from evaluation.web.opened_forms import compared

MOST_WORDS = 20  # of a search


MOST_NAMED = 100  # maximum rows that the page of a deletion lists one by one; above, it shows counts


MOST_DELETED = 2_000  # maximum rows of one model that a deletion may cascade to; more are refused


LIMITS: dict[Any, int] = {
    models.CASCADE: MOST_DELETED,
    models.PROTECT: MOST_NAMED,
    models.RESTRICT: MOST_NAMED,
}


def plural_of(model: type[Model]) -> str:
    """Return the name of the model's rows."""
    return str(model._meta.verbose_name_plural)  # noqa: SLF001 - Django's documented way


class LimitedObjects(NestedObjects):
    """Collects the rows that a deletion cascades to, and those that forbid it.

    If a model has more than MOST_DELETED rows to delete, or more than MOST_NAMED rows that forbid it, such as
    the judgments of a task, they are counted and not loaded: ``uncollected`` has a line for the model.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.uncollected: list[str] = []

    def related_objects(
        self, related_model: type[Model], related_fields: Iterable[Any], objs: Any
    ) -> QuerySet[Any]:
        """Return the rows that refer to these; none if there are too many."""
        (field,) = related_fields
        rows = super().related_objects(related_model, [field], objs)
        limit = LIMITS.get(field.remote_field.on_delete)
        if limit is None or (count := rows.select_related(None).count()) <= limit:
            return rows
        self.uncollected.append(f"{plural_of(related_model)}: {count:,}")
        return rows.none()


class OfferedFiltersList(ChangeList):
    """A list that accepts only its own filters and date hierarchy as query parameters.

    Django accepts any lookup of any column. With odd values, many lookups raise database errors, and some,
    such as regular expressions, can take unlimited time.
    """

    def get_filters(self, request: HttpRequest) -> Any:
        """Return what Django returns. Raises DisallowedModelAdminLookup, IncorrectLookupParameters."""
        try:
            filters = super().get_filters(request)
        except (OverflowError, ValueError) as error:  # an impossible date, such as the year 10000
            raise IncorrectLookupParameters(error) from error
        _, _, not_used, *_ = filters
        if unknown := not_used.keys() - self._bounds_of_date():
            raise DisallowedModelAdminLookup(f"Filtering by {', '.join(sorted(unknown))} not allowed")
        return filters

    def _bounds_of_date(self) -> set[str]:
        """Return the two lookups that Django derives from a date in the URL; none if the URL has no date."""
        if f"{self.date_hierarchy}__year" not in self.params:
            return set()
        return {f"{self.date_hierarchy}__{bound}" for bound in ("gte", "lt")}


MOST_LISTED = 10_000  # rows of one list; a search or a filter leads to the others


class CappedPaginator(Paginator):  # type: ignore[type-arg]  # Django's own is not generic when the site runs
    """A paginator that counts and shows at most MOST_LISTED rows."""

    @cached_property
    def is_capped(self) -> bool:
        """Whether there are more rows than it shows."""
        return self._counted > MOST_LISTED

    @cached_property
    def count(self) -> int:
        """Return the number of rows that it shows."""
        return min(self._counted, MOST_LISTED)

    @cached_property
    def _counted(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[: MOST_LISTED + 1].count()


class TracksideAdmin(admin.ModelAdmin[Any]):
    """A table that staff read. ``can`` says what they may do beyond, of: add, change, delete.

    ``track_path`` is the lookup from the model to its track, if it has one. ``fixed_fields`` are editable
    only while adding a row.
    """

    can: ClassVar[str] = ""
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

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *rest: Any, **named: Any) -> Any:
        """Run an action on the chosen rows. Raises BadRequest."""
        try:
            queryset.filter(pk__in=request.POST.getlist(ACTION_CHECKBOX_NAME))
        except (ValueError, ValidationError) as error:
            raise BadRequest("The key of a chosen row is malformed.") from error
        return super().response_action(request, queryset, *rest, **named)

    def get_readonly_fields(self, request: HttpRequest, obj: Any | None = None) -> Any:
        """Add ``fixed_fields`` once the row exists."""
        always = super().get_readonly_fields(request, obj)
        return always if obj is None else (*always, *self.fixed_fields)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whether staff may add rows."""
        return "add" in self.can.split()

    def has_change_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether staff may change rows."""
        return "change" in self.can.split()

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether staff may delete rows."""
        return "delete" in self.can.split()


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
    **options: Any,
) -> None:
    """Register a table, read-only unless ``can`` names more; names in texts are separated by blanks.

    The list has filters by the columns with choices or yes and no, and by the first object on the way to the
    track.
    """
    fields = {field.name: field for field in model._meta.get_fields()}  # noqa: SLF001 - Django's documented way
    listed = [fields[name] for name in columns.split() if name in fields]
    related = [field.name for field in listed if field.is_relation]
    kinds = [
        field.name
        for field in listed
        if getattr(field, "choices", None) or isinstance(field, models.BooleanField)
    ]
    parent = track_path.partition("__")[0]
    attributes = {
        "can": can,
        "track_path": track_path,
        "list_display": columns.split(),
        "list_filter": [*kinds, *([(parent, admin.RelatedOnlyFieldListFilter)] if parent else ())],
        "list_select_related": [*related, *joins.split(), *([track_path] if track_path else ())],
        "search_fields": search.split(),
    }
    admin.site.register(model, type(f"{model.__name__}Admin", (TracksideAdmin,), attributes | options))
