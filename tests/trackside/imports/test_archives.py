import io
import struct
import zipfile
import zlib

import pytest

from trackside.errors import InputError
from trackside.imports import archives
from trackside.imports.archives import ArchiveUnreadable, ArchiveUnsafe, members_of


def _zip(files: dict[str, bytes], *, method: int = zipfile.ZIP_DEFLATED, mode: int = 0) -> io.BytesIO:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            info.external_attr = mode << 16
            archive.writestr(info, content)
    packed.seek(0)
    return packed


def test_members_leave_out_folders_and_system_files() -> None:
    files = {"a/": b"", "a/x.JPG": b"1", "__MACOSX/a/._x.JPG": b"2", "a/.DS_Store": b"3", "y": b"4"}
    found = members_of(_zip(files))
    assert [(each.name, each.stem, each.suffix, each.read()) for each in found] == [
        ("a/x.JPG", "x", ".jpg", b"1"),
        ("y", "y", "", b"4"),
    ]


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/passwd", "..\\x", "C:/x"])
def test_members_that_reach_out_of_the_folder_are_refused(name: str) -> None:
    with pytest.raises(ArchiveUnsafe, match="outside the archive"):
        members_of(_zip({name: b"x"}))


def test_links_are_refused() -> None:
    with pytest.raises(ArchiveUnsafe, match="is a link"):
        members_of(_zip({"x": b"/etc/passwd"}, mode=0o120777))


def test_bombs_are_refused_before_they_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArchiveUnsafe, match="times its size"):
        members_of(_zip({"x": b"\0" * 20_000_000}))
    monkeypatch.setattr(archives, "MAX_FILES", 1)
    with pytest.raises(ArchiveUnsafe, match="2 files; the limit is 1"):
        members_of(_zip({"x": b"1", "y": b"2"}))
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    with pytest.raises(ArchiveUnsafe, match="3 files; the limit is 2"):
        members_of(_zip({"x": b"1", "y": b"2", "z": b"3"}))
    monkeypatch.setattr(archives, "MAX_BYTES", 5)
    with pytest.raises(ArchiveUnsafe, match="6 bytes; the limit is 5"):
        members_of(_zip({"x": b"123", "y": b"456"}))


def test_two_files_of_one_name_are_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x", b"1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("x", b"2")
    with pytest.raises(ArchiveUnsafe, match="'x' is in the archive twice"):
        members_of(packed)


def test_a_file_larger_than_its_archive_header_is_refused() -> None:
    packed = _zip({"x": b"a" * 1000})
    (member,) = members_of(packed)
    member.info.file_size = 10
    with pytest.raises((ArchiveUnsafe, ArchiveUnreadable)):
        member.read()


@pytest.mark.parametrize("content", [b"", b"PK\3\4rubbish", b"not a zip"])
def test_what_is_no_archive_is_refused(content: bytes) -> None:
    with pytest.raises(ArchiveUnreadable, match="not a zip archive"):
        members_of(io.BytesIO(content))


def test_a_damaged_file_is_identified_by_its_name() -> None:
    packed = bytearray(_zip({"x": b"abcdefgh" * 100}, method=zipfile.ZIP_STORED).getvalue())
    packed[100] ^= 255
    (member,) = members_of(io.BytesIO(packed))
    with pytest.raises(ArchiveUnreadable, match=r"^x: "):
        member.read()


def _raw_zip(name: bytes, *, version: int = 20, method: int = 0, flags: int = 0) -> io.BytesIO:
    """An archive of one file of two bytes, with a directory that no program writes."""
    content = b"{}"
    fields = struct.pack("<HHHHHIII", version, flags, method, 0, 33, zlib.crc32(content), 2, 2)
    local = b"PK\3\4" + fields + struct.pack("<HH", len(name), 0) + name + content
    rest = struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, 0)
    central = b"PK\1\2" + struct.pack("<H", version) + fields + rest + name
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(central), len(local), 0)
    return io.BytesIO(local + central + end)


@pytest.mark.parametrize(
    "packed",
    [
        _raw_zip(b""),
        _raw_zip(b"\0"),
        _raw_zip(b"a.jsonl", version=99),
        _raw_zip(b"\xff\xfe.jsonl", flags=0x800),
    ],
    ids=["no name", "NUL", "version", "name not UTF-8"],
)
def test_archive_with_a_malformed_directory_is_refused(packed: io.BytesIO) -> None:
    with pytest.raises(ArchiveUnreadable):
        members_of(packed)


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_damaged_lines_are_refused(method: int) -> None:
    sound = _zip({"a.jsonl": b'{"id": "a"}\n' * 500}, method=method).getvalue()
    start = 30 + len("a.jsonl")
    assert b"".join(members_of(io.BytesIO(sound))[0].blocks()) == b'{"id": "a"}\n' * 500
    refusals = []
    for place in range(start, start + 40):
        packed = bytearray(sound)
        packed[place] ^= 0b101
        try:
            b"".join(members_of(io.BytesIO(packed))[0].blocks())
        except InputError as error:
            refusals.append(str(error))
    assert all("a.jsonl" in each for each in refusals)
    assert len(refusals) > 20  # some packing methods have bits without a meaning


def test_packing_method_that_python_does_not_know_is_refused() -> None:
    (member,) = members_of(_raw_zip(b"a.jsonl", method=99))
    with pytest.raises(ArchiveUnreadable, match=r"a\.jsonl"):
        member.read()
    with pytest.raises(ArchiveUnreadable, match=r"a\.jsonl"):
        list(member.blocks())
