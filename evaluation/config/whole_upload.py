"""Uploads arrive whole or not at all."""

from __future__ import annotations

from typing import IO

from django.core.files.uploadhandler import FileUploadHandler
from django.http import UnreadablePostError


class UploadBrokeOff(UnreadablePostError):
    """The sender went away before the last byte that was announced."""


class WholeUploadHandler(FileUploadHandler):
    """Refuses a form of which less has come than its Content-Length says.

    Django takes the end of a broken connection for the end of the form, and what came of a file for it all.
    """

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: dict[str, str],  # noqa: N803 - Django passes it by this name
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        """Count what is read. Raises UploadBrokeOff where there is no more too early."""
        read, left = input_data.read, content_length

        def counted(size: int = -1, /) -> bytes:
            nonlocal left
            found = read(size)
            left -= len(found)
            if left > 0 and not found:
                raise UploadBrokeOff(f"{left:,} of {content_length:,} bytes never came.")
            return found

        input_data.read = counted  # type: ignore[method-assign]

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Pass it on to the handlers that keep it."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """It is another handler's file."""
