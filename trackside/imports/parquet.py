"""Rows of Parquet files, such as AToMiC's."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import polars as pl

from trackside.errors import InputError
from trackside.image_errors import ImageUnreadable
from trackside.imports.faults import Faults, ImportFault
from trackside.imports.field_names import ATTRIBUTE, IMAGE, IMAGES, NAMES, OTHER_LANGUAGES, find_key
from trackside.imports.fields import FieldChoice, Row

ROWS = 1000  # of a Parquet file in memory at a time, with their images
ENGLISH = "en"
LANGUAGE = "language"
# AToMiC's columns that hold texts, in reading order (huggingface.co/TREC-AToMiC); others follow.
READING_ORDER = (
    "caption_reference_description",
    "caption_alt_text_description",
    "caption_attribution_description",
    "page_title",
    "hierachy",  # as the data set spells it
    "section_title",
    "context_page_description",
    "context_section_description",
)


def parquet_rows(path: str | bytes, faults: Faults, choice: FieldChoice) -> Iterator[Row]:
    """One row per row of the file or bytes, with AToMiC's columns first.

    A column that holds no text is a fault. The column of pictures is the chosen one, else ``image``.
    """
    try:
        table = pl.scan_parquet(path)
        schema = table.collect_schema()
        if len(schema) < 2 and not find_key(schema, NAMES):
            raise InputError(
                f"No column of names among {', '.join(schema)}. Name one image_id, section_id or docno.",
                code="parquet-unreadable",
            )
        # Hugging Face has lists of pictures in ``images``.
        has_lists = IMAGE not in schema and IMAGES in schema and not _is_text(schema[IMAGES])
        image = (
            choice.picture if choice.picture and choice.picture in schema else IMAGES if has_lists else IMAGE
        )
        ordered = [*(column for column in READING_ORDER if column in schema), *schema]
        columns = [column for column in dict.fromkeys(ordered) if column == image or _is_text(schema[column])]
        _note_unread(table, [column for column in schema if column not in columns], schema, faults)
        row_count = table.select(pl.len()).collect().item()
        for start in range(0, row_count, ROWS):
            rows = table.select(columns).slice(start, ROWS).collect()
            for number, row in enumerate(rows.iter_rows(named=True), start=start + 1):
                pictures, missing = _stored_images(row.get(image))
                yield Row(f"row {number:,}", _texts(row, image), pictures=pictures, missing=missing)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        if "PyObject pointer is null" in str(error):  # Python had no memory for a value
            raise MemoryError from error
        raise InputError(
            f"The file cannot be read as Parquet ({error}). Write it again.", code="parquet-unreadable"
        ) from error


def _is_text(kind: pl.DataType) -> bool:
    """Whether values of the column are texts, numbers, dates or lists of them."""
    if isinstance(kind, pl.List | pl.Array):
        return _is_text(kind.inner)  # type: ignore[arg-type]
    return (
        kind.is_numeric()
        or kind.is_temporal()
        or kind in (pl.String, pl.Boolean, pl.Categorical, pl.Enum, pl.Null)
    )


def _note_unread(table: pl.LazyFrame, columns: list[str], schema: pl.Schema, faults: Faults) -> None:
    """Add a fault for each value of the columns that hold no text."""
    if not columns:
        return
    counts = table.select(pl.col(columns).count()).collect().row(0)
    for column, count in zip(columns, counts, strict=True):
        if count:
            faults.add(ImportFault.FIELD_NOT_TEXT, f"column {column}", str(schema[column]), count=count)


def _texts(row: Mapping[str, Any], image: str) -> dict[str, Any]:
    """The row's values.

    AToMiC's captions are parallel lists with one entry per language. The English ones are shown, if there are
    any, and the others are fields to be left out. The language is shown where it is not English alone.
    """
    values: dict[str, Any] = {}
    languages, is_foreign = row.get(LANGUAGE), False
    for column, value in row.items():
        if column == LANGUAGE:
            continue
        if column == image:
            parts = [part for part in _parts(value) if isinstance(part, dict) and part.get("path")]
            if is_there := [part["path"] for part in parts if part.get("bytes")]:
                values[f"{image}{ATTRIBUTE}path"] = is_there if len(is_there) > 1 else is_there[0]
            if missing := [part["path"] for part in parts if not part.get("bytes")]:
                values[IMAGE if image == IMAGES else image] = missing
            continue
        values[column] = _plain(value)
        if isinstance(value, list) and isinstance(languages, list) and len(value) == len(languages):
            pairs = list(zip(value, languages, strict=True))
            english = [text for text, language in pairs if text is not None and language == ENGLISH]
            others = [text for text, language in pairs if text is not None and language != ENGLISH]
            is_foreign |= bool(others and not english)
            if english:
                values |= {column: english, column + OTHER_LANGUAGES: others}
    if LANGUAGE in row:
        is_shown = is_foreign or not isinstance(languages, list)
        values[LANGUAGE if is_shown else ATTRIBUTE + LANGUAGE] = languages
    return values


def _plain(value: Any) -> Any:
    """Dates and decimals as text."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def _parts(value: Any) -> list[Any]:
    """The images of a value, without nulls."""
    return [part for part in (value if isinstance(value, list) else [value]) if part]


def _stored_images(value: Any) -> tuple[tuple[partial[bytes], ...], tuple[str, ...]]:
    """The images of a value, and the paths of those without bytes.

    AToMiC stores an image as bytes, or as Hugging Face's struct of bytes and path; several are a list.
    """
    pictures: list[partial[bytes]] = []
    missing: list[str] = []
    for part in _parts(value):
        content = part.get("bytes") if isinstance(part, dict) else part
        if content:
            pictures.append(partial(_bytes_of, content))
        elif path := part.get("path"):
            missing.append(str(path))
    return tuple(pictures), tuple(missing)


def _bytes_of(content: object) -> bytes:
    if not isinstance(content, bytes):
        raise ImageUnreadable("A value of the column image is not bytes. Write the image files into it.")
    return content
