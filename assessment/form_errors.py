"""The errors of a form, for pages that show them in one line."""

from django.forms import Form


def error_line(form: Form) -> str:
    """Return all errors of a form in one line."""
    fields = [
        f"{name}: {fault}" for name, faults in form.errors.items() if name != "__all__" for fault in faults
    ]
    return " ".join([*form.non_field_errors(), *fields])
