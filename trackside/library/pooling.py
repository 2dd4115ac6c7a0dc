"""Pools, as by ``trackside pool``."""

from collections.abc import Iterable, Mapping
from numbers import Integral

from trackside.errors import InputError
from trackside.library.inputs import RunInput, each_run
from trackside.pooling.depth import DepthPool, depth_pool


def pool(
    runs: Iterable[RunInput] | Mapping[str, RunInput], depth: int, *, depths: Mapping[str, int] | None = None
) -> DepthPool:
    """Return the union of the first ``depth`` documents of each topic of each run.

    ``depths`` overrides the depth of single runs, by tag; 0 leaves one out. The result has ``topics`` (docnos
    by topic, in byte order), ``contributions`` (by run), ``size``, ``overlap``, ``unique_to_runs()``,
    ``unique_to(teams)`` and ``to_frame(seed)``: topic and docno in the order to show them. Raises InputError.

    >>> result = pool({"one": {"1": {"a": 3, "b": 2}}, "two": {"1": {"c": 3, "b": 2}}}, 1)
    >>> result.topics, result.size, result.overlap
    ({'1': ('a', 'c')}, 2, 0.0)
    """
    depth_of = dict(depths or {})
    for number in (depth, *depth_of.values()):
        if not isinstance(number, Integral) or number < 0:
            raise InputError(f"depth {number!r}: give a pool depth of 0 or more.")
    deepest = max(depth, *depth_of.values(), 0)
    rankings = {run.tag: run.top(deepest) for run in each_run(runs)}
    if strangers := [tag for tag in depth_of if tag not in rankings]:
        raise InputError(f"no run has the tag {strangers[0]}; there are {', '.join(rankings)}.")
    return depth_pool(rankings, {tag: depth_of.get(tag, depth) for tag in rankings})
