"""The pairs to judge, and the topics, documents and pictures of their files."""

import hashlib
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack

from trackside.cli.files.inputs import read_runs
from trackside.errors import InputError
from trackside.files import Qrels
from trackside.files.streams import Blocks
from trackside.image_errors import ImageUnreadable
from trackside.images import MAX_SIDE, for_model, on_chosen_background, small_copy
from trackside.imports.faults import KINDS, Faults, ImportFault, decoded
from trackside.imports.readers import read_path
from trackside.imports.records import Record, RecordMaker, sound_records
from trackside.judging.inputs import Gap
from trackside.judging.pictures import as_changed, stored_key
from trackside.judging.settings import ORIGINAL, SMALL, Settings
from trackside.pooling.depth import depth_pool
from trackside.text.shown import visible_line

Pair = tuple[str, str]  # topic and docno
POOL_COLUMNS, QRELS_COLUMNS = 2, 4


def read_pairs(path: str | None, runs: Sequence[str], depth: int | None) -> list[Pair]:
    """Return the distinct pairs of a pool file or qrels, or of runs to a depth, in byte order."""
    if bool(path) == bool(runs):
        raise InputError("name the pairs once: --pairs FILE, or --runs RUN … with --depth K.")
    if path:
        return sorted(set(_pairs_of_file(path)))
    if depth is None:
        raise InputError("--runs needs --depth K: how many results of each topic are judged.")
    rankings = {run.tag: run.top(depth) for run in read_runs(runs)}
    pool = depth_pool(rankings, dict.fromkeys(rankings, depth))
    return [(topic, docno) for topic, docnos in sorted(pool.topics.items()) for docno in docnos]


def read_examples(path: str | None) -> dict[Pair, int]:
    """Return the grades of a qrels file by pair; empty without a file. Raises InputError."""
    items = Qrels.from_file(path).items() if path else ()
    return {(topic, docno): grade for topic, of_topic in items for docno, grade in of_topic.items()}


def _pairs_of_file(path: str) -> Iterator[Pair]:
    content = b"".join(Blocks(path))
    lines = [
        (number, line.split()) for number, line in enumerate(decoded(content, path).split("\n"), start=1)
    ]
    filled = [(number, columns) for number, columns in lines if columns]
    if filled and len(filled[0][1]) >= QRELS_COLUMNS:
        yield from (
            (topic, docno)
            for topic, grades in Qrels.from_file(content, name=path).items()
            for docno in grades
        )
        return
    if not filled:
        raise InputError(f"{path}: no pairs in it. Write a topic and a docno in each line.")
    for number, columns in filled:
        if len(columns) != POOL_COLUMNS:
            raise InputError(
                f"{path}, line {number:,}: {len(columns)} columns. A pool has two, topic and docno; "
                "qrels have four. Write one pair a line."
            )
        yield columns[0], columns[1]


def read_items(path: str, names: Collection[str], files: ExitStack, *, is_topics: bool) -> dict[str, Record]:
    """Return the named topics or documents of a file, an archive or a folder by name.

    ``files`` closes the archive, whose pictures are read later. Faults become warnings on standard error.
    Raises InputError for a path that cannot be read, and if it has none of the names.
    """
    first = ""
    items: dict[str, Record] = {}
    for record in _distinct(path, files, is_topics=is_topics):
        first = first or record.name
        if record.name in names:
            items[record.name] = record
    if not items:
        noun, known = ("topics", "topic") if is_topics else ("documents", "docno")
        begins = f"its first {known} is {visible_line(first)}" if first else "it has no usable record"
        raise InputError(
            f"{path}: none of the {noun} of the pairs, such as {min(names)}; {begins}. Write the names as in "
            "the pairs, or name another file."
        )
    return items


def read_every_item(path: str, files: ExitStack, *, is_topics: bool) -> dict[str, Record]:
    """Return all topics or documents by name, as ``read_items`` does. Raises InputError if there is none."""
    items = {record.name: record for record in _distinct(path, files, is_topics=is_topics)}
    if not items:
        raise InputError(f"{path}: it has no usable record. Name another file.")
    return items


def _distinct(path: str, files: ExitStack, *, is_topics: bool) -> Iterator[Record]:
    """Yield the sound records of a file, the first of each name; warn of the others at the end."""
    faults = Faults()
    records = read_path(path, RecordMaker(faults, is_topics=is_topics), files)
    seen: set[str] = set()
    for record in sound_records(records, faults, must_have_content=True):
        if record.name in seen:
            faults.add(ImportFault.NAME_TWICE, record.place, record.name)
        else:
            seen.add(record.name)
            yield record
    _warn(path, faults)


def _warn(path: str, faults: Faults) -> None:
    for kind, count in faults.counts.items():
        place, value = faults.examples[kind][0]
        text = KINDS[kind]
        line = f"{path}: {text.title} ({count:,}, first at {place}: {value}). {text.cure}"
        sys.stderr.write(f"warning: {visible_line(line)}\n")


def kind_of(topics: Mapping[str, Record], documents: Mapping[str, Record], kind: str | None) -> str:
    """Return the kind of the pairs, such as "text-to-image": by where the pictures are, if none is given."""
    has_pictures = [any(record.pictures for record in items.values()) for items in (topics, documents)]
    if kind is None and all(has_pictures):
        raise InputError(
            "topics and documents both have pictures. Say what is compared: --kind text-to-image, "
            "image-to-text or image-to-image."
        )
    sides = ["image" if has else "text" for has in has_pictures]
    return kind or "-to-".join(sides)


class Pictures:
    """Pictures by the SHA-256 of their files; each is read again when it is shown."""

    def __init__(self, settings: Settings, *, is_asked: bool) -> None:
        self._size, self._is_asked = settings.image_size, is_asked
        self._read: dict[str, Callable[[], bytes]] = {}

    def keys_of(self, record: Record) -> tuple[str, ...] | Gap:
        """Return the keys of a record's pictures in order; a gap if one cannot be read."""
        keys = []
        for read in record.pictures:
            try:
                key = hashlib.sha256(read()).hexdigest()
            except (InputError, OSError):
                return Gap.IMAGE_UNREADABLE
            self._read[key] = read
            keys.append(key)
        return tuple(keys)

    def shown(self, key: str) -> bytes | Gap:
        """Return the file that the judge is shown, in its size, on a site's background, as its key says."""
        try:
            content = on_chosen_background(self._read[stored_key(key)]())
            if self._size == SMALL:
                content = small_copy(content)
            elif self._is_asked:  # an encoder scales it
                side = MAX_SIDE if self._size == ORIGINAL else int(self._size)
                content = for_model(content, longest_side=side)
            return as_changed(content, key)
        except (InputError, ImageUnreadable, OSError):
            return Gap.IMAGE_UNREADABLE
