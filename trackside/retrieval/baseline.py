"""The implementation of `trackside baseline`: read both sides, rank, write a run."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np

from trackside.arrays import Floats
from trackside.backends.registry import backend_class, loaded_encoder
from trackside.errors import InputError
from trackside.grading.encoding import Encoding
from trackside.grading.pairs import Pictures, kind_of, read_every_item
from trackside.grading.questions import Plan
from trackside.imports.records import Record
from trackside.judging.inputs import Gap, Input, item_input
from trackside.judging.settings import CHUNK_MAX, CLIP_PRESETS, Settings
from trackside.retrieval.ranking import Ranked, bm25_rankings, vector_rankings
from trackside.text.counted import counted
from trackside.text.items_shown import show_item

Items = Mapping[str, Record]


def run_lines(arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the lines of the run. Raises InputError."""
    if arguments.tag.split() != [arguments.tag]:
        raise InputError("--tag: one word without blanks, as the last column of a run.")
    with ExitStack() as files:
        topics = read_every_item(arguments.topics, files, is_topics=True)
        documents = read_every_item(arguments.documents, files, is_topics=False)
        rank = _by_words if arguments.bm25 else _by_vectors
        rankings = list(rank(arguments, topics, documents))
    empty = [topic for topic, ranked in rankings if not ranked]
    if empty:
        sys.stderr.write(f"warning: {counted(len(empty), 'topic')} without a result, such as {empty[0]}\n")
    for topic, ranked in rankings:
        for rank_number, (docno, score) in enumerate(ranked, start=1):
            yield f"{topic} Q0 {docno} {rank_number} {score!r} {arguments.tag}"


def _by_words(arguments: argparse.Namespace, topics: Items, documents: Items) -> Iterable[tuple[str, Ranked]]:
    asked = _texts(topics, arguments.topic_fields, "topic")
    known = _texts(documents, arguments.document_fields, "document")
    rankings = bm25_rankings(list(asked.values()), list(known), list(known.values()), depth=arguments.depth)
    return zip(asked, rankings, strict=True)


def _texts(items: Items, fields: str | None, noun: str) -> dict[str, str]:
    """Return the chosen fields of each item as one text. Raises InputError if no item has any."""
    names = _chosen(items, fields, noun)
    texts = {
        name: "\n".join(text for field, text in record.fields if not names or field in names)
        for name, record in items.items()
    }
    if not any(texts.values()):
        raise InputError(f"no {noun} has a text. Use --clip for pictures.")
    return texts


def _chosen(items: Items, fields: str | None, noun: str) -> tuple[str, ...]:
    """Return the names of the option's fields. Raises InputError for one that no item has."""
    names = tuple(fields.split(",")) if fields else ()
    known = {field for record in items.values() for field, _ in record.fields}
    for name in names:
        if name not in known:
            raise InputError(
                f"no {noun} has the field {name}. The fields are: {', '.join(sorted(known)) or 'none'}."
            )
    return names


def _by_vectors(
    arguments: argparse.Namespace, topics: Items, documents: Items
) -> Iterable[tuple[str, Ranked]]:
    given = ((topics, arguments.topic_fields, "topic"), (documents, arguments.document_fields, "document"))
    chosen = [_chosen(*each) for each in given]
    settings = _settings(arguments)
    kind = kind_of(topics, documents, arguments.kind)
    kinds = backend_class(settings.backend).task_kinds
    if kind not in kinds:
        raise InputError(
            f"the files are {kind}, and {settings.backend} ranks {', '.join(sorted(kinds))}. Choose another "
            "encoder, or say what is compared: --kind."
        )
    (asked, of_topics), (known, of_documents) = (
        _vectors(
            replace(settings, text_fields=names or settings.text_fields), side, items, is_text=what == "text"
        )
        for names, (items, _, side), what in zip(chosen, given, kind.split("-to-"), strict=True)
    )
    return zip(asked, vector_rankings(of_topics, known, of_documents, depth=arguments.depth), strict=True)


def _settings(arguments: argparse.Namespace) -> Settings:
    """Return the pinned settings of the encoder."""
    backend = "clip" if arguments.clip else "sentences"
    reading: dict[str, Any] = {"prompt": arguments.prefix or ""}
    if backend == "clip":
        if arguments.preset not in CLIP_PRESETS:
            raise InputError(f"--preset {arguments.preset}: choose one of: {', '.join(CLIP_PRESETS)}.")
        reading = CLIP_PRESETS[arguments.preset].choices
    settings = Settings(
        backend=backend,
        revision=0,
        model=arguments.clip or arguments.sentences,
        model_revision=arguments.revision,
        image_size="small",
        **reading,
    )
    if settings.long_text == CHUNK_MAX:
        raise InputError("--preset: the nearest piece of a text has no one vector. Choose another preset.")
    return backend_class(backend).pinned(settings)


def _vectors(settings: Settings, side: str, items: Items, *, is_text: bool) -> tuple[list[str], Floats]:
    """Return the names of the items that have a vector, and the unit vectors; warn of the others."""
    pictures = Pictures(settings, is_asked=False)
    inputs: dict[str, Input | Gap] = {}
    for name, record in items.items():
        keys = () if is_text else pictures.keys_of(record)
        inputs[name] = (
            keys
            if isinstance(keys, Gap)
            else item_input(settings, side, show_item(record.fields), keys, is_asked=False, is_text=is_text)
        )
    encoder = loaded_encoder(settings)
    encoding = Encoding(Plan({}, {}), encoder, pictures, settings.long_text)
    readable = {name: item for name, item in inputs.items() if not isinstance(item, Gap)}
    vectors = encoding.vectors(list(readable.values()))
    found = [(name, vector) for name, vector in zip(readable, vectors, strict=True) if vector is not None]
    missing = len(items) - len(found)
    if missing:
        sys.stderr.write(f"warning: {counted(missing, side)} of {len(items):,} cannot be encoded\n")
    if not found:
        raise InputError(
            f"no {side} can be encoded. Choose fields that have texts, or pictures that can be read."
        )
    return [name for name, _ in found], np.array([vector for _, vector in found], dtype=np.float64)
