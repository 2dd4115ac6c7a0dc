"""Contents of untrusted zip files, within limits that also hold for hostile archives."""

import lzma
import stat
import struct
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from trackside.errors import InputError
from trackside.files.streams import Blocks

MAX_FILES = 1_000_000
MAX_FILE_BYTES = 2_000_000_000  # unpacked
LONGEST_LINE = 10_000_000  # bytes
MAX_BYTES = 200_000_000_000  # unpacked, all files together
MAX_RATIO = 200  # for files over SMALL; pictures hardly compress, text 3 to 15 times
SMALL = 1 << 20
# What Python raises for damaged archives and for packing methods that it does not know.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    UnicodeDecodeError,
)
_IS_UTF8 = 0x800  # APPNOTE.TXT of PKWARE, 4.4.4
JUNK = ("__MACOSX/", ".DS_Store", "Thumbs.db")


class ArchiveUnsafe(InputError):
    """The archive has too many files or bytes, a path outside its folder, a link or a repeated name."""


class ArchiveUnreadable(InputError):
    """The file is not a zip archive, is damaged, or is locked with a password."""


@dataclass(frozen=True)
class Member(ABC):
    """A file in an archive or a folder; its bytes are read on demand. ``name`` is its path there."""

    name: str

    @property
    def stem(self) -> str:
        """The file's name without folder and last suffix."""
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        """The last suffix in lower case, with its dot."""
        return PurePosixPath(self.name).suffix.lower()

    @abstractmethod
    def read(self, most: int = MAX_FILE_BYTES) -> bytes:
        """The content. Raises ArchiveUnreadable, also for more than ``most`` bytes."""

    @abstractmethod
    def blocks(self) -> Iterator[bytes]:
        """The bytes as blocks of whole lines. Raises ArchiveUnreadable and the errors of ``Blocks``."""


@dataclass(frozen=True)
class FileMember(Member):
    """A file in a folder."""

    path: Path

    def read(self, most: int = MAX_FILE_BYTES) -> bytes:
        """The content."""
        try:
            with self.path.open("rb") as file:
                content = file.read(most + 1)
        except OSError as error:
            raise ArchiveUnreadable(f"{self.path}: {error.strerror}. Make the file readable.") from error
        if len(content) > most:
            raise ArchiveUnreadable(f"{self.path}: more than {most:,} bytes. Give a smaller file.")
        return content

    def blocks(self) -> Iterator[bytes]:
        """The bytes as blocks of whole lines."""
        yield from Blocks(self.path, max_bytes=MAX_FILE_BYTES, line_bytes=LONGEST_LINE)


@dataclass(frozen=True)
class ArchiveMember(Member):
    """A file in a zip archive."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    def read(self, most: int = MAX_FILE_BYTES) -> bytes:
        """The content. Raises ArchiveUnreadable, also for more than ``most`` bytes.

        Raises ArchiveUnsafe if the file is larger than the archive's header says.
        """
        if self.info.file_size > most:
            raise ArchiveUnreadable(f"{self.name}: {self.info.file_size:,} bytes; the limit is {most:,}.")
        with self._damage_refused(), self.archive.open(self.info) as file:
            content = file.read(self.info.file_size + 1)
        if len(content) > self.info.file_size:
            raise ArchiveUnsafe(f"{self.name}: larger than the archive says. Pack the archive again.")
        return content

    def blocks(self) -> Iterator[bytes]:
        """The bytes as blocks of whole lines. Raises ArchiveUnreadable and the errors of ``Blocks``."""
        with self._damage_refused(), self.archive.open(self.info) as file:
            yield from Blocks(file, max_bytes=self.info.file_size, line_bytes=LONGEST_LINE)

    @contextmanager
    def _damage_refused(self) -> Iterator[None]:
        try:
            yield
        except DAMAGE as error:
            raise ArchiveUnreadable(f"{self.name}: {error}. Pack the archive again.") from error


def members_of_folder(folder: Path) -> list[Member]:
    """The files below a folder by path, without hidden ones and operating systems' own.

    Links to files are followed, those to folders are not. Raises ArchiveUnreadable for no file.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    named = ((path.relative_to(folder), path) for path in paths)
    members = [
        FileMember(name.as_posix(), path)
        for name, path in named
        if name.name not in JUNK and not any(part.startswith(".") for part in name.parts)
    ]
    if not members:
        raise ArchiveUnreadable(f"{folder}: no file in it. Put records or pictures there.")
    return list(members)


def members_of(file: IO[bytes], *, most: int | None = None) -> list[ArchiveMember]:
    """The files of a zip archive in its order, without folders and operating systems' own files.

    Nothing is unpacked to disk. Raises ArchiveUnreadable and ArchiveUnsafe, the latter also for more than
    ``most`` files (MAX_FILES by default).
    """
    try:
        archive = zipfile.ZipFile(file)
    except (*DAMAGE, ValueError) as error:
        raise ArchiveUnreadable(f"The file is not a zip archive ({error}). Zip the folder.") from error
    if not all(info.filename for info in archive.infolist()):
        raise ArchiveUnreadable("A file in the archive has no name. Pack it again.")
    infos = [
        info
        for info in archive.infolist()
        if not info.is_dir()
        and not info.filename.startswith(JUNK[0])
        and PurePosixPath(info.filename).name not in JUNK[1:]
    ]
    most = MAX_FILES if most is None else most
    if len(infos) > most:
        raise ArchiveUnsafe(f"The archive has {len(infos):,} files; the limit is {most:,}. Split it.")
    for info in infos:
        _refuse_unsafe(info)
    total = sum(info.file_size for info in infos)
    if total > MAX_BYTES:
        raise ArchiveUnsafe(f"The archive unpacks to {total:,} bytes; the limit is {MAX_BYTES:,}. Split it.")
    members = {name: ArchiveMember(name, archive, info) for info in infos for name in [_name_of(info)]}
    if len(members) < len(infos):
        (name, _), *_ = Counter(map(_name_of, infos)).most_common(1)
        raise ArchiveUnsafe(f"'{name}' is in the archive twice. Pack it again.")
    return list(members.values())


def _name_of(info: zipfile.ZipInfo) -> str:
    """The member's path. Some programs write UTF-8 without saying so, or Windows' backslashes."""
    name = info.filename
    if not info.flag_bits & _IS_UTF8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode()
    return name.replace("\\", "/")


def _refuse_unsafe(info: zipfile.ZipInfo) -> None:
    path = PurePosixPath(info.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or (path.parts and path.parts[0].endswith(":")):
        raise ArchiveUnsafe(f"'{info.filename}' has a path outside the archive's folder. Pack it again.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise ArchiveUnsafe(f"'{info.filename}' is a link. Pack the file that it points to.")
    if info.flag_bits & 1:
        raise ArchiveUnreadable(f"'{info.filename}' is locked with a password. Pack it without one.")
    if info.file_size > MAX_FILE_BYTES:
        raise ArchiveUnsafe(f"'{info.filename}' unpacks to more than {MAX_FILE_BYTES:,} bytes. Split it.")
    if info.file_size > SMALL and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        ratio = info.file_size // max(info.compress_size, 1)
        raise ArchiveUnsafe(f"'{info.filename}' unpacks to {ratio:,} times its size. Pack the real file.")
