"""Middleware: conflicts, the content policy, forms with malformed parts, and compression of pages."""

import gzip
from typing import Any

import pytest
from django.db import DataError, IntegrityError
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from psycopg import errors
from pytest_django import Settings

from evaluation.platform.web.middleware import PageCompression
from tests.factories import make_user
from trackside.errors import InputError

pytestmark = pytest.mark.django_db


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (caused(IntegrityError("x"), errors.UniqueViolation("x")), 409, "such as the same form sent twice"),
        (caused(IntegrityError("x"), errors.ForeignKeyViolation("x")), 409, "Another request changed"),
        (InputError("The name is <taken>."), 409, "The name is &lt;taken&gt;."),
        (caused(IntegrityError("x"), errors.CheckViolation("x")), 500, "logged"),
        (caused(DataError("x"), errors.NumericValueOutOfRange("x")), 500, "logged"),
    ],
)
def test_conflict_gets_409_and_other_errors_500(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, words: str
) -> None:
    def refuse(**_: Any) -> None:
        raise error

    monkeypatch.setattr("evaluation.platform.access.pages.change_account", refuse)
    client.force_login(make_user())
    client.raise_request_exception = False
    answer = client.post("/account/name/", {"name": "New"})
    assert answer.status_code == status
    assert words in answer.content.decode()


POLICY = {
    "default-src 'none'",
    *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "font", "connect", "worker")),
    "form-action 'self' https://orcid.org",  # the sign-in provider of settings_test
    "base-uri 'none'",
    "frame-ancestors 'none'",
}


@pytest.mark.parametrize("address", ["/", "/account/login/", "/live", "/nothing-here", "/%00"])
def test_every_answer_has_the_policy(client: Client, address: str) -> None:
    assert set(client.get(address).headers["Content-Security-Policy"].split("; ")) == POLICY


def test_debug_pages_have_none(settings: Settings) -> None:
    settings.DEBUG = True
    client = Client()
    assert "Content-Security-Policy" not in client.get("/nothing-here").headers
    assert "Content-Security-Policy" in client.get("/").headers


@pytest.mark.parametrize("path", ["/account/login/", "/api/v1/track-files"])
@pytest.mark.parametrize(
    "parameters", ["name*0*=a; name*=b", "name*=no-such-charset''%41", "name*=idna''%41"]
)
def test_part_with_a_malformed_header_is_refused(client: Client, path: str, parameters: str) -> None:
    body = f"--x\r\nContent-Disposition: form-data; {parameters}\r\n\r\nvalue\r\n--x--\r\n"
    answer = client.post(path, body, content_type="multipart/form-data; boundary=x")
    # Django leaves out such a part, which gives an empty form; the API first refuses a request without a
    # token.
    assert answer.status_code in {200, 400, 401}


TEXT = b"a page says some words more than once, " * 50


def compressed(answer: HttpResponseBase, accepted: str = "gzip, br") -> HttpResponseBase:
    request = RequestFactory().get("/", headers={"accept-encoding": accepted})
    return PageCompression(lambda _: answer).process_response(request, answer)


@pytest.mark.parametrize("kind", ["text/html; charset=utf-8", "text/csv", "image/svg+xml"])
def test_texts_are_compressed(kind: str) -> None:
    answer = compressed(HttpResponse(TEXT, content_type=kind))
    assert isinstance(answer, HttpResponse)
    assert answer["Content-Encoding"] == "gzip"
    assert answer["Vary"] == "Accept-Encoding"
    assert int(answer["Content-Length"]) == len(answer.content) < len(TEXT) / 4
    assert gzip.decompress(answer.content) == TEXT


def test_answers_of_the_api_have_the_same_headers_for_head_and_304() -> None:
    answer = compressed(HttpResponse(TEXT, content_type="application/json; charset=utf-8"))
    assert {"Content-Encoding", "Vary"}.isdisjoint(answer.headers)


def test_length_of_an_answer_differs_each_time() -> None:
    """Lengths must not reveal text beside reflected input (BREACH)."""
    assert len({int(compressed(HttpResponse(TEXT))["Content-Length"]) for _ in range(40)}) > 10


@pytest.mark.parametrize(
    "answer",
    [
        HttpResponse(TEXT, content_type="image/png"),
        HttpResponse(TEXT, content_type="application/zip"),
        HttpResponse(TEXT[:150]),
        StreamingHttpResponse([TEXT]),
        FileResponse(TEXT, content_type="text/plain"),
    ],
)
def test_pictures_archives_downloads_and_short_answers_stay(answer: HttpResponseBase) -> None:
    assert "Content-Encoding" not in compressed(answer)


def test_nothing_is_compressed_for_a_client_that_does_not_ask() -> None:
    assert "Content-Encoding" not in compressed(HttpResponse(TEXT), accepted="identity")
