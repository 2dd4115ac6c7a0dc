"""A faulty connection to a site: a POST is cut short, or its answer is lost."""

import re
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto

LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
MISSING = 40  # bytes of a request that are not forwarded


class Fault(Enum):
    """What happens to a request."""

    BREAKS_OFF = auto()
    ANSWER_IS_LOST = auto()


class BreakingLine(socketserver.ThreadingTCPServer):
    """Forwards requests; each POST has the next of the faults, None for no fault.

    ``answers`` are the statuses of the site's answers to POSTs.
    """

    block_on_close = True

    def __init__(self, site: tuple[str, int], faults: list[Fault | None]) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.site, self.faults = site, faults
        self.answers: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Passing(socketserver.BaseRequestHandler):
    server: BreakingLine

    def handle(self) -> None:
        asked = self._whole_request()
        is_post = asked.startswith(b"POST")
        fault = self.server.faults.pop(0) if is_post and self.server.faults else None
        answer = self._answer(asked[:-MISSING] if fault == Fault.BREAKS_OFF else asked)
        if is_post:
            self.server.answers.append(answer.partition(b"\r\n")[0].split(b" ")[1].decode())
        if fault is None:
            self.request.sendall(answer)

    def _whole_request(self) -> bytes:
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.request.recv(1 << 16)
        found = LENGTH.search(head)
        wanted = head.index(b"\r\n\r\n") + 4 + (int(found[1]) if found else 0)
        while len(head) < wanted:
            head += self.request.recv(1 << 16)
        return head

    def _answer(self, asked: bytes) -> bytes:
        with socket.create_connection(self.server.site) as site:
            site.sendall(asked)
            site.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: site.recv(1 << 16), b""))


@contextmanager
def breaking_line(site: tuple[str, int], *faults: Fault) -> Iterator[BreakingLine]:
    """Run it on a free port."""
    with BreakingLine(site, list(faults)) as line:
        thread = threading.Thread(target=line.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield line
        line.shutdown()
        thread.join()
