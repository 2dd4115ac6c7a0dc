"""Columns with folded names, in which names that look alike are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Q

from evaluation.core.text.names import HIDDEN, folded

if TYPE_CHECKING:
    from django.db.models import Model


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


def visible_characters(field: str, name: str) -> models.CheckConstraint:
    """Return a constraint that rejects invisible characters, such as zero-width and bidi ones."""
    return models.CheckConstraint(
        condition=~Q(**{f"{field}__regex": HIDDEN}),
        name=name,
        violation_error_message="The name has an invisible character. Type it again without.",
    )
