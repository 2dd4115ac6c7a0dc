"""Web workers are replaced after max_requests without a failed request, a reset or a cut upload."""

import http.client
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.faults.slow_clients import PATIENCE, gunicorn

APP = "tests.faults.hasty_worker:application"
HASTY = "--worker-class=tests.faults.hasty_worker.HastyWorker"
WORDS = ("--no-control-socket", "--keep-alive=1", "--graceful-timeout=1", "--max-requests-jitter=0")


def workers_met(port: int) -> Iterator[str]:
    """Request a page again and again, on one connection until an answer says that it is closed."""
    while True:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as client:
            is_open = True
            while is_open:
                client.request("GET", "/")
                answer = client.getresponse()
                assert (answer.status, answer.read()) == (200, b"")
                is_open = not answer.will_close
                yield str(answer.headers["X-Worker"])


@pytest.mark.parametrize("workers", [2, 4])
def test_each_worker_is_replaced_and_no_request_fails(workers: int) -> None:
    # The connection outlasts a client that the machine stops for seconds.
    with gunicorn(
        {}, *WORDS, "--keep-alive=10", f"--workers={workers}", "--max-requests=30", app=APP
    ) as port:
        met: set[str] = set()
        deadline = time.monotonic() + PATIENCE
        for worker in workers_met(port):
            met.add(worker)
            if len(met) > 2 * workers:
                return
            assert time.monotonic() < deadline, met
            time.sleep(0.001)


@pytest.mark.whole
def test_only_worker_is_not_replaced() -> None:
    with gunicorn({}, HASTY, *WORDS, "--workers=1", "--max-requests=10", app=APP) as port:
        met = workers_met(port)
        until = time.monotonic() + 3
        assert len({next(met) for _ in iter(lambda: time.monotonic() < until, False)}) == 1


@pytest.mark.whole
def test_upload_that_outlasts_its_worker_arrives_whole() -> None:
    """The worker would retire within two seconds; the upload takes six."""
    pieces = 60

    def body() -> Iterator[bytes]:
        for _ in range(pieces):
            for _ in range(40):
                next(met)
            time.sleep(0.1)
            yield b"u" * 1000

    with gunicorn({}, HASTY, *WORDS, "--workers=2", "--max-requests=30", app=APP) as port:
        met = workers_met(port)
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as client:
            client.request("POST", "/", body(), {"Content-Length": str(1000 * pieces)})
            assert client.getresponse().read() == b"u" * 1000 * pieces
