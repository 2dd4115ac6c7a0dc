"""Every address of the site, read from the URLconf."""

import inspect
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver

PARAMETER = re.compile(r"<(\w+)>")


@dataclass(frozen=True)
class Route:
    """One line of the URLconf: its name (with namespaces, empty if it has none), address and view.

    The address has its parameters in angle brackets, as in ``/tracks/<track>/``.
    """

    name: str
    address: str
    view: Callable[..., Any]

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters, from left to right."""
        return PARAMETER.findall(self.address)

    @property
    def view_name(self) -> str:
        """The full name of the undecorated view; for an admin page, the module of its admin class."""
        if model_admin := getattr(self.view, "model_admin", None):
            return type(model_admin).__module__
        view = inspect.unwrap(self.view)
        return f"{view.__module__}.{view.__qualname__}"

    def filled(self, values: Mapping[str, object]) -> str:
        """The address with a value for each parameter."""
        return PARAMETER.sub(lambda found: str(values[found[1]]), self.address)

    def all_filled(self, values: Mapping[str, Sequence[object]]) -> list[str]:
        """The addresses of every combination of values."""
        chosen = itertools.product(*(values[name] for name in self.parameters))
        return [self.filled(dict(zip(self.parameters, each, strict=True))) for each in chosen]


def routes() -> list[Route]:
    """All routes, in the order of the URLconf."""
    return list(_routes(get_resolver().url_patterns, "", "/"))


def _routes(patterns: Sequence[URLPattern | URLResolver], namespace: str, address: str) -> Iterator[Route]:
    for each in patterns:
        below = address + _template(str(each.pattern))
        if isinstance(each, URLResolver):
            inner = f"{namespace}{each.namespace}:" if each.namespace else namespace
            yield from _routes(each.url_patterns, inner, below)
        else:
            yield Route(namespace + each.name if each.name else "", below, each.callback)


def _template(pattern: str) -> str:
    """A route (``<int:run>/``) or a regular expression (``^(?P<app>a|b)/$``) with bare parameters."""
    bare = re.sub(r"\(\?P(<\w+>)[^()]*\)", r"\1", pattern.removeprefix("^").removesuffix("$"))
    return re.sub(r"<\w+:(\w+)>", r"<\1>", bare)


ADMIN_PAGES = ("changelist", "add", "history", "delete", "change")


@cache
def named_routes() -> dict[str, Route]:
    """The routes by name, except the admin's pages of models, which have their own table."""
    of_models = {
        f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"
        for model in admin.site._registry
        for page in ADMIN_PAGES
    }
    return {route.name: route for route in routes() if route.name and route.name not in of_models}


def is_of_api(name: str) -> bool:
    return name.startswith("api:")
