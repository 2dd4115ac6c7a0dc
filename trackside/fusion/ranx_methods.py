"""Fusion by the methods of ranx, an extra (``trackside[ranx]``).

ranx compiles itself when it is imported and each method when it is first used: expect a minute or two before
the first answer of a process.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from trackside.errors import InputError
from trackside.files import Rankings

PREFIX = "ranx:"
# Methods without parameters, and methods that need ``parameters``, which ``ranx.optimize_fusion`` can find on
# validation qrels.
METHODS = (
    "anz", "bordafuse", "condorcet", "gmnz", "isr", "log_isr", "logn_isr", "max", "med", "min", "mnz", "sum",
    "bayesfuse", "mapfuse", "mixed", "posfuse", "probfuse", "rbc", "rrf", "segfuse", "slidefuse",
    "w_bordafuse", "w_condorcet", "wmnz", "wsum",
)  # fmt: skip
NORMS = ("borda", "max", "min-max", "min-max-inverted", "none", "rank", "sum", "zmuv")


def fuse_with_ranx(
    runs: Sequence[Rankings],
    method: str,
    *,
    norm: str = "min-max",
    parameters: Mapping[str, Any] | None = None,
    tag: str = "fused",
) -> Rankings:
    """Fuse several runs by ranx, in trec_eval's order; ``method`` is ranx's name, as "condorcet".

    A topic that a run lacks counts as one without results. Raises ranx-missing, ranx-refused.
    """
    _refuse_unknown(method, norm)
    if len(runs) < 2:
        raise InputError("fusion needs at least two runs: name more of them.", code="ranx-refused")
    try:
        from ranx import Run, fuse  # loads numba, for half a minute
    except ImportError as error:
        raise InputError(
            "ranx is not installed: pip install 'trackside[ranx]'.", code="ranx-missing"
        ) from error
    topics = sorted({topic for run in runs for topic in run.topics})
    ranx_runs = [Run({topic: {} for topic in topics} | run.to_dict(), name=run.tag) for run in runs]
    try:
        fused = fuse(ranx_runs, None if norm == "none" else norm, method, dict(parameters or {}))
    except (TypeError, ValueError, AssertionError, KeyError) as error:
        raise InputError(
            f"ranx does not fuse by {method} ({error}). Check its parameters.", code="ranx-refused"
        ) from error
    return Rankings.from_dict(fused.to_dict(), tag=tag)


def _refuse_unknown(method: str, norm: str) -> None:
    for what, name, known in (("method", method, METHODS), ("norm", norm, NORMS)):
        if name not in known:
            raise InputError(
                f"ranx has no {what} {name}. Choose one of: {', '.join(sorted(known))}.", code="ranx-refused"
            )
