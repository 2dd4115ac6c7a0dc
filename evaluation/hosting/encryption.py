"""File encryption with age (age-encryption.org), for backups stored where others might read them."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from evaluation.core.errors import InputError

MAGIC = b"age-encryption.org/"


class AgeMissing(InputError):
    """The age tool is not installed."""

    def __init__(self) -> None:
        super().__init__("age is not installed. Install it (Debian: apt-get install age) and try again.")


class AgeFailed(InputError):
    """The age tool failed, for example because of a bad key."""

    def __init__(self, text: str) -> None:
        super().__init__(f"age failed with this message:\n{text.strip()}")


@contextmanager
def encrypted(path: Path, recipients: Sequence[str]) -> Iterator[IO[bytes]]:
    """Open a file for writing, encrypted for the recipients if there are any.

    With recipients, only encrypted bytes are written to disk. Raises AgeMissing, AgeFailed.
    """
    if not recipients:
        with path.open("wb") as file:
            yield file
        return
    chosen = [word for recipient in recipients for word in ("--recipient", recipient)]
    command = [_age(), "--encrypt", *chosen, "--output", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as age:  # noqa: S603
        try:
            yield age.stdin  # type: ignore[misc]  # it is a pipe
        except BrokenPipeError:  # age has exited; its stderr says why
            pass
        except BaseException:
            age.kill()
            raise
        _, text = age.communicate()
    if age.returncode != 0:
        raise AgeFailed(text.decode(errors="replace"))


def is_encrypted(path: Path) -> bool:
    """Return whether the file has the header of age files."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def decrypt(path: Path, identity: Path, target: Path) -> None:
    """Write the plain bytes of an encrypted file to another. Raises AgeMissing, AgeFailed."""
    command = [_age(), "--decrypt", "--identity", str(identity), "--output", str(target), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise AgeFailed(done.stderr)


def _age() -> str:
    found = shutil.which("age")
    if found is None:
        raise AgeMissing
    return found
