"""Gunicorn's threaded worker, hardened against slow clients: they cannot occupy all threads.

The main loop of a worker reads request heads and small bodies itself and passes a request to a thread once it
is complete. Threads read large bodies, so at most half of the threads take such requests at a time. A reverse
proxy does the same and more (docker/nginx.conf); this protects a server without one.

A worker that has served max_requests is replaced, so that memory it lost is freed. It waits until its
connections are closed, so that no client meets a reset and no upload is cut off.
"""

from __future__ import annotations

import fcntl
import re
import selectors
import socket
import struct
import sys
import tempfile
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Any, ClassVar

from gunicorn.http import RequestParser
from gunicorn.workers.gthread import TConn, ThreadWorker

from evaluation.hosting.early_answers import answer_to, early_answer
from evaluation.hosting.unread_bodies import linger, with_read_bodies

if TYPE_CHECKING:
    from concurrent.futures import Future

    from gunicorn.http.unreader import Unreader

READ_BYTES = 65_536
HEAD_END = b"\r\n\r\n"
HEAD_BYTES = 32_768  # maximum size of request line and headers
FULL = 0.9  # share of a worker's connections in use above which idle ones are closed
SMALL_BODY = 16_384  # bytes of a body that the main loop reads; with the head, 48 MB for 1,000 connections
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})[ \t]*(?:\r\n|$)")
BUSY = early_answer(
    HTTPStatus.SERVICE_UNAVAILABLE, "All threads have uploads. Try again in 10 seconds.", "Retry-After: 10"
)
TOO_LARGE = early_answer(
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    f"Request line and headers have more than {HEAD_BYTES:,} bytes. Shorten them.",
)


def missing_bytes(arrived: bytes) -> int | None:
    """Return how many bytes of a request must arrive before a thread takes it: 0 if it is complete.

    1 while the head is incomplete. None if a thread must read the body, because it is large or of unknown
    length, or because the client waits for 100 Continue.
    """
    head, end, body = arrived.partition(HEAD_END)
    if not end:
        return 1
    lower = head.lower()
    if b"\r\ntransfer-encoding:" in lower or b"\r\nexpect:" in lower:
        return None
    length = _length(lower)
    return None if length > SMALL_BODY else max(0, length - len(body))


def _length(lower_head: bytes) -> int:
    found = CONTENT_LENGTH.search(lower_head)
    return int(found[1]) if found else 0


@dataclass
class Arriving:
    """A partial request: its bytes, its deadline (monotonic seconds), and the bytes needed, 0 if unknown."""

    buffer: bytearray
    until: float
    wanted: int = 0
    has_served: bool = False  # an earlier request of the connection

    @property
    def is_idle(self) -> bool:
        """Whether the client has its response and has sent nothing since."""
        return self.has_served and not self.buffer

    def add(self, found: bytes) -> bool:
        """Append the bytes; return whether the request may be complete. Time is linear in the new bytes."""
        tail = bytes(self.buffer[-3:]) + found
        self.buffer += found
        if self.wanted:
            return len(self.buffer) >= self.wanted
        return HEAD_END in tail or len(self.buffer) > HEAD_BYTES


class PatientWorker(ThreadWorker):
    """Serves requests once their heads have arrived. All times are seconds."""

    head_seconds: ClassVar[float] = 10.0  # for a complete head and small body
    quiet_seconds: ClassVar[int] = 10  # between two bytes that a thread reads or writes
    queue_seconds: ClassVar[float] = 30.0  # for a large body to wait for a thread
    least_rate: ClassVar[int] = 32_768  # minimum bytes per second of a large body, after rate_after
    rate_after: ClassVar[float] = 60.0
    turn: ClassVar[IO[bytes] | None] = None  # locked by the one worker that retires; opened before the fork

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        PatientWorker.turn = PatientWorker.turn or tempfile.TemporaryFile()  # noqa: SIM115 - open until the process ends
        # Gunicorn's own max_requests would end the worker after graceful_timeout, in the middle of an upload.
        self.retires_after, self.max_requests = self.max_requests, sys.maxsize
        self.retires_until = 0.0  # monotonic seconds; 0 while it serves new clients
        self.arriving: dict[TConn, Arriving] = {}
        # Connection, bytes so far, seconds allowed for its body, and its deadline to get a thread.
        self.queued: deque[tuple[TConn, bytes, float, float]] = deque()
        self.uploading: dict[TConn, float] = {}  # deadline of its body
        self.most_uploads = max(1, self.cfg.threads // 2)

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection and wait in the main loop for its first request."""
        try:
            client, address = listener.accept()
        except OSError:  # the client has disconnected, or another worker was first
            return
        self.make_room()
        self.nr_conns += 1
        quiet = struct.pack("ll", self.quiet_seconds, 0)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            client.setsockopt(socket.SOL_SOCKET, option, quiet)
        self._await(TConn(self.cfg, client, address, listener.getsockname()), b"", self.head_seconds)

    def make_room(self) -> None:
        """Close the connection that has been idle longest if few are left for new clients.

        Otherwise connections stay open for the next request of their client.
        """
        if self.nr_conns < self.worker_connections * FULL:
            return
        idle = next((conn for conn, arriving in self.arriving.items() if arriving.is_idle), None)
        if idle:
            self._drop(idle)

    def load_wsgi(self) -> None:
        """Load the site."""
        super().load_wsgi()
        self.wsgi = with_read_bodies(self.wsgi)

    def handle(self, conn: TConn) -> Any:
        """Serve a request in a thread; if the connection ends with it, let the client read the answer."""
        is_kept = super().handle(conn)
        if not is_kept:
            linger(conn.sock)
        return is_kept

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Log the error of a request and answer it."""
        self.log.warning("A request of %s failed: %s", addr[0] if addr else "a socket", exc, exc_info=exc)
        with suppress(OSError):
            client.sendall(answer_to(exc))

    def finish_request(self, conn: TConn, fs: Future[Any]) -> None:
        """Close the connection, or wait in the main loop for its next request."""
        self.uploading.pop(conn, None)
        self._start_uploads()
        is_kept = self.alive and not fs.cancelled() and fs.exception() is None and fs.result() is True
        if is_kept:
            self._await(conn, self._unreader(conn).take_buffered(), self.cfg.keepalive, has_served=True)
        else:
            self.nr_conns -= 1
            conn.close()

    def murder_pending(self) -> None:
        """Close connections past their deadline; the main loop calls this once a second."""
        now = time.monotonic()
        for conn, arriving in list(self.arriving.items()):
            if arriving.until < now or not (arriving.buffer or self.alive):
                self._drop(conn)
        while self.queued and self.queued[0][3] < now:
            self._answer(self.queued.popleft()[0], BUSY)
        for conn in [conn for conn, until in self.uploading.items() if until < now]:
            self.uploading.pop(conn)
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RD)  # the thread reads end of file, a broken upload
        super().murder_pending()
        self._retire(now)

    def _retire(self, now: float) -> None:
        """Replace this worker once it has served its requests, while the others accept new clients.

        Each client's next answer closes its connection. If an upload outlasts the others, serve on.
        """
        if not self.retires_until and self.nr >= self.retires_after and self._takes_turn():
            self.log.info("Worker %s has served %s requests and is replaced.", self.pid, self.nr)
            self.retires_until = now + self.cfg.keepalive + self.head_seconds
            self.worker_connections = self.max_keepalived = 0
        elif self.retires_until and not self.nr_conns:
            self.alive = False
        elif 0 < self.retires_until < now:
            self.retires_until, self.retires_after = 0.0, self.nr + self.cfg.max_requests
            self.worker_connections = self.cfg.worker_connections
            self.max_keepalived = self.worker_connections - self.cfg.threads
            self._give_turn()

    def _takes_turn(self) -> bool:
        """Return whether this worker may retire: not if it is the only one, or if another does."""
        if self.cfg.workers < 2 or self.turn is None:
            return False
        try:
            fcntl.lockf(self.turn, fcntl.LOCK_EX | fcntl.LOCK_NB)  # released when the process ends
        except OSError:
            return False
        return True

    def _give_turn(self) -> None:
        if self.turn is not None:
            fcntl.lockf(self.turn, fcntl.LOCK_UN)

    def _await(self, conn: TConn, arrived: bytes, seconds: float, *, has_served: bool = False) -> None:
        conn.sock.settimeout(0)
        self.arriving[conn] = Arriving(bytearray(), time.monotonic() + seconds, has_served=has_served)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._on_bytes, conn))
        if arrived and self.arriving[conn].add(arrived):
            self._look_at(conn)

    def _on_bytes(self, conn: TConn, client: socket.socket) -> None:
        try:
            found = client.recv(READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            found = b""
        if not found:
            self._drop(conn)
            return
        arriving = self.arriving[conn]
        if not arriving.buffer:
            arriving.until = time.monotonic() + self.head_seconds
        if arriving.add(found):
            self._look_at(conn)

    def _look_at(self, conn: TConn) -> None:
        arriving = self.arriving[conn]
        arrived = bytes(arriving.buffer)
        missing = missing_bytes(arrived)
        if missing == 0:
            self._release(conn)
            self._serve(conn, arrived)
        elif missing is None:
            seconds = self.rate_after + _length(arrived.partition(HEAD_END)[0].lower()) / self.least_rate
            self._release(conn)
            self.queued.append((conn, arrived, seconds, time.monotonic() + self.queue_seconds))
            self._start_uploads()
        elif HEAD_END in arrived:
            arriving.wanted = len(arrived) + missing
        else:
            self._release(conn)
            self._answer(conn, TOO_LARGE)

    def _start_uploads(self) -> None:
        while self.queued and len(self.uploading) < self.most_uploads:
            conn, arrived, seconds, _ = self.queued.popleft()
            self.uploading[conn] = time.monotonic() + seconds
            self._serve(conn, arrived)

    def _serve(self, conn: TConn, arrived: bytes) -> None:
        self._unreader(conn).unread(arrived)
        conn.initialized = conn.data_ready = True
        self.enqueue_req(conn)

    def _unreader(self, conn: TConn) -> Unreader:
        if not isinstance(conn.parser, RequestParser):
            conn.parser = RequestParser(self.cfg, conn.sock, conn.client)
        return conn.parser.unreader

    def _release(self, conn: TConn) -> None:
        self.poller.unregister(conn.sock)
        self.arriving.pop(conn)

    def _drop(self, conn: TConn) -> None:
        self._release(conn)
        self.nr_conns -= 1
        conn.close()

    def _answer(self, conn: TConn, answer: bytes) -> None:
        with suppress(OSError):
            conn.sock.send(answer)
        self.nr_conns -= 1
        conn.close()
