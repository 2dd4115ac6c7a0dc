"""Actions of the admin's lists on the rows that were ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages

from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http import HttpRequest


def act_on_each(request: HttpRequest, rows: Iterable[tuple[Any, ...]], act: Callable[..., str]) -> None:
    """Act on each row and say what came of it; one that cannot be done does not hold up the others."""
    for row in rows:
        try:
            messages.success(request, act(*row))
        except InputError as error:
            messages.error(request, str(error))
