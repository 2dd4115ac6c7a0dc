"""Messages between a sandbox and its parent process: a line of JSON, then the bytes whose size it names."""

import json
from dataclasses import dataclass, field
from typing import IO, Any

HEADER_BYTES = 1 << 20
CONTENT_BYTES = 256 << 20
_BYTES = "content_bytes"


class MessageBroken(Exception):
    """The other process sent an invalid message, or ended in the middle of one."""


@dataclass(frozen=True, slots=True)
class Message:
    """``kind`` is its type, ``values`` are plain JSON, ``content`` is additional bytes."""

    kind: str
    values: dict[str, Any] = field(default_factory=dict)
    content: bytes = b""


def send(stream: IO[bytes], message: Message) -> None:
    """Write a message, and flush it."""
    header = {"kind": message.kind, "values": message.values, _BYTES: len(message.content)}
    stream.write(json.dumps(header).encode() + b"\n")
    stream.write(message.content)
    stream.flush()


def receive(stream: IO[bytes]) -> Message | None:
    """The next message, or None at the end. Raises MessageBroken; never reads beyond the limits above."""
    header = stream.readline(HEADER_BYTES)
    if not header:
        return None
    try:
        values = json.loads(header)
        size = int(values[_BYTES])
        message = Message(str(values["kind"]), dict(values["values"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MessageBroken(f"no message: {header[:80]!r}") from error
    if not 0 <= size <= CONTENT_BYTES:
        raise MessageBroken(f"a message of {size:,} bytes")
    content = stream.read(size) if size else b""
    if len(content) < size:
        raise MessageBroken("cut short")
    return Message(message.kind, message.values, content)


@dataclass(frozen=True, slots=True)
class SandboxJob:
    """``file`` is the untrusted file; ``values`` and ``content`` are the instructions."""

    file: IO[bytes]
    values: dict[str, Any]
    content: bytes
    answers: IO[bytes]
    reports: IO[bytes]

    def report(self, kind: str, values: dict[str, Any] | None = None, content: bytes = b"") -> None:
        """Send a message that needs no response."""
        send(self.reports, Message(kind, values or {}, content))

    def ask(self, kind: str, values: dict[str, Any] | None = None, content: bytes = b"") -> Message:
        """Send a message and wait for the response."""
        self.report(kind, values, content)
        answer = receive(self.answers)
        if answer is None:
            raise MessageBroken("no response")
        return answer
