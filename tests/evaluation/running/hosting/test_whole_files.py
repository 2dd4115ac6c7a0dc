"""Other processes see stored files completely or not at all, and a power failure loses none."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from evaluation.config.backends.blob_storage import WholeFileStorage

NAME = "ab/abcdef"


class Looking(ContentFile[bytes]):
    """Content in two halves; records between them what other processes see."""

    def __init__(self, storage: WholeFileStorage) -> None:
        super().__init__(b"bytes")
        self.storage = storage
        self.seen: bytes | None = None

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        yield b"by"
        if self.storage.exists(NAME):
            self.seen = Path(self.storage.path(NAME)).read_bytes()
        yield b"tes"


class Broken(ContentFile[bytes]):
    """Content whose reading fails half-way."""

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        yield b"by"
        raise OSError("no space left")


@pytest.fixture
def storage(tmp_path: Path) -> WholeFileStorage:
    return WholeFileStorage(location=tmp_path, allow_overwrite=True)


def test_file_is_whole_while_the_same_is_stored_again(storage: WholeFileStorage, tmp_path: Path) -> None:
    first, again = Looking(storage), Looking(storage)
    assert storage.save(NAME, first) == storage.save(NAME, again) == NAME
    assert (first.seen, again.seen) == (None, b"bytes")
    assert (tmp_path / NAME).read_bytes() == b"bytes"
    assert storage.listdir("ab") == ([], ["abcdef"])


def test_file_whose_content_fails_leaves_nothing(storage: WholeFileStorage) -> None:
    with pytest.raises(OSError, match="no space left"):
        storage.save(NAME, Broken(b""))
    assert storage.listdir("ab") == ([], [])


def test_bytes_are_on_disk_before_the_name_and_the_name_before_save_returns(
    storage: WholeFileStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    replace = Path.replace

    def flush(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        steps.append("bytes" if path.is_file() and path.read_bytes() == b"bytes" else path.name)

    def rename(draft: Path, target: Path) -> Path:
        steps.append(f"rename to {target.name}")
        return replace(draft, target)

    monkeypatch.setattr(os, "fsync", flush)
    monkeypatch.setattr(Path, "replace", rename)
    storage.save(NAME, ContentFile(b"bytes"))
    # The first file of a folder makes the folder, whose name is in the folder above.
    assert steps == ["bytes", "rename to abcdef", "ab", tmp_path.name]
    storage.save("ab/abcd", ContentFile(b"bytes"))
    assert steps[4:] == ["bytes", "rename to abcd", "ab"]
