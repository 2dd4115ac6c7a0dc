"""An answer that leaves before the body is read never spoils the client's next request."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest
from django.urls import reverse

from evaluation.models import Phase, Scope
from evaluation.running.hosting.web_worker import REST_BYTES
from tests.evaluation.platform.web.api.conftest import secret_of
from tests.factories import make_task, make_team, make_team_member
from tests.faults.slow_clients import PATIENCE, gunicorn

TRIES = 50
UPLOAD = 300_000  # bytes


def client_of(port: int) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)


@pytest.fixture(scope="module")
def unread() -> Iterator[int]:
    """The port of a site that reads no body."""
    words = [
        "--worker-class=evaluation.running.hosting.web_worker.PatientWorker",
        "--workers=1",
        "--no-control-socket",
    ]
    with gunicorn({}, *words, app="tests.faults.bodies.unread:application") as port:
        yield port


def test_next_request_on_the_connection_is_answered(unread: int) -> None:
    with closing(client_of(unread)) as client:
        for _ in range(TRIES):
            client.request("POST", "/", body=bytes(UPLOAD))
            answer = client.getresponse()
            assert (answer.status, answer.headers["Connection"], answer.read()) == (401, "keep-alive", b"ok")
            connection = client.sock
            client.request("GET", "/")
            assert client.getresponse().read() == b"ok"
            assert client.sock is connection, "the connection was kept"


def test_connection_with_a_long_unread_body_is_closed_after_its_answer(unread: int) -> None:
    with closing(client_of(unread)) as client:
        for _ in range(TRIES):
            client.request("POST", "/", body=bytes(3 * REST_BYTES))
            answer = client.getresponse()
            assert (answer.status, answer.headers["Connection"], answer.read()) == (401, "close", b"ok")
            client.request("GET", "/")  # on another connection
            assert client.getresponse().read() == b"ok"


def test_answer_does_not_wait_for_a_long_body(unread: int) -> None:
    with socket.create_connection(("127.0.0.1", unread), timeout=PATIENCE) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 107374182400\r\n\r\n")
        client.settimeout(5)  # seconds; the worker would wait 10 for the next byte
        assert client.recv(1000).startswith(b"HTTP/1.1 401 ")


def test_unread_chunks_are_read_too(unread: int) -> None:
    with closing(client_of(unread)) as client:
        for count in (1, 30):
            client.request("POST", "/", body=iter([bytes(10_000)] * count), encode_chunked=True)
            assert client.getresponse().read() == b"ok"
            client.request("GET", "/")
            assert client.getresponse().read() == b"ok"


@pytest.mark.whole
def test_early_errors_of_the_site_leave_the_connection_usable(
    transactional_db: None, site_environment: dict[str, str]
) -> None:
    """Without a token, with one that may not submit, with another content type, and too often."""
    task = make_task(phase=Phase.OPEN, slug="open")
    member = make_team_member(make_team(task.track, name="Kestrel"))
    reader, submitter = secret_of(member, Scope.READ), secret_of(member, Scope.SUBMIT)
    path = reverse("api:run_list", args=[task.track.slug, task.slug])
    with gunicorn(site_environment | {"RATES": "upload=20/h"}) as port, closing(client_of(port)) as client:
        seen = set()
        for secret in ("unknown", reader, submitter):
            for _ in range(TRIES):
                headers = {"Authorization": f"Bearer {secret}", "Content-Type": "text/plain"}
                client.request("POST", path, body=bytes(UPLOAD), headers=headers)
                answer = client.getresponse()
                seen.add((secret == "unknown", answer.status))
                assert answer.read()
                client.request("GET", "/live")
                assert client.getresponse().read() == b"alive\n"
    assert seen == {(True, 401), (True, 429), (False, 403), (False, 415), (False, 429)}
