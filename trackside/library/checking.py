"""Public functions: the check of a run, the same as by ``trackside check`` and at an upload."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import polars as pl

from trackside.checks import DocnoFile, Verdict, check_run
from trackside.files.near_names import near_names
from trackside.files.streams import MAX_BYTES, Source, refuse_missing
from trackside.imports.readers import read_topics
from trackside.library.inputs import RunInput, read_run
from trackside.library.outputs import run_bytes


def check(
    run: RunInput,
    topics: Iterable[str | int] | str | Path,
    *,
    docnos: Iterable[str | int] | str | Path | None = None,
    tag: str | None = None,
    max_per_topic: int = 1000,
    tag_max: int = 50,
    max_bytes: int = MAX_BYTES,
) -> Verdict:
    """Return all faults of a run, as ``trackside check`` does.

    ``topics`` are the task's and ``docnos`` the collection's (not checked when None): names, or the path of
    a file: of topics in any format that imports read, of docnos one per line. ``tag`` is the tag that you
    will declare. ``max_per_topic`` limits the results per topic, ``tag_max`` the characters of the tag,
    ``max_bytes`` the unpacked bytes. The verdict has ``is_accepted``, ``faults``, ``warnings`` (each with
    ``code``, ``count``, ``examples`` and ``cure``) and a ``summary``. A fault of the run
    raises nothing; a missing file raises InputError.

    >>> verdict = check({"301": {"doc1": 0.5}}, topics=["301", "302"])
    >>> verdict.is_accepted
    False
    >>> [fault.title for fault in verdict.faults]
    ['Topic without results']
    """
    source = _source(run, tag)
    collection = None if docnos is None else _Docnos(docnos)
    return check_run(
        source,
        topics=read_topics(topics) if isinstance(topics, (str, Path)) else {str(topic) for topic in topics},
        docnos=collection.unknown if collection else None,
        near=collection.near if collection else None,
        tag=tag,
        max_per_topic=max_per_topic,
        tag_max=tag_max,
        max_bytes=max_bytes,
    )


def _source(run: RunInput, tag: str | None) -> Source:
    """Return the file itself, or the object as a run file."""
    if isinstance(run, (str, Path, bytes)) or hasattr(run, "read"):
        source = cast("Source", run)
        refuse_missing(source)
        return source
    return run_bytes(read_run(run, tag=tag))


class _Docnos:
    """The collection's docnos, from a file or from memory."""

    def __init__(self, docnos: Iterable[str | int] | str | Path) -> None:
        if isinstance(docnos, (str, Path)):
            file = DocnoFile(docnos)
            self.unknown: Any = file
            self.near: Any = file.near
            return
        series = pl.Series("docno", [str(docno) for docno in docnos], pl.String)
        self.unknown = lambda names: set(names) - set(series)
        self.near = lambda names: near_names(names, [series])
