"""Pages are compressed, with a random number of bytes; downloads and short answers are not."""

import gzip

import pytest
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory

from evaluation.web.middleware import PageCompression

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
