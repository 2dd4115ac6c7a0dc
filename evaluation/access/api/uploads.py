"""Refuse bodies that are too large before they are read."""

from __future__ import annotations

from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.conf import settings

from evaluation.access.api.problems import problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    View = Callable[..., HttpResponseBase]

BESIDE_THE_FILE = 2**20  # bytes allowed for the other fields and the multipart boundaries


def refuse_large(setting: str, *, what: str, cure: str) -> Callable[[View], View]:
    """Return 413 if the body is larger than the setting allows; ``what`` is the file, ``cure`` the advice."""

    def decorate(view: View) -> View:
        @wraps(view)
        def refusing(request: HttpRequest, **values: Any) -> HttpResponseBase:
            size, most = int(request.META.get("CONTENT_LENGTH") or 0), getattr(settings, setting)
            if size > most + BESIDE_THE_FILE:
                return problem(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                    detail=f"The request has {size:,} bytes; {what} may have {most:,}. {cure}",
                    kind="urn:trackside:upload-too-large",
                )
            return view(request, **values)

        return refusing

    return decorate
