"""Gunicorn's threaded worker with what a proxy does not add: early answers arrive, and it retires gently.

A thread gets a connection once its first bytes have arrived, so that open but silent connections, such as
those that browsers make in advance, delay no page. Against clients that send or read slowly on purpose, put a
proxy in front (docker/nginx.conf).

A worker that has served max_requests is replaced, so that memory it lost is freed. It waits until its
connections are closed, so that no client meets a reset and no upload is cut off.
"""

import fcntl
import selectors
import socket
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import IO, Any, ClassVar

from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import TConn, ThreadWorker


class PatientWorker(ThreadWorker):
    """Serves requests once their first bytes have arrived. All times are seconds."""

    first_seconds: ClassVar[float] = 10.0  # for the first bytes of a connection
    quiet_seconds: ClassVar[int] = 10  # between two bytes that a thread reads or writes
    turn: ClassVar[IO[bytes] | None] = None  # locked by the one worker that retires; opened before the fork

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        PatientWorker.turn = PatientWorker.turn or tempfile.TemporaryFile()  # noqa: SIM115 - open until the process ends
        # Gunicorn's own max_requests would end the worker after graceful_timeout, in the middle of an upload.
        self.retires_after, self.max_requests = self.max_requests, sys.maxsize
        self.retires_until = 0.0  # monotonic seconds; 0 while it serves new clients

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection and wait in the main loop for its first bytes."""
        try:
            client, address = listener.accept()
        except OSError:  # the client has disconnected, or another worker was first
            return
        self.nr_conns += 1
        quiet = struct.pack("ll", self.quiet_seconds, 0)
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            client.setsockopt(socket.SOL_SOCKET, option, quiet)
        conn = TConn(self.cfg, client, address, listener.getsockname())
        conn.timeout = time.monotonic() + self.first_seconds
        self.pending_conns.append(conn)
        self.poller.register(client, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

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

    def murder_pending(self) -> None:
        """Close connections past their deadline; the main loop calls this once a second."""
        for conn in () if self.alive else self.pending_conns:
            conn.timeout = 0.0  # a silent connection must not delay the stop
        super().murder_pending()
        self._retire(time.monotonic())

    def _retire(self, now: float) -> None:
        """Replace this worker once it has served its requests, while the others accept new clients.

        Each client's next answer closes its connection. If an upload outlasts the others, serve on.
        """
        if not self.retires_until and self.nr >= self.retires_after and self._takes_turn():
            self.log.info("Worker %s has served %s requests and is replaced.", self.pid, self.nr)
            self.retires_until = now + self.cfg.keepalive + self.first_seconds
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


READ_BYTES = 65_536
REST_BYTES = 1_048_576  # of a body that the site left unread; with a longer rest the connection is closed
LINGER_SECONDS, LINGER_BYTES = 2.0, 16_777_216  # to read on before a connection is closed


def with_read_bodies(site: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Read the rest of a body that the site did not read, or announce the end of the connection.

    Otherwise the client would send its next request on a connection that is about to be closed, or in the
    middle of this body.
    """

    def serve(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        answer = site(environ, start_response)
        if not _has_ended(environ["wsgi.input"]):
            start_response.__self__.force_close()  # gunicorn's Response; it has not sent its headers yet
        return answer

    return serve


def _has_ended(body: Any) -> bool:
    """Read the rest of the body, unless it is long; return whether that was all."""
    if (
        getattr(body.reader, "length", 0) > REST_BYTES
    ):  # what gunicorn's reader of Content-Length has not read
        return False
    left = REST_BYTES
    try:
        while left > 0 and (chunk := body.read(READ_BYTES)):
            left -= len(chunk)
    except (OSError, ParseException):  # the client is slow or has disconnected, or its chunks are malformed
        return False
    return left > 0


def linger(client: socket.socket) -> None:
    """Send the end of our answers, and read on until the client has closed or a bound is reached.

    If bytes of the client were unread at the close, the kernel would reset the connection, and the client
    might lose our answer.
    """
    until, left = time.monotonic() + LINGER_SECONDS, LINGER_BYTES
    with suppress(OSError):
        client.shutdown(socket.SHUT_WR)
        while left > 0 and (seconds := until - time.monotonic()) > 0:
            client.settimeout(seconds)
            chunk = client.recv(READ_BYTES)
            if not chunk:
                break
            left -= len(chunk)
