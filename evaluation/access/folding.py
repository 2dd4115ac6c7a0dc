"""Compare names that look alike as equal: in Unicode's compatibility form and lower case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Func, Value
from django.db.models.functions import Lower

if TYPE_CHECKING:
    from django.db.models.expressions import Combinable


class Normalized(Func):
    """SQL NORMALIZE to Unicode's form NFKC, which maps ligatures and full-width letters to plain ones.

    It sets the database's default collation: with a column's "C", ``lower`` would fold only ASCII letters.
    """

    function = "NORMALIZE"
    template = '%(function)s((%(expressions)s) COLLATE "default", NFKC)'
    output_field = models.TextField()


def folded(name: str | Combinable) -> Lower:
    """Return the folded name, the form in which names are compared."""
    return Lower(Normalized(name))


def is_name_taken(row: models.Model, owner: str) -> bool:
    """Whether another row of the same ``owner``, a foreign key of the model, has the row's folded name."""
    rows = type(row)._default_manager.filter(**{owner: getattr(row, f"{owner}_id")}).exclude(pk=row.pk)  # noqa: SLF001 - Django's documented name
    name = Value(getattr(row, "name"), output_field=models.TextField())  # noqa: B009 - any model with a name
    return bool(rows.alias(folded_name=folded("name")).filter(folded_name=folded(name)).exists())


def once_a(owner: str, constraint: str) -> models.UniqueConstraint:
    """Return the constraint that folded names are unique per owner."""
    return models.UniqueConstraint(F(owner), folded("name"), name=constraint)


def check_name(row: models.Model, owner: str) -> None:
    """Raise ValidationError for a taken name: Django skips the constraint in forms without the owner."""
    if getattr(row, f"{owner}_id") is not None and is_name_taken(row, owner):
        raise ValidationError({"name": "This name is taken, ignoring upper and lower case. Choose another."})
