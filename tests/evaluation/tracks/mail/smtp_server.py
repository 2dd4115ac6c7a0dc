"""A mail server on the loopback that can be set to misbehave."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any


@dataclass
class Postbox:
    """Received mails, and the replies to the next recipients instead of 250: one each; "" hangs up."""

    port: int = 0
    messages: list[Message] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)


@contextmanager
def smtp_server() -> Iterator[Postbox]:
    """Accept mails until the end of the block."""
    postbox = Postbox()

    class Session(StreamRequestHandler):
        def handle(self) -> None:
            self.say("220 loopback")
            while line := self.rfile.readline().strip().upper():
                answer = "250 ok"
                if line.startswith(b"RCPT") and postbox.refusals:
                    answer = postbox.refusals.pop(0)
                elif line == b"DATA":
                    self.say("354 go on")
                    postbox.messages.append(message_from_bytes(self.content()))
                elif line == b"QUIT":
                    answer = "221 bye"
                if not answer:
                    return
                self.say(answer)

        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

        def content(self) -> bytes:
            lines: Any = iter(self.rfile.readline, b".\r\n")
            return b"".join(lines)

    with ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        postbox.port = server.server_address[1]
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield postbox
        server.shutdown()
