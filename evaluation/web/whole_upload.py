"""Rejects forms and uploads that arrive incomplete, whatever page they are for."""

from typing import IO

from django.core.files.uploadhandler import FileUploadHandler
from django.http import UnreadablePostError


class UploadBrokeOff(UnreadablePostError):
    """The client disconnected before it sent all announced bytes."""


class WholeUploadHandler(FileUploadHandler):
    """Rejects a form that is shorter than its Content-Length.

    Django treats the end of a broken connection as the end of the form, and a partial file as complete.
    """

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: dict[str, str],  # noqa: N803 - Django passes it by this name
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        """Count the bytes read. Raises UploadBrokeOff if the stream ends early."""
        read, left = input_data.read, content_length

        def counted(size: int = -1, /) -> bytes:
            nonlocal left
            chunk = read(size)
            left -= len(chunk)
            if left > 0 and not chunk:
                raise UploadBrokeOff(f"{left:,} of {content_length:,} bytes are missing.")
            return chunk

        input_data.read = counted  # type: ignore[method-assign]

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Pass the chunk to the handlers that store it."""
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Return None: another handler has the file."""
