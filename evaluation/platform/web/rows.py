"""Rows that organizers correct or remove one by one: by a page, in the admin and by the API.

Other apps register their tables in ``AppConfig.ready()``; ``evaluation`` does not import them.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.db import transaction
from django.db.models import Model, ProtectedError, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from evaluation.platform.access.people import User
from evaluation.platform.web.opened_forms import OPENED, compared
from trackside.errors import InputError


@dataclass(frozen=True)
class RowTable:
    """A table of a track: its name in addresses, its rows, and the address of the page that shows a row.

    Without ``form`` its rows can only be removed, without ``remove`` only be changed. ``page_without`` is the
    page to read after the removal, if that of the row is gone. A row that ``has_parts`` is removed with them,
    by a person who writes its name.
    """

    name: str
    rows: Callable[[Any], QuerySet[Any]]
    page_of: Callable[[Any], str]
    form: type[forms.ModelForm[Any]] | None = None
    save: Callable[[Any, User], object] = lambda form, _by: form.save()
    remove: Callable[[Any], object] | None = None
    page_without: Callable[[Any], str] | None = None
    has_parts: bool = False

    def form_of(self, row: Any) -> Callable[..., forms.ModelForm[Any]]:
        """Return the form with the row's values, or raise Http404."""
        if self.form is None:
            raise Http404
        return partial(compared(self.form), instance=row)

    @transaction.atomic
    def remove_row(self, row: Any, words: str) -> str:
        """Remove the row, and return the address of the page to read next, or raise Http404.

        Raises not-confirmed, row-in-use, and the errors of the table's own action.
        """
        if self.remove is None:
            raise Http404
        if self.has_parts and " ".join(words.split()).casefold() != row.name.casefold():
            raise InputError(f"Write “{row.name}” to confirm the removal.", code="not-confirmed")
        address = (self.page_without or self.page_of)(row)
        try:
            self.remove(row)
        except ProtectedError as error:
            models = {type(other)._meta for other in error.protected_objects}  # noqa: SLF001 - Django's documented way
            names = ", ".join(sorted(str(meta.verbose_name_plural) for meta in models))
            raise InputError(f"{row} stays: {names} refer to it.", code="row-in-use", status=409) from error
        return address


_tables: dict[str, RowTable] = {}


def register_rows(*tables: RowTable) -> None:
    """Add tables."""
    _tables.update({table.name: table for table in tables})


def find_row(track: Any, table: str, row: int) -> tuple[RowTable, Any]:
    """Return the table of that name and the track's row of that key, or raise Http404."""
    if table not in _tables:
        raise Http404
    rows = _tables[table]
    return rows, get_object_or_404(rows.rows(track), pk=row)


def tables_of(model: type[Model]) -> dict[str, RowTable]:
    """Return the tables whose forms change rows of the model, by name."""
    return {
        name: table
        for name, table in _tables.items()
        if table.form and table.form._meta.model is model  # noqa: SLF001 - Django's documented way
    }


def fields_of_rows() -> type[forms.Form]:
    """Return a form with the fields of all tables, none required, which describes an operation."""
    fields: dict[str, forms.Field] = {}
    for table in _tables.values():
        for name, field in (table.form.base_fields if table.form else {}).items():
            if name != OPENED:
                fields[name] = copy(field)
                fields[name].required = False
    return type("RowFields", (forms.Form,), fields)
