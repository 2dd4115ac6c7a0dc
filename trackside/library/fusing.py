"""Public functions: fusion of runs, as by ``trackside fuse``, and by the methods of ranx."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from trackside.errors import InputError
from trackside.files import Rankings
from trackside.fusion.methods import (
    PREFIX,
    Norm,
    Tuned,
    comb_mnz,
    comb_sum,
    fuse_with_ranx,
    reciprocal_rank_fusion,
    weight_grid,
    weighted_sum,
)
from trackside.fusion.methods import tune_weights as tuned_weights
from trackside.library.evaluating import one_measure
from trackside.library.inputs import QrelsInput, RunInput, each_run, read_qrels
from trackside.measuring import Measure

METHODS = ("rrf", "wsum", "combsum", "combmnz")


def fuse(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    method: str = "rrf",
    *,
    k: int = 60,
    weights: Sequence[float] | None = None,
    norm: str = "min-max",
    parameters: Mapping[str, Any] | None = None,
    tag: str = "fused",
) -> Rankings:
    """Fuse two or more runs into one.

    ``method`` is rrf (with ``k``), wsum (with a weight per run in ``weights``, see ``tune_weights``),
    combsum, combmnz, or a method of ranx, such as "ranx:condorcet" (pip install 'trackside[ranx]'), with its
    ``parameters`` if it needs any. ``norm`` first scales scores to 0 to 1: min-max, or none; ranx has more.
    A topic that a run lacks counts as one without results. Raises InputError.

    >>> one, two = {"1": {"a": 9.0, "b": 5.0}}, {"1": {"b": 0.8, "c": 0.2}}
    >>> fuse({"one": one, "two": two}, "combsum").to_dict()
    {'1': {'b': 1.0, 'a': 1.0, 'c': 0.0}}
    """
    rankings = list(each_run(runs))
    if method.startswith(PREFIX):
        return fuse_with_ranx(
            rankings, method.removeprefix(PREFIX), norm=norm, parameters=parameters, tag=tag
        )
    if method not in METHODS or norm not in ("min-max", "none"):
        raise InputError(
            f"{method} with norm {norm}: choose rrf, wsum, combsum, combmnz or ranx:NAME, and the norm "
            "min-max or none."
        )
    if (weights is None) == (method == "wsum") or parameters:
        raise InputError("weights are for wsum, which needs them, and parameters for the methods of ranx.")
    if k < 0:
        raise InputError(f"k {k}: give a number of 0 or more.")
    scaled = cast("Norm", norm)
    if method == "rrf":
        return reciprocal_rank_fusion(rankings, k=k, tag=tag)
    if method == "wsum":
        return weighted_sum(rankings, weights or (), norm=scaled, tag=tag)
    return (comb_sum if method == "combsum" else comb_mnz)(rankings, norm=scaled, tag=tag)


def tune_weights(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    qrels: QrelsInput,
    measure: str | Measure = "nDCG@10",
    *,
    step: float = 0.1,
    norm: str = "min-max",
) -> Tuned:
    """Find the weights of the runs for wsum with the highest mean of a measure on validation qrels.

    Use other topics than those of the final result. All weights that sum to 1 in steps of ``step`` are
    tried. Returns ``weights`` and the ``value`` that they reach. Raises InputError.
    """
    rankings = list(each_run(runs))
    tried = weight_grid(len(rankings), step)
    return tuned_weights(rankings, read_qrels(qrels), one_measure(measure), tried, norm=cast("Norm", norm))
