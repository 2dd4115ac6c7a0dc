"""Requests that Django refuses to read, or that never reach it because it could not decode them."""

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment
from wsgiref.util import setup_testing_defaults

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evaluation.config.wsgi import application
from evaluation.platform.web.refused_requests import utf_8_only

pytestmark = pytest.mark.django_db


def test_form_with_too_much_text_is_refused_with_its_limit(client: Client, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2**19
    answer = client.post(reverse("account_login"), {"login": "a" * 2**19})
    assert answer.status_code == 413
    assert "at most 0.5 MiB" in answer.content.decode()


def test_unreadable_request_is_not_called_large(client: Client) -> None:
    answer = client.get(reverse("home"), headers={"host": "other.example.org"})
    assert answer.status_code == 400
    assert "Invalid request" in answer.content.decode()


TYPES = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")


def status(site: WSGIApplication, content_type: str) -> str:
    environ: WSGIEnvironment = {"CONTENT_TYPE": content_type, "QUERY_STRING": "q=a"}
    setup_testing_defaults(environ)
    found: list[str] = []

    def start(status: str, *_: object) -> None:
        found.append(status)

    b"".join(site(environ, start))  # type: ignore[arg-type]
    return found[0][:3]


def echo(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    start_response("200 OK", [])
    return [b""]


@pytest.mark.parametrize(
    "charset", ["hex", "rot13", "undefined", "idna", "unicode_escape", "utf-16", "utf-8-sig", "latin-1"]
)
def test_other_charsets_are_refused_by_the_site_itself(charset: str) -> None:
    for content_type in TYPES:
        assert status(application, f"{content_type}; charset={charset}") == "415"


@pytest.mark.parametrize("charset", ["utf-8", "UTF8", '"utf-8"', "no-such-charset", "\xff", ""])
def test_utf_8_and_what_is_no_charset_reach_the_site(charset: str) -> None:
    for content_type in (*TYPES, ""):
        assert status(utf_8_only(echo), f"{content_type}; charset={charset}") == "200"


@pytest.mark.parametrize(
    "parameter",
    [
        "a*=no-such-charset''%41",
        "a*=idna''%41",
        "a*0*=b; a*=c",  # a number beside none
        "a*" + "9" * 4400 + "=b",  # no int of Python
        "charset*=unicode_escape''%5cud800",  # an unpaired surrogate
    ],
    ids=["codec", "codec that always raises", "numbers", "digits", "surrogate"],
)
def test_parameters_that_cannot_be_parsed_are_refused(parameter: str) -> None:
    for content_type in TYPES:
        assert status(application, f"{content_type}; {parameter}") == "400"
