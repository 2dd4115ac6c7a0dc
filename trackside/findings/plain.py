"""Frozen dataclasses as plain JSON and back, by the types of their fields."""

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
_JSON = {
    str: ((str,), "a text"),
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    float: ((float, int), "a number"),
    tuple: ((list, tuple), "a list"),
    dict: ((dict,), "an object"),
}


class PlainUnfit(ValueError):
    """Stored JSON does not fit the dataclass: ``path`` is where."""

    def __init__(self, path: str, expected: str) -> None:
        super().__init__(f"{path} must be {expected}")


def to_plain(value: Any, *, without_defaults: bool = False) -> Any:
    """Dataclasses as dicts by field, without those with their default if asked for; enums as their values."""
    plain = partial(to_plain, without_defaults=without_defaults)
    if is_dataclass(value):
        items = ((field, getattr(value, field.name)) for field in fields(value))
        return {
            field.name: plain(item)
            for field, item in items
            if not (without_defaults and item == field.default)
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def from_plain(kind: type[T], stored: Mapping[str, Any], *, path: str = "") -> T:
    """Restore a dataclass from ``to_plain``; absent fields take their defaults. Raises PlainUnfit."""
    hints: dict[str, Any] = _hints(kind)  # type: ignore[arg-type]  # classes are hashable
    values = {
        name: _value(hints[name], value, f"{path}.{name}" if path else name)
        for name, value in _checked(dict, stored, path or "the record").items()
        if name in hints
    }
    try:
        return kind(**values)
    except TypeError as error:
        raise PlainUnfit(path or "the record", f"complete ({error})") from None


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(hint: Any, stored: Any, path: str) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if stored is None:
            return None
        member = _member(inner, type(stored))  # type: ignore[arg-type]  # classes are hashable
        return _value(member, stored, path)
    if origin is tuple:
        items = enumerate(_checked(tuple, stored, path))
        return tuple(_value(inner[0], item, f"{path}[{index}]") for index, item in items)
    if origin in (dict, Mapping):
        return {
            key: _value(inner[1], item, f"{path}.{key}") for key, item in _checked(dict, stored, path).items()
        }
    if is_dataclass(hint):
        return from_plain(hint, stored, path=path)  # type: ignore[arg-type]  # a class, not an instance
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(stored)
        except ValueError:
            raise PlainUnfit(path, f"one of {', '.join(str(choice.value) for choice in hint)}") from None
    return _checked(hint, stored, path) if hint in _JSON else stored


@cache
def _member(kinds: tuple[Any, ...], stored: type) -> Any:
    """The member of a union that JSON of this type is read as: a dataclass from an object, else the type."""
    members = [kind for kind in kinds if kind is not type(None)]
    fits = (kind for kind in members if (is_dataclass(kind) if stored is dict else kind is stored))
    return next(fits, members[0])


def _checked(kind: type, stored: Any, path: str) -> Any:
    accepted, words = _JSON[kind]
    if not isinstance(stored, accepted) or (isinstance(stored, bool) and kind is not bool):
        raise PlainUnfit(path, words)
    return stored
