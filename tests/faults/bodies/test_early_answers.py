"""What nginx refuses itself is answered with a text, which programs can read."""

import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.faults.slow_clients import PATIENCE, gunicorn, nginx

pytestmark = pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
API = b"/api/v1/tracks"
HOST = b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """Nginx in front of a small site, and nginx in front of nothing."""
    words = [
        "--worker-class=evaluation.running.hosting.web_worker.PatientWorker",
        "--workers=1",
        "--no-control-socket",
    ]
    with ExitStack() as stack:
        port = stack.enter_context(gunicorn({}, *words, app="tests.faults.bodies.unread:application"))
        folders = {name: tmp_path_factory.mktemp(name) for name in ("site", "alone")}
        yield {
            "site": stack.enter_context(nginx(folders["site"], port)),
            "alone": stack.enter_context(nginx(folders["alone"], 9)),
        }


def answer_of(port: int, request: bytes) -> tuple[int, str, str]:
    """Status, content type and content of the answer to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
        client.sendall(request)
        answer = b""
        while received := client.recv(65_536):
            answer += received
    head, _, content = answer.decode().partition("\r\n\r\n")
    headers = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:])
    return int(head.split()[1]), headers["content-type"].partition(";")[0], content


@pytest.mark.parametrize(
    ("request_bytes", "statuses"),
    [
        (b"GET " + API + b"?" + b"x" * 20_000 + HOST + b"\r\n", {414}),
        (b"GET " + API + HOST + b"X-Long: " + b"x" * 60_000 + b"\r\n\r\n", {400, 431}),
        (b"GET " + API + b" HTTP/9.9\r\n\r\n", {400, 505}),
        (b"nonsense\r\n\r\n", {400}),
        (b"POST " + API + HOST + b"Transfer-Encoding: odd\r\n\r\n", {400, 501}),
    ],
    ids=["long url", "long header", "version", "nonsense", "coding"],
)
def test_refusal_is_a_text(ports: dict[str, int], request_bytes: bytes, statuses: set[int]) -> None:
    status, content_type, content = answer_of(ports["site"], request_bytes)
    assert status in statuses
    assert (content_type, "<" in content, content.count("\n")) == ("text/plain", False, 1)


def test_nginx_without_a_site_answers_with_a_text(ports: dict[str, int]) -> None:
    status, content_type, content = answer_of(ports["alone"], b"GET " + API + HOST + b"\r\n")
    assert (status, content_type) == (502, "text/plain")
    assert "Try again" in content
