"""The kinds of operations. Each app registers its own in ``AppConfig.ready()``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluation.operations.models import Operation


@dataclass(frozen=True)
class OperationResult:
    """What an operation did: ``message`` is for organizers, ``findings`` are values for a page, if any."""

    message: str
    findings: dict[str, Any] | None = None


@dataclass(frozen=True)
class OperationKind:
    """A kind of operation.

    ``title`` is a verb with its object, such as "Publish people's qrels". ``run`` does the work in one
    transaction; it raises an InputError if an organizer can correct the cause. ``address`` returns the URL of
    the page with the result, and ``link`` is the text of the link to it.
    """

    name: str
    title: str
    run: Callable[[Operation], OperationResult]
    address: Callable[[Operation], str]
    link: str


_kinds: dict[str, OperationKind] = {}


def register_operation(kind: OperationKind) -> None:
    """Add a kind of operation."""
    _kinds[kind.name] = kind


def find_kind(name: str) -> OperationKind:
    """Return the kind of that name. Raises KeyError if no app has registered it."""
    return _kinds[name]
