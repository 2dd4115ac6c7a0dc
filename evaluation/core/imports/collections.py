"""Reads collections: a zip of images and captions, AToMiC's Parquet, captions only, or a list of docnos."""

from __future__ import annotations

from functools import partial
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any

import polars as pl

from evaluation.core.errors import InputError
from evaluation.core.images import MAX_IMAGE_BYTES, ImageUnreadable
from evaluation.core.imports.archives import ArchiveMember, members_of
from evaluation.core.imports.faults import ImportFault
from evaluation.core.imports.records import IMAGE, NAMES, Record, record_of
from evaluation.core.imports.text_files import json_objects, read_text_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from evaluation.core.imports.faults import Faults

IMAGE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
CAPTION_SUFFIXES = (".jsonl", ".ndjson")
ROWS = 1000  # of a Parquet file in memory at a time, with their images
ENGLISH = "en"
# AToMiC's columns that hold texts, in reading order (huggingface.co/TREC-AToMiC).
ATOMIC_IMAGES = (
    "caption_reference_description",
    "caption_alt_text_description",
    "caption_attribution_description",
)
ATOMIC_SECTIONS = (
    "page_title",
    "hierachy",  # as the data set spells it
    "section_title",
    "context_page_description",
    "context_section_description",
)


class NoCaptions(InputError):
    """The archive has neither captions nor images."""


class ParquetUnreadable(InputError):
    """The file is not a Parquet file, is damaged, or has no column of names."""


def read_collection(
    file: IO[bytes], path: str, faults: Faults, *, columns: Sequence[str] = ()
) -> Iterator[Record]:
    """Records of documents or topics; the file's first bytes decide the format: zip, Parquet or text.

    ``path`` is the path of the same bytes on disk, ``columns`` names the columns of a table without a header.
    Raises InputError for a file that cannot be read at all.
    """
    beginning = file.read(4)
    file.seek(0)
    if beginning == b"PK\3\4":
        return _folder(file, faults)
    if beginning == b"PAR1":
        return _parquet(path, faults)
    return read_text_records(file, faults, columns=columns)


def _folder(file: IO[bytes], faults: Faults) -> Iterator[Record]:
    """With captions, each caption line is a record; its field ``image``, else its name, names its image file.
    Without captions, each image is a record with the name of its file.
    """
    members = members_of(file)
    images = [member for member in members if member.suffix in IMAGE_SUFFIXES]
    captions = [member for member in members if member.suffix in CAPTION_SUFFIXES]
    if not images and not captions:
        raise NoCaptions(
            "The archive has no captions (.jsonl) and no images (.jpg, .png, .webp). Put them in."
        )
    if not captions:
        for image in images:
            yield Record(image.name, image.stem, picture=partial(ArchiveMember.read, image, MAX_IMAGE_BYTES))
        return
    index = _ImageIndex(images)
    for member in captions:
        for place, values in json_objects(member.blocks(), faults):
            where = f"{member.name}, {place}"
            if record := record_of(values, where, faults, picture=index.find(values, where, faults)):
                yield record
    for name in index.unused():
        faults.add(ImportFault.IMAGE_UNUSED, name)


class _ImageIndex:
    """The images of an archive by path, file name and stem, and which of them are used."""

    def __init__(self, images: list[ArchiveMember]) -> None:
        self._by_name: dict[str, ArchiveMember] = {}
        for image in images:
            for name in (image.stem, PurePosixPath(image.name).name, image.name):
                self._by_name[name] = image
        self._unused = dict.fromkeys(image.name for image in images)

    def find(self, values: Mapping[str, Any], place: str, faults: Faults) -> partial[bytes] | None:
        """The reader of the record's image; None without one, and a fault if a named image is missing."""
        wanted = values.get(IMAGE)
        name = wanted or next((values[each] for each in NAMES if each in values), "")
        found = self._by_name.get(str(name))
        if found is None:
            if wanted:
                faults.add(ImportFault.IMAGE_MISSING, place, str(wanted))
            return None
        self._unused.pop(found.name, None)
        return partial(ArchiveMember.read, found, MAX_IMAGE_BYTES)

    def unused(self) -> list[str]:
        return list(self._unused)


def _parquet(path: str, faults: Faults) -> Iterator[Record]:
    """One record per row: AToMiC's columns if present, else every text column.

    Captions are parallel lists with one entry per language: the English ones if there are any, else all.
    """
    try:
        table = pl.scan_parquet(path)
        schema = table.collect_schema()
        named = next((column for column in NAMES if column in schema), None)
        if named is None:
            raise ParquetUnreadable(
                f"No column of names among {', '.join(schema)}. Name one image_id, section_id or docno."
            )
        texts = _text_columns(schema, named)
        wanted = [
            named,
            *texts,
            *(each for each in ("language", IMAGE) if each in schema and each not in texts),
        ]
        row_count = table.select(pl.len()).collect().item()
        for start in range(0, row_count, ROWS):
            rows = table.select(wanted).slice(start, ROWS).collect()
            for number, row in enumerate(rows.iter_rows(named=True), start=start + 1):
                place = f"row {number:,}"
                values = {named: row[named]} | {each: _in_english(row, each) for each in texts}
                picture = _stored_image(row.get(IMAGE))
                if record := record_of(values, place, faults, name_field=named, picture=picture):
                    yield record
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        if "PyObject pointer is null" in str(error):  # Python had no memory for a value
            raise MemoryError from error
        raise ParquetUnreadable(f"The file cannot be read as Parquet ({error}). Write it again.") from error


def _text_columns(schema: pl.Schema, named: str) -> list[str]:
    for known in (ATOMIC_IMAGES, ATOMIC_SECTIONS):
        if found := [column for column in known if column in schema]:
            return found
    texts = (pl.String, pl.List(pl.String))
    return [column for column, kind in schema.items() if kind in texts and column != named]


def _in_english(row: Mapping[str, Any], column: str) -> Any:
    value, languages = row[column], row.get("language")
    if not isinstance(value, list) or not isinstance(languages, list) or len(value) != len(languages):
        return value
    english = [text for text, language in zip(value, languages, strict=True) if language == ENGLISH]
    return english or value


def _stored_image(value: Any) -> partial[bytes] | None:
    """AToMiC stores an image as bytes, or as Hugging Face's struct of bytes and path."""
    content = value.get("bytes") if isinstance(value, dict) else value
    return partial(_bytes_of, content) if content else None


def _bytes_of(content: object) -> bytes:
    if not isinstance(content, bytes):
        raise ImageUnreadable("A value of the column image is not bytes. Write the image files into it.")
    return content
