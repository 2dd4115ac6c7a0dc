"""Rows of zip archives: pictures, files of records that name them, and texts beside them."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, groupby
from pathlib import Path, PurePosixPath
from typing import IO, Any
from urllib.parse import unquote

from trackside.errors import InputError
from trackside.files.near_names import hinted, near_names
from trackside.files.streams import BYTE_ORDER_MARK
from trackside.image_errors import MAX_IMAGE_BYTES
from trackside.imports.archives import Member, members_of, members_of_folder
from trackside.imports.faults import EXAMPLES, Faults, ImportFault, NoRecords, NotText, decoded
from trackside.imports.fields import Row, Uses, unique_keys
from trackside.imports.json_files import decode
from trackside.imports.parquet import parquet_rows
from trackside.imports.records import IMAGE_SUFFIXES, Record, RecordMaker, name_of, picture_names
from trackside.imports.text_files import rows_of_blocks, text_rows
from trackside.lazy_polars import pl

PARQUET = ".parquet"
RECORD_SUFFIXES = (".jsonl", ".ndjson", ".csv", ".tsv", ".xml", PARQUET)
JSON = ".json"
TEXT_SUFFIXES = (".txt", ".caption")
OPTIONAL_SUFFIXES = (JSON, *TEXT_SUFFIXES)
PACKED = (".gz", ".bz2", ".zst")
OTHER_PICTURES = """
    .gif .tif .tiff .bmp .svg .heic .heif .avif .jp2 .j2k .ico .psd .ppm .pgm .pbm .pnm .tga .raw .dng
"""
MOST_UNFOUND = 1_000  # ids that are compared with unused pictures
LONGEST_TEXT = 10_000_000  # bytes of a text beside a picture
_PADDING = re.compile(r"\A0+(?=[0-9])")


def folder_records(file: IO[bytes], maker: RecordMaker, columns: Sequence[str]) -> Iterator[Record]:
    """The records of an archive.

    A row of a .jsonl, .csv, .tsv, .json, .xml or .parquet file is a record and names its picture; successive
    rows whose only name is the same picture are one record, with "caption 1", "caption 2". Without such rows
    each picture is a record with the name of its file, and with the texts of the .txt and .json of the same
    name. Every other member is a fault.
    """
    yield from _Folder(members_of(file), maker, columns).records()


def records_of_folder(folder: Path, maker: RecordMaker) -> Iterator[Record]:
    """The records of a folder, read as an archive of its files. Raises InputError as ``folder_records``."""
    yield from _Folder(members_of_folder(folder), maker, ()).records()


class _Folder:
    """The members of an archive by their use; knows which pictures no record has so far."""

    def __init__(self, members: Sequence[Member], maker: RecordMaker, columns: Sequence[str]) -> None:
        self._maker, self._columns = maker, columns
        self._pictures = {member.name: member for member in members if member.suffix in IMAGE_SUFFIXES}
        self._unused = dict.fromkeys(self._pictures)
        self._by_name: dict[str, list[Member]] = {}
        self._by_form: dict[str, list[Member]] = {}
        for picture in self._pictures.values():
            for name in {picture.stem, PurePosixPath(picture.name).name}:
                self._by_name.setdefault(name, []).append(picture)
            for form in {_form(name) for name in _ends(picture.name)}:
                self._by_form.setdefault(form, []).append(picture)
        self._unfound: list[str] = []  # ids of records that name no picture, the first ones
        self._listings: list[Member] = []
        self._beside: dict[str, list[Member]] = {}  # texts of pictures, by path without suffix
        stems = set(map(_without_suffix, self._pictures))
        for member in members:
            stem = _without_suffix(member.name)
            if member.suffix in IMAGE_SUFFIXES:
                continue
            if member.suffix in OPTIONAL_SUFFIXES and stem in stems:
                self._beside.setdefault(stem, []).append(member)
            elif _unpacked_suffix(member) in (*RECORD_SUFFIXES, *OPTIONAL_SUFFIXES):
                self._listings.append(member)
            else:
                is_picture = member.suffix in OTHER_PICTURES.split()
                kind = ImportFault.IMAGE_FORMAT if is_picture else ImportFault.FILE_NOT_READ
                maker.faults.add(kind, member.name)

    def records(self) -> Iterator[Record]:
        """The records in order. Raises no-captions."""
        has_rows, faults = False, self._maker.faults
        for member in self._listings:
            for row in _joined(self._member_rows(member), self._maker):
                has_rows = True
                yield from self._with_picture(row)
        if has_rows:
            self._note_unused()
        elif self._pictures:
            yield from self._pictures_alone()
        elif not faults.counts.get(ImportFault.IMAGE_FORMAT):
            raise InputError(
                "The archive has no captions (.jsonl, .csv) and no images (.jpg, .png, .webp). Put them in.",
                code="no-captions",
            )
        for member in chain.from_iterable(self._beside.values()):
            faults.add(ImportFault.FILE_NOT_READ, member.name)

    def _find(self, name: str, folder: str) -> list[Member]:
        """The picture at the path, from the folder or the top; else all of this file name or stem.

        Without one, all whose name differs in the form of its letters only, or in zeros before a number.
        """
        for path in (str(PurePosixPath(folder, name)), name.removeprefix("./")):
            if path in self._pictures:
                return [self._pictures[path]]
        if same := self._by_name.get(PurePosixPath(name).name if "/" in name else name):
            return same
        forms = (_form(end) for end in _ends(name))
        return next((self._by_form[form] for form in forms if form in self._by_form), [])

    def _hinted(self, name: str) -> str:
        """The name of a missing picture, with one that was probably meant."""
        examples = self._maker.faults.examples
        if len(examples.get(ImportFault.IMAGE_MISSING, ())) >= EXAMPLES:
            return name
        return hinted(name, near_names([name], [pl.Series(list(self._pictures), dtype=pl.String)]))

    def _note_unused(self) -> None:
        """Count the pictures that no record has, first those that the id of a record probably means."""
        near = near_names(self._unfound, [pl.Series(list(self._unused), dtype=pl.String)])
        hints = {picture: hinted(name, near) for name, picture in near.items()}
        for picture in sorted(self._unused, key=lambda name: name not in hints):
            self._maker.faults.add(ImportFault.IMAGE_UNUSED, picture, hints.get(picture, ""))

    def _member_rows(self, member: Member) -> Iterator[Row]:
        """The rows of a member, with its name in their places.

        A .txt or .json that names no picture is a fault: many archives hold a README or a list of classes.
        """
        is_optional = _unpacked_suffix(member) in OPTIONAL_SUFFIXES
        folder, faults = str(PurePosixPath(member.name).parent), self._maker.faults
        found = Faults() if is_optional else faults
        rows = (
            replace(row, place=f"{member.name}, {row.place}", folder=folder)
            for row in self._rows(member, found)
        )
        if not is_optional:
            yield from self._maker.prepare(rows, names_picture=self._names_picture)
            return
        try:
            listed = list(self._maker.prepare(rows, found, names_picture=self._names_picture))
        except (NoRecords, NotText) as error:
            faults.add(ImportFault.FILE_NOT_READ, member.name, str(error))
            return
        if any(map(self._is_used, listed)):
            faults.add_values(found.to_values())
            yield from listed
        else:
            message = "No record in it names an image." if self._pictures else "No record in it has an id."
            faults.add(ImportFault.FILE_NOT_READ, member.name, message)

    def _is_used(self, row: Row) -> bool:
        """Whether the row of a .txt or .json is a record: it names a picture, or the archive has none."""
        if not self._pictures:
            return bool(name_of(row, self._maker.uses_of(row, has_pictures=True)))
        return any(same for _, same in self._named_pictures(row))

    def _rows(self, member: Member, faults: Faults) -> Iterator[Row]:
        columns = self._columns
        if member.suffix == PARQUET:
            yield from parquet_rows(member.read(), faults, self._maker.choice)
        elif member.suffix in PACKED:
            yield from text_rows(member.read(), faults, columns=columns)
        elif member.suffix == JSON:  # often one line of many megabytes
            yield from rows_of_blocks([member.read().removeprefix(BYTE_ORDER_MARK)], member.name, faults)
        else:
            yield from rows_of_blocks(member.blocks(), member.name, faults, columns=columns)

    def _names_picture(self, row: Row, value: Any) -> bool:
        return any(self._find(name, row.folder) for name in picture_names(value))

    def _named_pictures(self, row: Row) -> list[tuple[str, list[Member]]]:
        """The pictures that each name of the row may mean: by its field of pictures, else by its own name."""
        uses = self._maker.uses_of(row, has_pictures=True)
        names = _wanted(row, uses) or (name_of(row, uses),)
        return [(name, self._find(name, row.folder)) for name in names]

    def _with_picture(self, row: Row) -> Iterator[Record]:
        """The record of a row with its pictures and the texts beside them; none if a name means two."""
        named = self._named_pictures(row)
        for _, same in named:
            if len(same) > 1:
                names = ", ".join(member.name for member in same)
                self._maker.faults.add(ImportFault.IMAGE_TWICE, row.place, names)
                return
        if _wanted(row, self._maker.uses_of(row, has_pictures=True)):
            row = replace(row, missing=tuple(self._hinted(name) for name, same in named if not same))
        elif len(self._unfound) < MOST_UNFOUND:
            self._unfound += [name for name, same in named if not same]
        for picture in (same[0] for _, same in named if same):
            self._unused.pop(picture.name, None)
            row = self._with_texts(row, picture)
        if record := self._maker.record(row, has_pictures=True):
            yield record

    def _pictures_alone(self) -> Iterator[Record]:
        for picture in self._pictures.values():
            same = self._find(picture.stem, "")
            if len(same) > 1:
                others = ", ".join(member.name for member in same if member is not picture)
                self._maker.faults.add(ImportFault.IMAGE_TWICE, picture.name, others)
                continue
            row = self._with_texts(Row(picture.name, {"file_name": picture.name}), picture)
            if record := self._maker.record(row, has_pictures=True):
                yield record

    def _with_texts(self, row: Row, picture: Member) -> Row:
        """The row with the picture after its others, and with the texts that stand beside the picture."""
        pairs: list[tuple[str, Any]] = list(row.values.items())
        for member in self._beside.pop(_without_suffix(picture.name), ()):
            pairs += _texts_beside(member, self._maker)
        content = partial(picture.read, MAX_IMAGE_BYTES)
        return replace(row, values=dict(unique_keys(pairs)), pictures=(*row.pictures, content))


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


def _form(name: str) -> str:
    """The name of a file without what systems change: accents, case, %20, and zeros before a number."""
    form = unicodedata.normalize("NFC", unquote(name)).casefold()
    stem, dot, suffix = form.rpartition(".")
    return _PADDING.sub("", stem) + dot + suffix if dot else _PADDING.sub("", form)


def _ends(name: str) -> tuple[str, ...]:
    """The path of a file, its name, and its name without suffix."""
    path = PurePosixPath(unquote(name).replace("\\", "/"))
    is_file = path.suffix.lower() in IMAGE_SUFFIXES
    return (str(path), path.name, *([path.stem] if is_file else []))


def _without_suffix(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))


def _unpacked_suffix(member: Member) -> str:
    path = PurePosixPath(member.name)
    return (path.with_suffix("") if member.suffix in PACKED else path).suffix.lower()


def _wanted(row: Row, uses: Uses) -> tuple[str, ...]:
    return picture_names(row.values[uses.picture]) if uses.picture else ()


def _texts_beside(member: Member, maker: RecordMaker) -> list[tuple[str, Any]]:
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
