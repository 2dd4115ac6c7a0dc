"""Pools, as by ``trackside pool``."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING

from trackside.errors import InputError
from trackside.library.inputs import each_run
from trackside.pooling.depth import depth_pool

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from trackside.library.inputs import RunInput
    from trackside.pooling.depth import DepthPool


def pool(
    runs: Iterable[RunInput] | Mapping[str, RunInput], depth: int, *, depths: Mapping[str, int] | None = None
) -> DepthPool:
    """Return the union of the first ``depth`` documents of each topic of each run.

    ``depths`` overrides the depth of single runs, by tag; 0 leaves one out. The result has ``topics`` (docnos
    by topic, in byte order), ``contributions`` (by run), ``size``, ``overlap``, ``unique_to_runs()``,
    ``unique_to(teams)`` and ``to_frame(seed)``: topic and docno in the order to show them. Raises InputError.

    >>> found = pool({"one": {"1": {"a": 3, "b": 2}}, "two": {"1": {"c": 3, "b": 2}}}, 1)
    >>> found.topics, found.size, found.overlap
    ({'1': ('a', 'c')}, 2, 0.0)
    """
    own = dict(depths or {})
    for each in (depth, *own.values()):
        if not isinstance(each, Integral) or each < 0:
            raise InputError(f"depth {each!r}: give a pool depth of 0 or more.")
    deepest = max(depth, *own.values(), 0)
    rankings = {run.tag: run.top(deepest) for run in each_run(runs)}
    if strangers := [tag for tag in own if tag not in rankings]:
        raise InputError(f"no run has the tag {strangers[0]}; there are {', '.join(rankings)}.")
    return depth_pool(rankings, {tag: own.get(tag, depth) for tag in rankings})
