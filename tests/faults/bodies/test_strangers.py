"""Strangers' bodies are written nowhere: neither by the web processes nor by nginx in front of them."""

import json
import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from django.urls import reverse

from evaluation.models import Phase, Scope, Task
from tests.evaluation.conftest import children
from tests.evaluation.platform.web.api.conftest import secret_of
from tests.factories import make_organizer, make_task, make_user
from tests.faults.slow_clients import PATIENCE, gunicorn, nginx, page

pytestmark = pytest.mark.whole

ANNOUNCED = 100 * 2**30  # bytes, without a proxy
SENT = 2**23  # bytes that a stranger sends if nobody stops it
NOTES = 2**17  # bytes that servers may write meanwhile: their logs, and nginx its answers
FORM = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'


def written_bytes() -> int:
    """What the web servers below this process have written to files, pipes and logs since they started."""
    found, waiting = 0, list(children(os.getpid()))
    while waiting:
        pid = waiting.pop()
        with suppress(FileNotFoundError, ProcessLookupError):
            waiting += children(pid)
            if any(name in Path(f"/proc/{pid}/cmdline").read_bytes() for name in (b"gunicorn", b"nginx")):
                lines = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
                found += int(lines["wchar"])
    return found


def send(port: int, path: str, headers: dict[str, str] | None = None, announced: int | None = SENT) -> str:
    """Send a large body until the site answers; return the answer, empty after a reset."""
    length = "Transfer-Encoding: chunked" if announced is None else f"Content-Length: {announced}"
    lines = [f"{name}: {value}" for name, value in (headers or {}).items()]
    head = "\r\n".join(
        [
            f"POST {path} HTTP/1.1",
            "Host: localhost",
            "Connection: close",
            f"Content-Type: {FORM}",
            length,
            *lines,
            "",
            "",
        ]
    )
    body = (PART + bytes(SENT))[:SENT]
    if announced is None:
        body = b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
        with suppress(ConnectionError):
            client.sendall(head.encode() + body[:announced])
        with suppress(ConnectionError):
            return b"".join(iter(lambda: client.recv(65_536), b"")).decode()
    return ""


@pytest.fixture
def task(transactional_db: None) -> Task:
    return make_task(phase=Phase.OPEN, slug="open")


@pytest.fixture
def ports(task: Task, site_environment: dict[str, str], tmp_path: Path) -> Iterator[dict[str, int]]:
    """The site without a proxy and, where nginx is installed, with it."""
    with ExitStack() as stack:
        port = stack.enter_context(gunicorn(site_environment | {"BEHIND_PROXY": "yes"}, "--workers=2"))
        found = {"alone": port}
        if shutil.which("nginx"):
            found["nginx"] = stack.enter_context(nginx(tmp_path, port))
        assert [page(port, timeout=PATIENCE) for port in found.values()] == [200] * len(found)
        yield found


def paths_of(track: str, task: str) -> list[str]:
    names = (
        ("import_upload", "documents"),
        ("run_upload",),
        ("scores_import",),
        ("api:import_documents",),
        ("api:run_list",),
    )
    return [reverse(name, args=[track, task, *rest]) for name, *rest in names]


def test_nothing_of_a_stranger_s_body_is_written(task: Task, ports: dict[str, int]) -> None:
    paths = ["/", "/no/such/page/", reverse("account_login"), reverse("admin:evaluation_user_add")]
    paths += paths_of(task.track.slug, task.slug) + paths_of("no-such-track", "none")
    signed_in = {"Cookie": "csrftoken=" + "a" * 32, "Authorization": f"Bearer {secret_of(make_user())}"}
    before = written_bytes()
    for name, port in ports.items():
        for path in paths:
            for headers in ({"Cookie": "csrftoken=" + "a" * 32}, signed_in):
                for announced in (ANNOUNCED if name == "alone" else SENT, None):
                    send(port, path, headers, announced)
    assert written_bytes() - before < NOTES


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_tells_why_a_body_is_refused_and_passes_the_others_on(
    task: Task, ports: dict[str, int]
) -> None:
    port, path = ports["nginx"], reverse("api:import_documents", args=[task.track.slug, task.slug])

    def answer(secret: str, size: int = SENT, path: str = path) -> tuple[str, dict[str, object]]:
        text = send(port, path, {"Authorization": f"Bearer {secret}"}, size)
        head, _, body = text.partition("\r\n\r\n")
        assert "application/problem+json" in head
        return head.split()[1], json.loads(body)

    organizer = make_organizer(task.track)
    able, reader = secret_of(organizer, Scope.ORGANIZE), secret_of(organizer, Scope.READ)
    assert answer("unknown")[0] == "401"
    status, problem = answer(reader)
    assert (status, problem["detail"]) == ("403", "The token may not organize.")
    assert answer(secret_of(make_user()))[0] == "404"
    assert answer(able, path="/api/v1/no/such/path")[0] == "404"
    status, problem = answer(
        able, 3_000_000, f"/api/v1/tracks/{task.track.slug}/tasks/open/imports/1/confirm"
    )
    assert (status, problem["type"]) == ("413", "urn:trackside:upload-too-large")
    assert answer(able)[0] in ("400", "422"), "the site itself reads the form, which has no end"
    assert send(port, reverse("import_upload", args=[task.track.slug, "open", "topics"])).startswith(
        "HTTP/1.1 403 "
    )
    seen = {answer("unknown")[0] for _ in range(40)}
    assert seen == {"401", "429"}
    assert page(port, "/upload-check") == 404
