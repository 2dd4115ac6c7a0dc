"""Frozen dataclasses as plain JSON and back, by their fields' types."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")


def to_plain(value: Any) -> Any:
    """Return dataclasses as dicts by field, tuples as lists, enums as their values; no NaN."""
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    return value


def from_plain(kind: type[T], stored: Mapping[str, Any]) -> T:
    """Restore a dataclass from ``to_plain``. Fields that are absent take their defaults, unknown ones are ignored.

    Raises TypeError without a field that has no default.
    """
    hints = _hints(kind)
    return kind(**{name: _value(hints[name], value) for name, value in stored.items() if name in hints})


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(hint: Any, stored: Any) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return None if stored is None else _value(next(each for each in inner if each is not type(None)), stored)
    if origin is tuple:
        return tuple(_value(inner[0], item) for item in stored)
    if origin is dict:
        return {key: _value(inner[1], item) for key, item in stored.items()}
    if is_dataclass(hint):
        return from_plain(hint, stored)  # type: ignore[arg-type]
    return hint(stored) if isinstance(hint, type) and issubclass(hint, Enum) else stored
