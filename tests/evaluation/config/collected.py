"""The site as in production: static files collected, hashed and compressed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client

from evaluation.config.static_files import collect_static_files

if TYPE_CHECKING:
    from pathlib import Path

    from django.http.response import HttpResponseBase
    from pytest_django import Settings


def collect(settings: Settings, folder: Path) -> Path:
    """Collect into the folder; clients made afterwards get its files."""
    settings.STATIC_ROOT = folder / "static"
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "evaluation.config.static_files.HashedFiles"}
    }
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = False
    collect_static_files()
    return folder / "static"


def fetch(address: str, accepted: str = "identity") -> tuple[HttpResponseBase, bytes]:
    """The answer to a new visitor and its body, as it is sent."""
    answer = Client().get(address, headers={"accept-encoding": accepted})
    if isinstance(answer, StreamingHttpResponse):
        body = b"".join(answer)
        answer.close()
        return answer, body
    assert isinstance(answer, HttpResponse)
    return answer, answer.content
