"""Files of topics and documents, as streams: docnos, texts, and zips of pictures, which imports can read."""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import quote

import numpy as np
from django.db.models import QuerySet

from evaluation.collections.blobs import Blob, Image
from evaluation.collections.corpora import Corpus
from evaluation.collections.models import Collection, Document
from trackside.text.json_lines import json_parts

CHUNK = 1_000  # rows of a query
PART = 10_000  # documents of a zip: the list of its files is kept in memory until its end
BYTES = 1 << 20
MADE_AT = (2000, 1, 1, 0, 0, 0)  # of all files in zips, so that equal content gives equal bytes
LONGEST = 200  # characters of a file's name
SUFFIXES = {b"\xff\xd8": ".jpg", b"\x89P": ".png", b"RI": ".webp"}  # by the first two bytes


@dataclass(frozen=True)
class DocumentFiles:
    """What a reader may download of a collection: its texts and zips of its pictures, or their address."""

    is_shared: bool
    address: str
    zip_count: int

    @property
    def zips(self) -> range:
        """Return the numbers of the zips."""
        return range(1, self.zip_count + 1)


def document_files(collection: Collection) -> DocumentFiles:
    """Return what the organizers share of a collection; zips only if it has pictures."""
    documents = collection.documents.all()
    has_zips = collection.is_shared and documents.filter(image__isnull=False).exists()
    return DocumentFiles(collection.is_shared, collection.address, count_parts(documents) if has_zips else 0)


def count_parts(documents: QuerySet[Document]) -> int:
    """Return the number of zips of these documents."""
    return -(-documents.count() // PART)


def docno_lines(documents: QuerySet[Document]) -> Iterator[str]:
    """Yield the docnos, one per line, many lines at a time, because each part is compressed alone."""
    rows = documents.order_by("docno").values_list("docno", flat=True).iterator(chunk_size=CHUNK)
    while part := list(islice(rows, CHUNK)):
        yield "".join(f"{docno}\n" for docno in part)


def corpus_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the docnos of the corpus as ``docno_lines`` does."""
    documents = Document.objects.filter(collection=corpus.collection_id).order_by("docno")
    rows = documents.values_list("docno", "pk").iterator(chunk_size=CHUNK)
    while part := list(islice(rows, CHUNK)):
        is_in = corpus.holds(np.array([key for _, key in part]))
        yield "".join(f"{docno}\n" for (docno, _), is_member in zip(part, is_in, strict=True) if is_member)


def document_lines(documents: QuerySet[Document]) -> Iterator[str]:
    """Yield the documents as JSON lines in the format of imports: id and texts."""
    rows = documents.order_by("docno").values_list("docno", "fields").iterator(chunk_size=CHUNK)
    return json_parts(item_record(docno, fields) for docno, fields in rows)


def item_record(name: str, fields: list[tuple[str, str]], **more: str) -> dict[str, Any]:
    """Return a topic or document as a record of an import; of ``more`` what is not empty."""
    record = {"id": name} | {key: text for key, text in fields if key != "id"}
    return record | {key: text for key, text in more.items() if text}


def pictured_records(
    items: QuerySet[Any], name: str, *more: str
) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield the records of items with images, and the keys of the originals' blobs in order.

    ``name`` is the items' column of names, ``more`` are further columns of the records.
    """
    rows = items.values_list(name, "fields", "image__original", "more_images", *more).iterator(CHUNK)
    while part := list(islice(rows, CHUNK)):
        others = {key for _, _, _, keys, *_ in part for key in keys}
        originals = dict(Image.objects.filter(pk__in=others).values_list("pk", "original"))
        for item, fields, first, keys, *values in part:
            if first:
                record = item_record(item, fields, **dict(zip(more, values, strict=True)))
                yield record, [first, *(originals[key] for key in keys)]


def pictures_zip(records: Iterable[tuple[dict[str, Any], Sequence[str]]], name: str) -> Iterator[bytes]:
    """Yield a zip of pictures as imported, and the records that name them as ``name``, which imports read.

    ``records`` have an ``id``, with the keys of the originals' blobs. Raises FileNotFoundError if the bytes
    of a picture are missing.
    """
    sink = _Sink()
    with TemporaryFile() as lines, zipfile.ZipFile(sink, "w", zipfile.ZIP_STORED) as archive:
        for record, originals in records:
            pictures = []
            for number, original in enumerate(originals, start=1):
                with Blob(sha256=original).open() as content:
                    first = content.read(BYTES)
                    pictures.append(file_name(record["id"], first, number))
                    with archive.open(zipfile.ZipInfo(pictures[-1], MADE_AT), "w") as target:
                        while first:
                            target.write(first)
                            yield sink.taken()
                            first = content.read(BYTES)
            image = named_images(pictures)
            lines.write(json.dumps(record | {"image": image}, ensure_ascii=False).encode() + b"\n")
        lines.seek(0)
        with archive.open(zipfile.ZipInfo(name, MADE_AT), "w", force_zip64=True) as target:
            while part := lines.read(BYTES):
                target.write(part)
                yield sink.taken()
    yield sink.taken()


class _Sink:
    """A file that keeps what is written until it is taken; it cannot seek."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Nothing is buffered."""

    close = flush

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def named_images(names: list[str]) -> str | list[str]:
    """Return the files of an item's images as imports read them: a name, or a list of several."""
    return names if len(names) > 1 else names[0]


def file_name(name: str, content: bytes, number: int = 1) -> str:
    """Return the name of a picture's file: the item's, percent-encoded, or the hash of a long one.

    From the second picture on it ends with "+" and the picture's number: encoded names have no "+".
    """
    safe = quote(name, safe="")
    stem = safe if len(safe) <= LONGEST else hashlib.sha256(name.encode()).hexdigest()
    stem += f"+{number}" if number > 1 else ""
    return stem + SUFFIXES.get(content[:2], ".jpg")
