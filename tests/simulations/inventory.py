"""Every kind of interval and p that a report can hold, and the simulation of it or why there is none.

A kind is a table and a column; in tables with a coefficient a row, also the coefficient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.report.tables import P
from evaluation.core.report.sections.differences import AGREEMENTS, ORDERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.report.tables import Cell, Findings

Kind = tuple[str, ...]

ROW_NAMES = {
    "coefficients": "coefficient",
    "two-judges-order": "coefficient",
    "two-judges-grades": "coefficient",
    "accuracy-by-class": "people",
    "alpha-by-cut": "relevant from",
    "over-graded-items": "results",
    "strata": "division",
}
"""The columns whose cells tell kinds of one column apart."""

TOP = ("tau_AP,a", "tau_AP,b", "tau_GAP", "weighted tau", "RBO")
PARTS_OF_ORDER = {
    "tau": "ranks",
    "r": "ranks-others",
    **dict.fromkeys(TOP, "ranks-others"),
}
CUTS = ("1 or more", "2 or more")
MATRIX_STATISTICS = {
    "agreement": AGREEMENTS,
    "agreement-in-detail": (
        "AC2, quadratic",
        "same grade",
        "mean absolute error",
        "leniency",
        *(f"{name}, {cut}" for cut in CUTS for name in ("kappa", "overlap", "precision", "recall")),
    ),
}

SIMULATED: dict[Kind, tuple[str, str]] = {
    ("overview", "mean"): ("means", "mean of a run"),
    ("order", "tau"): ("ranks", "tau"),
    ("order", "r"): ("ranks-others", "r"),
    ("order", "tau, other teams"): ("teams", "tau"),
    ("order", "p"): ("orders", "p of tau"),
    ("order", "p, deciding"): ("orders", "deciding p of tau"),
    ("order-of-teams", "tau, other teams"): ("teams", "tau"),
    ("order-of-teams", "p"): ("orders", "p of tau"),
    **{("order-at-the-top", name): ("ranks-others", name) for name in TOP},
    **{("coefficients", "other topics", name): (part, name) for name, part in PARTS_OF_ORDER.items()},
    **{("coefficients", "other teams", name): ("teams", name) for name in ORDERS},
    ("two-judges-order", "difference", "tau"): ("ranks-differences", "tau"),
    **{(table, name): ("agreement", name) for table, names in MATRIX_STATISTICS.items() for name in names},
    **{
        ("two-judges-grades", column, name): ("agreement-differences", name)
        for column in ("difference", "p")
        for name in AGREEMENTS
    },
    **{
        ("accuracy-by-class", "accuracy", str(grade)): ("classes", f"accuracy of grade {grade}")
        for grade in range(2)
    },
    # On three grades the highest is 2, on the simulated four it is 3.
    ("accuracy-by-class", "accuracy", "2"): ("classes", "accuracy of grade 3"),
    ("agreement-in-detail", "recall, 2 or more"): ("classes", "recall, 2 or more"),
    ("accuracy-by-class", "accuracy", "mean of classes"): ("classes", "mean accuracy of classes"),
    **{("alpha-by-cut", "alpha", str(cut)): ("classes", f"alpha, {cut} or more") for cut in (1, 2)},
    ("raw-scores-as-ranking", "AUPRC"): ("areas", "area, precision-recall"),
    ("raw-scores-as-ranking", "ROC area"): ("areas", "area, ROC"),
    ("bias", "difference in Relative Delta"): ("deltas", "Relative Delta, difference"),
    ("bias", "excess, points"): ("favours", "p of the excess over topics"),
    ("bias", "excess, with other teams"): ("excess-teams", "excess with other topics and teams"),
    ("bias", "p over topics"): ("favours", "p of the excess over topics"),
    ("bias", "p, corrected"): ("favours", "favours is said"),
    **{
        ("over-graded-items", column, "first 10"): ("favours", "p of excess grades over topics")
        for column in ("difference", "p over topics")
    },
    ("over-graded-items", "p, corrected", "first 10"): ("favours", "favours is said"),
    **{
        ("over-graded-items", column, "pooled"): (
            "few-teams",
            "p of excess grades of all pooled results over topics",
        )
        for column in ("difference", "p over topics")
    },
    ("circularity", "difference in Relative Delta"): ("deltas", "Relative Delta, difference"),
    ("circularity", "excess, points"): ("few-teams", "p of the excess over topics"),
    ("circularity", "excess, with other teams"): ("excess-teams", "excess with other topics and teams"),
    ("circularity", "p over topics"): ("few-teams", "p of the excess over topics"),
    ("tau-by-topic", "mean"): ("sections", "mean tau within topics"),
    ("judges-alike", "difference"): ("sections", "difference of tau among models and with people"),
    ("pairwise-kappa", "kappa"): ("agreement", "kappa"),
    ("bland-altman", "mean difference"): ("sections", "mean difference of the runs' means"),
    ("repeats", "same grade"): ("agreement", "same grade"),
    ("repeats", "kappa"): ("agreement", "kappa"),
    ("repeats", "mean distance of raw scores"): ("sections", "mean distance of raw scores"),
    ("repeats-order", "tau"): ("subsets", "tau of a judge asked again"),
    ("strata", "tau", "page"): ("ranks", "tau"),
    ("over-grading-by-text", "excess grade"): ("sections", "excess grade of a quarter by length"),
    ("over-grading-within-topics", "rho"): ("sections", "mean rho of excess grade and length within topics"),
}
"""Kinds with an interval or p, and the part and statistic of docs/simulations that count how often they are
right.

An interval that excludes 0 exactly if its p is at most 0.05 covers as often as this test does not reject.
"""

IN_SAVING = {
    ("saving-estimates", "estimate"): "mean, topics",
    ("saving-differences", "estimate"): "difference, topics",
    ("saving-by-items-estimates", "estimate"): "P@10, items",
    ("saving-by-items-differences", "estimate"): "difference, items",
}
"""Kinds whose coverage is in docs/simulations-saving.md, and the name of their rows there."""

COPIED: dict[Kind, Kind] = {
    **{("judges", name): ("order", name) for name in ("tau", "rho", "r", "p, deciding")},
    ("judges", "kappa"): ("agreement", "kappa"),
    **{
        ("judges", name): ("bias", name)
        for name in ("difference in Relative Delta", "run-blind judges", "excess, points", "p, corrected")
    },
    **{("paper-table-2", name): ("order", name) for name in ("tau", "rho", "r")},
    ("paper-table-3", "kappa"): ("agreement", "kappa"),
    ("paper-table-3", "difference in Relative Delta"): ("bias", "difference in Relative Delta"),
}
"""Kinds whose cells are those of another table."""

NEVER: frozenset[Kind] = frozenset(
    {
        ("order", "rho"),
        *(("order-of-teams", name) for name in ("tau", "rho", "r")),
        ("strata", "tau", "difficulty"),
        ("agreement", "ceiling of kappa"),
        *(("order-at-the-top", name) for name in ("first run", "top 5", "largest drop")),
        ("coefficients", "other topics", "rho"),
        *(("two-judges-order", "difference", name) for name in ORDERS if name != "tau"),
        ("raw-scores-as-ranking", "recall at 1% false"),
        ("raw-scores-as-ranking", "recall at 5% false"),
        ("over-graded-items", "p, corrected", "pooled"),
    }
)
"""Kinds that a report never gives an interval or p: the cell has the reason."""

DEPTHS = ("first 10", "pooled")
OTHER: dict[Kind, str] = {
    **dict.fromkeys(
        [("bias", "run-blind judges"), ("circularity", "run-blind judges")],
        "the middle 95 % of the drawn judges, not an interval of an estimate",
    ),
    **dict.fromkeys(
        [
            *((table, "smallest p") for table in ("order", "order-of-teams", "bias", "circularity")),
            *(("over-graded-items", "smallest p", depth) for depth in DEPTHS),
        ],
        "a property of the design: the least p that so many runs or teams allow",
    ),
    **dict.fromkeys(
        [("bias", "p"), ("circularity", "p"), *(("over-graded-items", "p", depth) for depth in DEPTHS)],
        "the larger of the p over topics and the share of other families: at most the size of the first",
    ),
    **dict.fromkeys(
        [("two-judges-grades", "p, table", name) for name in AGREEMENTS],
        "Holm's correction of the p beside it",
    ),
}
"""Kinds that need no simulation of their own, with the reason."""


def kinds(report: Findings) -> Iterator[tuple[Kind, Cell]]:
    """Yield every kind of interval and p of a report with its cells; None for a table without rows."""
    for table in report.tables():
        by = ROW_NAMES.get(table.name)
        for column in table.columns:
            if column.has_interval or column.form == P:
                if by is None:
                    yield (table.name, column.name), None
                for record in table.records():
                    row = () if by is None else (str(record[by]),)
                    yield (table.name, column.name, *row), record[column.name]
