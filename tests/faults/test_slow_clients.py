"""Silent connections delay no page; behind the proxy, deliberately slow clients delay none either."""

import http.client
import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.faults.slow_clients import (
    PATIENCE,
    gunicorn,
    held,
    nginx,
    page,
    silent,
    silent_reader,
    slow_body,
    slow_head,
)

GET = b"GET / HTTP/1.1\r\nHost: x\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\n"
APP = "tests.faults.hasty_worker:application"
WORDS = ("--workers=1", "--no-control-socket")
COUNT = 200
READERS = 60  # nginx keeps 12 MB for each on disk


@pytest.fixture(scope="module")
def hasty() -> Iterator[int]:
    with gunicorn({}, "--worker-class=tests.faults.hasty_worker.HastyWorker", *WORDS, app=APP) as port:
        yield port


@pytest.fixture(scope="module")
def patient() -> Iterator[int]:
    """With the site's own times, for clients that a busy machine may stop for seconds."""
    with gunicorn({}, *WORDS, app=APP) as port:
        yield port


@pytest.mark.parametrize("make", [silent, slow_head, slow_body])
def test_slow_connection_is_closed(hasty: int, make: object) -> None:
    with held(make, 1, hasty) as (client,):
        while client.recv(1000):  # an answer may come first, then the end, or the client's timeout
            pass


def test_request_in_pieces_is_answered_and_so_is_the_next_one(patient: int) -> None:
    body = b"a" * 16_000
    request = POST + b"Content-Length: %d\r\n\r\n" % len(body) + body
    with socket.create_connection(("127.0.0.1", patient), timeout=PATIENCE) as client:
        pieces = [bytes([byte]) for byte in request[:70]]
        for piece in (*pieces, request[70:1000], request[1000:], GET + b"\r\n" + GET[:5]):
            client.sendall(piece)
        client.sendall(GET[5:] + b"Connection: close\r\n\r\n")
        answers = b"".join(iter(lambda: client.recv(65_536), b""))

    assert answers.count(b"HTTP/1.1 200 OK") == 3
    assert answers.count(body) == 1


def test_large_body_and_one_of_unknown_length_arrive_whole(patient: int) -> None:
    for body in (b"b" * 3_000_000, iter([b"c" * 1000] * 50)):
        asking = http.client.HTTPConnection("127.0.0.1", patient, timeout=PATIENCE)
        asking.request("POST", "/", body=body, encode_chunked=not isinstance(body, bytes), headers={
            "Transfer-Encoding": "chunked"} if not isinstance(body, bytes) else {})  # fmt: skip
        answer = asking.getresponse().read()
        asking.close()
        assert len(answer) == (3_000_000 if isinstance(body, bytes) else 50_000)


@pytest.mark.parametrize("header", [b"SCRIPT_NAME: /x", b"SCRIPT_NAME: /", b"PATH_INFO: /x"])
def test_header_does_not_change_paths_of_the_site(patient: int, header: bytes) -> None:
    with socket.create_connection(("127.0.0.1", patient), timeout=PATIENCE) as client:
        client.sendall(GET + header + b"\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 200 ")


@pytest.mark.whole
@pytest.mark.django_db(transaction=True)
def test_pages_answer_while_200_slow_connections_are_open(
    site_environment: dict[str, str], tmp_path: Path
) -> None:
    with ExitStack() as stack:
        port = stack.enter_context(gunicorn(site_environment | {"BEHIND_PROXY": "yes"}))
        ports = {"alone": port}
        if shutil.which("nginx"):
            ports["behind nginx"] = stack.enter_context(nginx(tmp_path, port))
        assert [page(port, timeout=PATIENCE) for port in ports.values()] == [200] * len(ports)
        for port in ports.values():
            for make in (silent,) if port == ports["alone"] else (silent, slow_head, slow_body):
                with held(make, COUNT, port):
                    assert [page(port) for _ in range(5)] == [200] * 5


@pytest.mark.whole
@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_clients_that_read_no_answer_hold_no_thread_behind_nginx(hasty: int, tmp_path: Path) -> None:
    """Nginx takes each answer whole, so that the one worker is free for others."""
    with ExitStack() as stack:
        port = stack.enter_context(nginx(tmp_path, hasty))
        for number in range(READERS):
            stack.enter_context(silent_reader(port, source=f"127.0.0.{10 + number}"))
        assert [page(port) for _ in range(20)] == [200] * 20


def retry_after(port: int, *, source: str) -> str | None:
    """The header of the next answer that refuses the address."""
    for _ in range(700):
        asking = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(source, 0))
        with closing(asking):
            asking.request("GET", "/")
            answer = asking.getresponse()
            if answer.status == 429:
                return answer.headers["Retry-After"]
    return None


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_limits_bodies_and_requests_of_one_address(hasty: int, tmp_path: Path) -> None:
    with nginx(tmp_path, hasty) as port:
        with slow_body(port, size=66 * 2**20) as client:
            assert client.recv(1000).startswith(b"HTTP/1.1 413 ")
        statuses = [page(port, source="127.0.0.3", timeout=PATIENCE) for _ in range(700)]
        assert statuses[0] == 200
        assert 429 in statuses
        assert retry_after(port, source="127.0.0.3") == "1"
        assert page(port, source="127.0.0.4", timeout=PATIENCE) == 200
