"""Decorators that record every change of a model's rows, and who made it."""

from collections.abc import Callable
from typing import TypeVar

import pghistory
import pgtrigger
from django.db.models import Model

from evaluation.platform.access.schema.names import FoldedField

M = TypeVar("M", bound="type[Model]")


def tracked(model: M) -> M:
    """Record every insert, update and delete of the model's rows by database triggers.

    Derived fields are excluded, and so is ``frozen_at``: judgments and qrels set it, so they record it.
    """
    return _tracked(model, pghistory.InsertEvent())


def tracked_in_bulk(model: M) -> M:
    """Like ``tracked``, but the trigger of inserts runs once per statement.

    Imports insert millions of rows and disable recording, but PostgreSQL calls the trigger nevertheless.
    """
    return _tracked(model, pghistory.InsertEvent(level=pgtrigger.Statement))


def _tracked(model: M, inserts: pghistory.InsertEvent) -> M:
    excluded = [
        field.name
        for field in model._meta.fields  # noqa: SLF001 - Django's documented way
        if isinstance(field, FoldedField) or field.name == "frozen_at"
    ]
    track = pghistory.track(
        inserts, pghistory.UpdateEvent(), pghistory.DeleteEvent(), exclude=excluded or None
    )
    result: M = track(model)
    return result


def tracked_fields(*fields: str, model_name: str) -> Callable[[M], M]:
    """Record these columns at each insert and delete, and at each update that changes one of them.

    Use it for models with columns that must not be copied, such as hashes of secrets, or that change often.
    ``model_name`` is the name of the event model.
    """

    def decorate(model: M) -> M:
        track = pghistory.track(
            pghistory.InsertEvent(),
            pghistory.UpdateEvent(condition=pghistory.AnyChange(*fields)),
            pghistory.DeleteEvent(),
            fields=list(fields),
            model_name=model_name,
        )
        result: M = track(model)
        return result

    return decorate
