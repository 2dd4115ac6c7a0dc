"""Rows of zip archives: pictures, files of records that name them, and texts beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import PurePosixPath
from typing import IO, Any

from trackside.errors import InputError
from trackside.files.streams import BYTE_ORDER_MARK
from trackside.image_errors import MAX_IMAGE_BYTES
from trackside.imports.archives import ArchiveMember, members_of
from trackside.imports.faults import Faults, ImportFault, NoRecords, NotText, decoded
from trackside.imports.fields import Row, Uses, unique_keys
from trackside.imports.json_files import decode
from trackside.imports.parquet import parquet_rows
from trackside.imports.records import IMAGE_SUFFIXES, Record, RecordMaker, name_of, picture_names
from trackside.imports.text_files import rows_of_blocks, text_rows

PARQUET = ".parquet"
RECORD_SUFFIXES = (".jsonl", ".ndjson", ".csv", ".tsv", ".xml", PARQUET)
JSON = ".json"
TEXT_SUFFIXES = (".txt", ".caption")
OPTIONAL_SUFFIXES = (JSON, *TEXT_SUFFIXES)
PACKED = (".gz", ".bz2", ".zst")
OTHER_PICTURES = """
    .gif .tif .tiff .bmp .svg .heic .heif .avif .jp2 .j2k .ico .psd .ppm .pgm .pbm .pnm .tga .raw .dng
"""
LONGEST_TEXT = 10_000_000  # bytes of a text beside a picture


@dataclass
class _Folder:
    """The members of an archive by their use; ``beside`` are texts of pictures, by path without suffix."""

    pictures: list[ArchiveMember] = field(default_factory=list)
    records: list[ArchiveMember] = field(default_factory=list)
    beside: dict[str, list[ArchiveMember]] = field(default_factory=dict)
    others: list[ArchiveMember] = field(default_factory=list)


class _PictureIndex:
    """Finds pictures by path, file name and stem, and knows which of them are used."""

    def __init__(self, pictures: list[ArchiveMember]) -> None:
        self._by_path = {picture.name: picture for picture in pictures}
        self._by_name: dict[str, list[ArchiveMember]] = {}
        for picture in pictures:
            for name in {picture.stem, PurePosixPath(picture.name).name}:
                self._by_name.setdefault(name, []).append(picture)
        self._unused = dict.fromkeys(self._by_path)

    @property
    def is_empty(self) -> bool:
        """Whether the archive has no pictures."""
        return not self._by_path

    def find(self, name: str, folder: str) -> list[ArchiveMember]:
        """The picture at the path, from the folder or the top; else all of this file name or stem."""
        for path in (str(PurePosixPath(folder, name)), name.removeprefix("./")):
            if path in self._by_path:
                return [self._by_path[path]]
        return self._by_name.get(PurePosixPath(name).name if "/" in name else name, [])

    def use(self, picture: ArchiveMember) -> None:
        """Note that a record has the picture."""
        self._unused.pop(picture.name, None)

    def unused(self) -> list[str]:
        """The paths of pictures that no record has."""
        return list(self._unused)


def folder_records(file: IO[bytes], maker: RecordMaker, columns: Sequence[str]) -> Iterator[Record]:
    """The records of an archive.

    A row of a .jsonl, .csv, .tsv, .json, .xml or .parquet file is a record and names its picture; successive
    rows whose only name is the same picture are one record, with "caption 1", "caption 2". Without such rows
    each picture is a record with the name of its file, and with the texts of the .txt and .json of the same
    name. Every other member is a fault.
    """
    folder = _sorted(members_of(file), maker)
    index, has_rows = _PictureIndex(folder.pictures), False
    for member in folder.records:
        for row in _joined(_member_rows(member, index, maker, columns), maker):
            has_rows = True
            yield from _with_picture(row, index, folder, maker)
    if has_rows:
        for name in index.unused():
            maker.faults.add(ImportFault.IMAGE_UNUSED, name)
    elif folder.pictures:
        yield from _pictures_alone(index, folder, maker)
    elif not maker.faults.counts.get(ImportFault.IMAGE_FORMAT):
        raise InputError(
            "The archive has no captions (.jsonl, .csv) and no images (.jpg, .png, .webp). Put them in.",
            code="no-captions",
        )
    for members in folder.beside.values():
        for member in members:
            maker.faults.add(ImportFault.FILE_NOT_READ, member.name)


def _joined(rows: Iterator[Row], maker: RecordMaker) -> Iterator[Row]:
    """The rows, one for each run of rows whose name is the same file of a picture: Flickr's five captions."""

    def _picture(row: Row) -> object:
        uses = maker.uses_of(row, has_pictures=True)
        return (_wanted(row, uses) if uses.picture == uses.name else ()) or object()

    for _, group in groupby(rows, key=_picture):
        same = list(group)
        pairs: list[tuple[str, Any]] = []
        for key in dict.fromkeys(key for row in same for key in row.values):
            values = [row.values[key] for row in same if key in row.values]
            pairs += [
                (key, value) for value in (values if values.count(values[0]) < len(values) else values[:1])
            ]
        yield replace(same[0], values=dict(unique_keys(pairs))) if len(same) > 1 else same[0]


def _sorted(members: list[ArchiveMember], maker: RecordMaker) -> _Folder:
    folder = _Folder([member for member in members if member.suffix in IMAGE_SUFFIXES])
    stems = {_without_suffix(member.name) for member in folder.pictures}
    for member in members:
        if member.suffix in IMAGE_SUFFIXES:
            continue
        if member.suffix in (*TEXT_SUFFIXES, JSON) and _without_suffix(member.name) in stems:
            folder.beside.setdefault(_without_suffix(member.name), []).append(member)
        elif _unpacked_suffix(member) in (*RECORD_SUFFIXES, *OPTIONAL_SUFFIXES):
            folder.records.append(member)
        else:
            is_picture = member.suffix in OTHER_PICTURES.split()
            kind = ImportFault.IMAGE_FORMAT if is_picture else ImportFault.FILE_NOT_READ
            maker.faults.add(kind, member.name)
    return folder


def _without_suffix(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))


def _unpacked_suffix(member: ArchiveMember) -> str:
    path = PurePosixPath(member.name)
    return (path.with_suffix("") if member.suffix in PACKED else path).suffix.lower()


def _member_rows(
    member: ArchiveMember, index: _PictureIndex, maker: RecordMaker, columns: Sequence[str]
) -> Iterator[Row]:
    """The rows of a member, with its name in their places.

    A .txt or .json that names no picture is a fault: many archives hold a README or a list of classes.
    """
    is_optional = _unpacked_suffix(member) in OPTIONAL_SUFFIXES
    folder, faults = str(PurePosixPath(member.name).parent), Faults() if is_optional else maker.faults
    rows = (
        replace(row, place=f"{member.name}, {row.place}", folder=folder)
        for row in _rows(member, faults, maker, columns)
    )
    if not is_optional:
        yield from rows
        return
    try:
        listed = list(rows)
    except (NoRecords, NotText) as error:
        maker.faults.add(ImportFault.FILE_NOT_READ, member.name, str(error))
        return
    if any(_is_used(row, index, maker) for row in listed):
        maker.faults.add_values(faults.to_values())
        yield from listed
    else:
        message = "No record in it has an id." if index.is_empty else "No record in it names an image."
        maker.faults.add(ImportFault.FILE_NOT_READ, member.name, message)


def _is_used(row: Row, index: _PictureIndex, maker: RecordMaker) -> bool:
    """Whether the row of a .txt or .json is a record: it names a picture, or the archive has none."""
    if index.is_empty:
        return bool(name_of(row, maker.uses_of(row, has_pictures=True)))
    return any(same for _, same in _named_pictures(row, index, maker))


def _rows(member: ArchiveMember, faults: Faults, maker: RecordMaker, columns: Sequence[str]) -> Iterator[Row]:
    if member.suffix == PARQUET:
        yield from parquet_rows(member.read(), faults, maker.choice)
    elif member.suffix in PACKED:
        yield from text_rows(member.read(), faults, columns=columns)
    elif member.suffix == JSON:  # often one line of many megabytes
        yield from rows_of_blocks([member.read().removeprefix(BYTE_ORDER_MARK)], member.name, faults)
    else:
        yield from rows_of_blocks(member.blocks(), member.name, faults, columns=columns)


def _named_pictures(
    row: Row, index: _PictureIndex, maker: RecordMaker
) -> list[tuple[str, list[ArchiveMember]]]:
    """The pictures that each name of the row may mean: by its field of pictures, else by its own name."""
    uses = maker.uses_of(row, has_pictures=True)
    names = _wanted(row, uses) or (name_of(row, uses),)
    return [(name, index.find(name, row.folder)) for name in names]


def _wanted(row: Row, uses: Uses) -> tuple[str, ...]:
    return picture_names(row.values[uses.picture]) if uses.picture else ()


def _with_picture(row: Row, index: _PictureIndex, folder: _Folder, maker: RecordMaker) -> Iterator[Record]:
    """The record of a row with its pictures and the texts beside them; none if two pictures have a name."""
    named = _named_pictures(row, index, maker)
    for _, same in named:
        if len(same) > 1:
            maker.faults.add(ImportFault.IMAGE_TWICE, row.place, ", ".join(member.name for member in same))
            return
    if _wanted(row, maker.uses_of(row, has_pictures=True)):
        row = replace(row, missing=tuple(name for name, same in named if not same))
    for picture in (same[0] for _, same in named if same):
        index.use(picture)
        row = _with_texts(row, picture, folder, maker)
    if record := maker.record(row, has_pictures=True):
        yield record


def _pictures_alone(index: _PictureIndex, folder: _Folder, maker: RecordMaker) -> Iterator[Record]:
    for picture in folder.pictures:
        same = index.find(picture.stem, "")
        if len(same) > 1:
            others = ", ".join(member.name for member in same if member is not picture)
            maker.faults.add(ImportFault.IMAGE_TWICE, picture.name, others)
            continue
        row = _with_texts(Row(picture.name, {"file_name": picture.name}), picture, folder, maker)
        if record := maker.record(row, has_pictures=True):
            yield record


def _with_texts(row: Row, picture: ArchiveMember, folder: _Folder, maker: RecordMaker) -> Row:
    """The row with the picture after its others, and with the texts that stand beside the picture."""
    pairs: list[tuple[str, Any]] = list(row.values.items())
    for member in folder.beside.pop(_without_suffix(picture.name), ()):
        pairs += _texts_beside(member, maker)
    content = partial(ArchiveMember.read, picture, MAX_IMAGE_BYTES)
    return replace(row, values=dict(unique_keys(pairs)), pictures=(*row.pictures, content))


def _texts_beside(member: ArchiveMember, maker: RecordMaker) -> list[tuple[str, Any]]:
    """The fields of a text or a JSON object beside a picture; a fault if it is neither."""
    content = member.read(LONGEST_TEXT)
    try:
        if member.suffix != JSON:
            return [("caption", decoded(content.removeprefix(BYTE_ORDER_MARK), member.name).strip())]
        values = decode(content.decode("utf-8-sig"))
    except (NotText, ValueError, RecursionError) as error:
        maker.faults.add(ImportFault.FILE_NOT_READ, member.name, str(error))
        return []
    if isinstance(values, dict):
        return list(values.items())
    maker.faults.add(ImportFault.FILE_NOT_READ, member.name)
    return []
