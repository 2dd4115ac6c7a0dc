"""What public functions take: runs and qrels as files, dictionaries, frames and objects of ranx."""

import copy
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

from trackside.errors import InputError
from trackside.files import Oddity, Qrels, Rankings
from trackside.files.in_memory import DataFrameLike
from trackside.files.streams import Source, file_stem
from trackside.measuring import Evaluation

RunInput: TypeAlias = Rankings | Source | Mapping[Any, Any] | DataFrameLike
"""A run in any form that ``read_run`` reads; ranx's Run is one of them."""

QrelsInput: TypeAlias = Qrels | Source | Mapping[Any, Any] | DataFrameLike
"""Qrels in any form that ``read_qrels`` reads; ranx's Qrels are one of them."""

# Column names of our frames, PyTerrier, ir_measures and ir_datasets; the first that a frame has is used.
_COLUMNS = {
    "topic": ("topic", "qid", "query_id", "q_id", "topic_id"),
    "docno": ("docno", "doc_id", "docid"),
    "score": ("score",),
    "grade": ("grade", "relevance", "label", "rel"),
}
Content = TypeVar("Content", Rankings, Qrels)


class OddLines(UserWarning):
    """Malformed lines of a file that were read as trec_eval reads them."""


class IdsDoNotMeet(UserWarning):
    """A run has no or few topics or documents in common with qrels, so its values are hardly meaningful."""


def read_run(source: RunInput, *, tag: str | None = None, single: bool = False) -> Rankings:
    """One run, sorted as trec_eval sorts it: score descending, equal scores by docno descending.

    ``source`` is one of
    - a path, bytes or binary stream of a TREC run file, plain or packed; "-" is standard input;
    - ``{topic: {docno: score}}``, as of pytrec_eval;
    - a frame of polars or pandas with columns topic, docno and score (or qid, query_id, doc_id ... as other
      tools name them);
    - a Run of ranx.

    ``tag`` names the run; by default its tag in the file, its name in ranx, or "run". ``single`` compares
    scores as 32-bit numbers, as trec_eval 9 and pytrec_eval do. NaN ranks last. Numbers may name topics.
    Malformed lines that trec_eval accepts are reported as ``OddLines`` warnings.
    Raises InputError.

    >>> run = read_run({"301": {"doc1": 0.5, "doc2": 0.7}}, tag="bm25")
    >>> run, run["301"]
    (<Rankings bm25: 2 results of 1 topic>, {'doc2': 0.7, 'doc1': 0.5})
    """
    if isinstance(source, Rankings):
        return _renamed(source, tag) if tag else source
    if _is_file(source):
        run = Rankings.from_file(cast("Source", source), tag=tag, single=single)
        _warn(run.tag, run.oddities)
        return run
    name = tag or getattr(source, "name", None) or "run"
    return _created(Rankings, source, "a run", tag=name, single=single)


def read_qrels(source: QrelsInput, *, name: str | None = None, is_sampled: bool = False) -> Qrels:
    """Qrels: grades by topic and docno; a negative grade means in the pool, but not judged.

    ``source`` has one of the forms that ``read_run`` reads, with grades (whole numbers; the column may be
    called relevance or label) instead of scores. ``is_sampled`` reads a file of prels: topic, iteration,
    docno, stratum, grade. ``name`` is their name in results; by default that of the file or of ranx's Qrels,
    or "qrels". Raises InputError.

    >>> qrels = read_qrels({301: {"doc1": 2, "doc2": 0}}, name="people")
    >>> qrels.name, qrels.to_dict()
    ('people', {'301': {'doc1': 2, 'doc2': 0}})
    """
    if isinstance(source, Qrels):
        return _renamed(source, name) if name else source
    if _is_file(source):
        stem = file_stem(str(source)) if isinstance(source, (str, Path)) else "qrels"
        qrels = Qrels.from_file(cast("Source", source), name=name or stem, is_sampled=is_sampled)
        _warn(qrels.name, qrels.oddities)
        return qrels
    return _created(Qrels, source, "qrels", name=name or getattr(source, "name", None) or "qrels")


def each_run(runs: Any, *, single: bool = False) -> Iterator[Rankings]:
    """One run, several, or a mapping of names to runs, one after another. Raises InputError.

    If an earlier run has the same tag, a file's run gets the name of the file, as on the command line.
    """
    tags: set[str] = set()
    for name, source in _named(runs):
        run = read_run(source, tag=name, single=single)
        if not name and run.tag in tags and isinstance(source, (str, Path)):
            run = _renamed(run, file_stem(str(source)))
        if run.tag in tags:
            raise InputError(f"two runs are called {run.tag}. Name them: {{'name': run, ...}}.")
        tags.add(run.tag)
        yield run


def each_qrels(qrels: Any) -> list[Qrels]:
    """One set of qrels, several, or a mapping of names to qrels. Raises InputError."""
    sets = [read_qrels(source, name=name) for name, source in _named(qrels)]
    names = [qrels.name for qrels in sets]
    if duplicates := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two qrels are called {duplicates[0]}. Name them: {{'name': qrels, ...}}.")
    return sets


def _named(sources: Any) -> Iterator[tuple[str | None, Any]]:
    if _is_one(sources):
        yield None, sources
    elif isinstance(sources, Mapping):
        yield from ((str(name), source) for name, source in sources.items())
    else:
        yield from ((None, source) for source in sources)


def _is_one(source: Any) -> bool:
    """Whether this is one run or one set of qrels, rather than several.

    ``{"clip": {}}`` is one run without results, not the results of one topic.
    """
    if isinstance(source, Mapping):
        is_one = isinstance(source, (Rankings, Qrels)) or _is_nested(source)
        return is_one and (not source or any(source.values()))
    return _is_file(source) or _is_frame(source) or _is_of(source, "ranx")


def _is_file(source: Any) -> bool:
    return isinstance(source, (str, Path, bytes)) or hasattr(source, "read")


def _is_nested(source: Any) -> bool:
    """Whether it maps topics to mappings of docnos to numbers."""
    return (
        isinstance(source, Mapping)
        and all(isinstance(inner, Mapping) for inner in source.values())
        and not any(isinstance(value, Mapping) for inner in source.values() for value in inner.values())
    )


def _is_frame(source: Any) -> bool:
    return hasattr(source, "columns") and hasattr(source, "__getitem__")


def _is_of(source: object, package: str) -> bool:
    """Whether the object's class is from a package; does not import the package."""
    return type(source).__module__.partition(".")[0] == package


def _created(kind: type[Content], source: Any, noun: str, **options: Any) -> Content:
    """Create a run or qrels of a dictionary, a frame or an object of ranx. Raises InputError."""
    if _is_of(source, "ranx"):
        source = source.to_dict()
    if _is_nested(source):
        return kind.from_dict(source, **options)
    if not _is_frame(source):
        raise InputError(
            f"a {type(source).__name__} is not {noun}. Give a path, {{topic: {{docno: number}}}}, a frame of "
            "polars or pandas, or an object of ranx."
        )
    columns, fields = list(source.columns), ("topic", "docno", "score" if kind is Rankings else "grade")
    names = {name: next((other for other in _COLUMNS[name] if other in columns), "") for name in fields}
    if missing := [name for name in fields if not names[name]]:
        raise InputError(
            f"no column {missing[0]} (or {', '.join(_COLUMNS[missing[0]][1:]) or 'of another name'}) for "
            f"{noun}; there are {', '.join(map(str, columns)) or 'none'}. Rename the column."
        )
    return kind.from_frame(source, **{**names, **options})


def _renamed(thing: Any, name: str) -> Any:
    """A shallow copy under another name; the arrays are shared."""
    renamed = copy.copy(thing)
    setattr(renamed, "tag" if isinstance(thing, Rankings) else "name", name)
    return renamed


def warn_of_ids(evaluation: Evaluation) -> None:
    """Issue a warning for each run whose ids hardly meet those of qrels."""
    for meeting in (meeting for of_run in evaluation.meetings for meeting in of_run):
        if meeting.line:
            warnings.warn(f"{meeting.run} under {meeting.qrels}: {meeting.line}", IdsDoNotMeet, stacklevel=3)


def _warn(name: str, oddities: Iterable[Oddity]) -> None:
    for oddity in oddities:
        warnings.warn(f"{name}: {oddity}", OddLines, stacklevel=3)
