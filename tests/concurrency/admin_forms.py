"""Forms of the admin as a browser sends them."""

from typing import Any

from django.db.models import Model
from django.urls import reverse

TOLD = "Other values were stored after you opened this page"


def address_of(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def sent_by(page: Any, **changes: Any) -> dict[str, Any]:
    """What a browser sends for the form of the page."""
    sent: dict[str, Any] = {}
    for field in page.context["adminform"].form:
        value = field.value()
        if hasattr(field.field.widget, "decompress"):  # a date and a time
            parts = field.field.widget.decompress(value)
            sent |= {f"{field.html_name}_{at}": str(part or "") for at, part in enumerate(parts)}
        elif value is not None and value is not False:
            sent[field.html_name] = value if isinstance(value, list) else str(value)
    return sent | changes
