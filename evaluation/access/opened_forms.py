"""Forms that do not overwrite what was stored after their page was opened, such as in another tab."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, TypeVar, cast

from django import forms
from django.db.models import Model

if TYPE_CHECKING:
    from django.forms.fields import Field
    from django.http import QueryDict

OPENED = "opened"  # name of the hidden field
CHANGED = (
    "Other values were stored after you opened this page. Save again to replace them by yours, or load the "
    "page again to see them."
)

Row = TypeVar("Row", bound=Model)


def state_of(*values: object) -> str:
    """Return a short text that differs if one of the values does."""
    return hashlib.sha256(repr(values).encode()).hexdigest()[:32]


class OpenedForm(forms.ModelForm[Row]):
    """A form with the state of the row that its page showed.

    If the row has changed since, the form is refused once: it then has the new state, so that sending it
    again stores it. A form without the state, which no page sends, is not compared.
    """

    opened = forms.CharField(widget=forms.HiddenInput, required=False)

    def get_initial_for_field(self, field: Field, field_name: str) -> Any:
        """Return the stored value; for the hidden field, the state of all others.

        Rows with a version also compare it, because their fields show no stored picture.
        """
        if field_name != OPENED:
            return super().get_initial_for_field(field, field_name)
        initial_of = super().get_initial_for_field
        stored = [initial_of(each, name) for name, each in self.fields.items() if name != OPENED]
        return state_of(getattr(self.instance, "version", None), *stored)

    def clean(self) -> dict[str, Any]:
        """Refuse the form if other values were stored meanwhile."""
        sent = super().clean() or self.cleaned_data
        stored = self.get_initial_for_field(self.fields[OPENED], OPENED)
        if sent.pop(OPENED, "") not in ("", stored):
            shown = cast("QueryDict", self.data).copy()
            shown[self.add_prefix(OPENED)] = stored
            self.data = shown
            self.add_error(None, CHANGED)
        return sent


def compared(form: type[forms.ModelForm[Row]]) -> type[forms.ModelForm[Row]]:
    """Return the form as an ``OpenedForm``."""
    return form if issubclass(form, OpenedForm) else type(form.__name__, (OpenedForm, form), {})
