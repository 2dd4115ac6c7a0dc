"""Trackside as a library: read runs and qrels, check, evaluate, compare, pool, fuse, report, and plan topics.

Every function corresponds to the command of its name (``trackside score`` is ``evaluate``). It takes runs and
qrels in any of these forms: a path (plain, .gz, .zst or .bz2), bytes or a binary stream of a TREC file; a
dictionary like pytrec_eval's; a frame of polars or pandas; a Run or Qrels of ranx; or what ``read_run`` and
``read_qrels`` return.

Modules are loaded when the first name is used. Invalid input raises ``InputError``. See docs/library.md.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trackside.library.public import (
        FamilyFinding,
        FamilyVerdict,
        FavourFinding,
        FavourVerdict,
        Findings,
        GeneralFinding,
        GeneralVerdict,
        GradeFinding,
        GradeVerdict,
        InputError,
        JudgeFindings,
        LeaderFinding,
        Margins,
        OrderFinding,
        OrderVerdict,
        OtherRuns,
        Qrels,
        Rankings,
        ReportFacts,
        ReportRun,
        RunPairs,
        SecondFinding,
        SecondTau,
        TippingFinding,
        TopicPlan,
        YardstickFinding,
        agreement,
        check,
        compare,
        evaluate,
        fuse,
        measures,
        plan_topics,
        pool,
        read_bundle,
        read_qrels,
        read_run,
        report,
        tune_weights,
        write_qrels,
        write_report,
        write_run,
    )

__all__ = [
    "FamilyFinding",
    "FamilyVerdict",
    "FavourFinding",
    "FavourVerdict",
    "Findings",
    "GeneralFinding",
    "GeneralVerdict",
    "GradeFinding",
    "GradeVerdict",
    "InputError",
    "JudgeFindings",
    "LeaderFinding",
    "Margins",
    "OrderFinding",
    "OrderVerdict",
    "OtherRuns",
    "Qrels",
    "Rankings",
    "ReportFacts",
    "ReportRun",
    "RunPairs",
    "SecondFinding",
    "SecondTau",
    "TippingFinding",
    "TopicPlan",
    "YardstickFinding",
    "agreement",
    "check",
    "compare",
    "evaluate",
    "fuse",
    "measures",
    "plan_topics",
    "pool",
    "read_bundle",
    "read_qrels",
    "read_run",
    "report",
    "tune_weights",
    "write_qrels",
    "write_report",
    "write_run",
]


def __getattr__(name: str) -> object:
    """Load everything on first use: importing polars and numpy takes longer than many programs run."""
    if name not in __all__:
        raise AttributeError(f"module 'trackside' has no attribute '{name}'")
    from trackside.library import public  # imported here, so that `import trackside` loads nothing

    found: object = getattr(public, name)
    return found


def __dir__() -> list[str]:
    return __all__
