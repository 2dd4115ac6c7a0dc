"""How the schema tells of answers that are files."""

from __future__ import annotations

from typing import Any


def file_of(content_type: str) -> dict[str, Any]:
    """What is added to an operation whose answer is a file of this type."""
    content = {content_type: {"schema": {"type": "string", "format": "binary"}}}
    return {"responses": {200: {"description": "The file", "content": content}}}


FILE_OF_IMAGE = file_of("image/webp")
FILE_OF_LINES = file_of("text/plain")
FILE_OF_BYTES = file_of("application/octet-stream")
FILE_OF_ZIP = file_of("application/zip")
