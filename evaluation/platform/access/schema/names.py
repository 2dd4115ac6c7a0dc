"""Columns of names, in which names that look alike are equal, and of texts with a maximum length."""

from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Model, Q, QuerySet

from trackside.errors import InputError
from trackside.text.names import HIDDEN, check_visible, folded

Row = TypeVar("Row", bound=models.Model)


class FoldedField(models.CharField[str, str]):
    """The folded form of another field of the row, updated by each save."""

    def __init__(self, *, of: str, **kwargs: Any) -> None:
        self.of = of
        defaults: dict[str, Any] = {"max_length": 1000, "db_collation": "C", "editable": False}
        super().__init__(**defaults | kwargs)

    def deconstruct(self) -> tuple[str, str, Any, dict[str, Any]]:
        """Return the constructor's arguments, for migrations."""
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "of": self.of}

    def pre_save(self, model_instance: Model, add: bool) -> str:  # noqa: FBT001 - Django's signature
        """Fold the current value of the other field."""
        value = folded(getattr(model_instance, self.of))
        setattr(model_instance, self.attname, value)
        return value


def alike(rows: QuerySet[Row], name: str) -> QuerySet[Row]:
    """Return the rows whose name looks like this one; their model has the column ``name_folded``."""
    return rows.filter(name_folded=folded(name))


def unique_names(owner: str, constraint: str) -> models.UniqueConstraint:
    """Return the constraint that rows with an equal foreign key ``owner`` have names that differ visibly."""
    return models.UniqueConstraint(fields=[owner, "name_folded"], name=constraint)


def check_name(row: Model, owner: str) -> None:
    """Raise ValidationError if the name has an invisible character, or looks like one of the owner's rows."""
    key, name = getattr(row, f"{owner}_id"), getattr(row, "name")  # noqa: B009 - any model with a name
    try:
        check_visible(name)
    except InputError as error:
        raise ValidationError({"name": str(error)}) from error
    rows = type(row)._default_manager.filter(**{owner: key}).exclude(pk=row.pk)  # noqa: SLF001 - Django's documented name
    if key is not None and alike(rows, name).exists():
        raise ValidationError({"name": "This name is taken, or looks like one that is. Choose another."})


def visible_characters(field: str, name: str) -> models.CheckConstraint:
    """Return a constraint that rejects invisible characters, such as zero-width and bidi ones."""
    return models.CheckConstraint(
        condition=~Q(**{f"{field}__regex": HIDDEN}),
        name=name,
        violation_error_message="The name has an invisible character. Type it again without that character.",
    )


LEAD_MAX = 5000  # characters
MARKDOWN_MAX = 50_000  # characters; rendering them takes half a second at most


def lead_field(**options: Any) -> models.TextField[str, str]:
    """Return an optional field of a short text."""
    return models.TextField(blank=True, validators=[MaxLengthValidator(LEAD_MAX)], **options)


def markdown_field(**options: Any) -> models.TextField[str, str]:
    """Return an optional field of a text in Markdown."""
    return models.TextField(blank=True, validators=[MaxLengthValidator(MARKDOWN_MAX)], **options)
