"""The site as in production: static files collected, hashed and compressed."""

from pathlib import Path

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client


def production(root: Path) -> dict[str, object]:
    """The settings of a site in production whose static files are collected in the folder."""
    hashed = {"BACKEND": "evaluation.config.backends.static_files.HashedFiles"}
    return {
        "STATIC_ROOT": root,
        "STORAGES": {**settings.STORAGES, "staticfiles": hashed},
        "WHITENOISE_USE_FINDERS": False,
        "WHITENOISE_AUTOREFRESH": False,
    }


def fetch(client: Client, address: str, accepted: str = "identity") -> tuple[HttpResponseBase, bytes]:
    """The answer and its body, as it is sent."""
    answer = client.get(address, headers={"accept-encoding": accepted})
    if isinstance(answer, StreamingHttpResponse):
        body = b"".join(answer)
        answer.close()
        return answer, body
    assert isinstance(answer, HttpResponse)
    return answer, answer.content
