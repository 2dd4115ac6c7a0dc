"""The context of a sandbox job: the file, its instructions, and messages to the parent process."""

from dataclasses import dataclass
from typing import IO, Any

from trackside.sandbox.messages import Message, MessageBroken, receive, send


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
