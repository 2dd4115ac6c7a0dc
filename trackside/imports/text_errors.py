"""Errors of text files, and the decoding of their bytes."""

from trackside.errors import InputError


class NotText(InputError):
    """The file is not text in UTF-8."""


class NoRecords(InputError):
    """The file has no records."""


def printable(text: str) -> str:
    """The text with visible signs for characters that cannot be stored: NUL and unpaired surrogates."""
    return text.replace("\0", "\N{SYMBOL FOR NULL}").encode("utf-8", "replace").decode()


def refuse_other_encodings(content: bytes, name: str) -> None:
    """Raise NotText for UTF-16 and UTF-32, recognised by byte order marks or NUL bytes."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content[:64]:
        raise NotText(f"{name}: this looks like UTF-16 or a binary file. Save it as plain text in UTF-8.")


def decoded(content: bytes, name: str, *, lines_before: int = 0) -> str:
    """The file, or its part after ``lines_before`` lines, as text. NotText names the first invalid line."""
    if not lines_before:
        refuse_other_encodings(content, name)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = lines_before + content.count(b"\n", 0, error.start) + 1
        raise NotText(f"{name}, line {line:,}: bytes that are not UTF-8. Save the file in UTF-8.") from error
