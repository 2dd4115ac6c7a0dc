"""Forms that do not overwrite what was stored after their page was opened, such as in another tab."""

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar, TypeVar, cast

from django import forms
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Model
from django.forms.fields import Field
from django.http import HttpRequest, HttpResponse, QueryDict

OPENED = "opened"  # name of the hidden field
CHANGED = (
    "Other values were stored after you opened this page. Save again to replace them by yours, or load the "
    "page again to see them."
)
DELETED = "Somebody deleted this after you opened the page, so it cannot be saved."

Row = TypeVar("Row", bound=Model)


def state_of(*values: object) -> str:
    """Return a short text that differs if one of the values does."""
    return hashlib.sha256(repr(values).encode()).hexdigest()[:32]


class OpenedForm(forms.ModelForm[Row]):
    """A form with the state of the row that its page showed.

    If the row has changed since, the form is refused once. It then has the new state, so sending it again
    stores it. A form without the state is not compared; no page sends one.

    The row is locked from the comparison to the end of the transaction, which also stores the form: views
    use ``atomic_post``, the admin's views are atomic. If the first save creates the row, ``owner`` is the
    foreign key to the row that is locked instead.
    """

    owner: ClassVar[str] = ""
    opened = forms.CharField(widget=forms.HiddenInput, required=False)

    def get_initial_for_field(self, field: Field, field_name: str) -> Any:
        """Return the stored value; for the hidden field, the state of all others.

        The state includes the row's version, if any, because form fields do not contain the stored picture.
        """
        if field_name != OPENED:
            return super().get_initial_for_field(field, field_name)
        initial_of = super().get_initial_for_field
        stored = [initial_of(form_field, name) for name, form_field in self.fields.items() if name != OPENED]
        return state_of(getattr(self.instance, "version", None), *stored)

    def clean(self) -> dict[str, Any]:
        """Lock the row, and refuse the form if other values were stored meanwhile."""
        self._lock()
        fresh = type(self)(instance=self.instance)
        stored = fresh.get_initial_for_field(fresh.fields[OPENED], OPENED)
        sent = super().clean() or self.cleaned_data
        if sent.pop(OPENED, "") not in ("", stored):
            data = cast("QueryDict", self.data).copy()
            data[self.add_prefix(OPENED)] = stored
            self.data = data
            self.add_error(None, CHANGED)
        return sent

    def _lock(self) -> None:
        if self.owner:
            owner = getattr(self.instance, self.owner)
            lock_row(owner)
            rows: Any = type(self.instance)
            self.instance = rows.objects.of(owner)
        if self.instance.pk and not lock_row(self.instance):
            self.add_error(None, DELETED)


def lock_row(row: Model) -> bool:
    """Lock a row until the transaction ends, and load its stored values; return False if it is deleted.

    Uploads and judgments that refer to the row do not wait for the lock.
    """
    stored = type(row)._base_manager.select_for_update(no_key=True)  # noqa: SLF001 - no filter of a default one
    try:
        row.refresh_from_db(from_queryset=stored)
    except ObjectDoesNotExist:
        return False
    return True


def atomic_post(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Handle each POST of the view in one transaction, so that locks hold until the form is stored."""

    @wraps(view)
    def atomic(request: HttpRequest, *values: Any, **named: Any) -> HttpResponse:
        if request.method != "POST":
            return view(request, *values, **named)
        with transaction.atomic():
            return view(request, *values, **named)

    return atomic


def compared(form: type[forms.ModelForm[Row]]) -> type[forms.ModelForm[Row]]:
    """Return the form as an ``OpenedForm``."""
    return form if issubclass(form, OpenedForm) else type(form.__name__, (OpenedForm, form), {})
