"""docs/simulations.md from the stored tables: the bound of each sentence, and what missed it."""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.simulations.bounds import Bound, StoredRow
from tests.simulations.loop_tables import LOOP, OF_GRID, STRONGEST, WIDTHS, loop_lines
from tests.simulations.taught import OF_PROBES

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "simulations.md"


RAISED = "0.2 raised"
NOT_ABOVE = "^(?!rank.*from above)"  # there as people is right
NOT_BELOW = "^(?!rank.*(from below|second))"  # there differs is right
NO_FAVOUR = r"^(?!.*(shared|favoured))"
SHALLOW = "the rate of a judge wrong on nine of ten pairs is below 0 everywhere, and nearer to 0 on them"
BOUNDS: tuple[Bound, ...] = (
    Bound(
        "tau's interval holds the tau of other topics",
        "^orders",
        ("coverage",),
        0.93,
        0.97,
        excuse=(
            "where runs differ under the judge by chance alone, the chance of these topics stays in every "
            "resample, and tau varies less than over other topics"
        ),
    ),
    Bound(
        "“as people do” of judges without relation", "^orders$", ("related",), 0, 0.05, "^tau -0.02 to 0.02"
    ),
    Bound("“as people do” of judges in reverse", "orders", ("related",), 0, 0.05, "^tau -1"),
    Bound(
        "“as people do” found from tau 0.4, from 25 topics",
        "^orders",
        ("related",),
        0.9,
        1,
        "^tau 0.[468]",
        fewest_topics=25,
    ),
    Bound("uses: a relation shown of judges of chance", "uses-chance", ("relation shown",), 0, 0.06),
    Bound("uses: a relation in reverse of judges of chance", "uses-chance", ("relation reverse",), 0, 0.025),
    Bound("uses: any use as people of judges of chance", "uses-chance", ("any as_people",), 0, 0.05),
    Bound(
        "uses: label as people of a judge by chance", "uses-error", ("label as_people",), 0, 0.05, "", "100"
    ),
    Bound("uses: rank as people of a judge by chance", "uses-error", ("rank as_people",), 0, 0.05, "", "100"),
    Bound("uses: as people on a margin", "^uses-(margins|tune)", ("as_people",), 0, 0.06, NOT_ABOVE),
    Bound("uses: differs on a margin", "^uses-(margins|tune)", ("differs",), 0, 0.06, NOT_BELOW),
    Bound("uses: interval of the exchange rate", "^uses-rate", ("coverage",), 0.93, 0.97),
    Bound("uses: shift of the rate on shallower pools", "^uses-rate", ("shift",), 0, 0.08, excuse=SHALLOW),
    Bound("p at most .05 of run-blind judges, a family", "^families-", ("p at most .05",), 0.04, 0.065),
    Bound(
        "“above” or “below” of run-blind judges, any of three families",
        "^families-",
        ("said of a judge",),
        0,
        0.06,
    ),
    Bound("the lead accuses one of seven run-blind judges", "^families-", ("lead",), 0, 0.05),
    Bound("“above” found, one of three families, real tracks", "^planted-[dr]", ("above",), 0.9, 1, RAISED),
    Bound(
        "“above” found, one of three families, made tracks",
        "^planted-made",
        ("above",),
        0.9,
        1,
        RAISED,
        excuse=(
            "16 runs on 74 topics have intervals of 2.4 to 5 points to each side, real tracks of 1.5 to 2.8; "
            "independent code for the same definitions gives the same p, to 1e-12, on the same tracks, and "
            "noisy judges (kappa below 0.1) are found as often as others"
        ),
    ),
    Bound(
        "“above” found, one declared family",
        "^planted-",
        ("one family",),
        0.9,
        1,
        RAISED,
        excuse="a team of two runs, one of eight teams",
    ),
    Bound(
        "what a favour would take: more than the true error, no favour",
        "takes",
        ("wrong",),
        0,
        0.05,
        NO_FAVOUR,
    ),
    Bound(
        "what a favour would take: said, no favour and random errors", "takes", ("said",), 0, 0.05, "^random"
    ),
    Bound("“other teams, too” of families drawn at random", "^general-", ("in general",), 0, 0.06),
    Bound(
        "intervals of means",
        "means",
        ("coverage",),
        0.93,
        0.97,
        excuse="where nine of ten values are zero, ten topics that allow an interval are unusual ones",
    ),
    Bound("intervals of kappa, AC1, alpha, leniency", "agreement", ("coverage",), 0.93, 0.97),
    Bound("intervals of tau_AP", "tau-ap", ("coverage",), 0.93, 0.97),
    Bound("intervals of tau over teams, from eight teams", "teams", ("coverage",), 0.93, 0.97),
    Bound(
        "bad work named within 150 bad items",
        "careless",
        ("within 150 bad items",),
        0.8,
        1,
        setting="^20% graded twice, 0% gold, 60%",
    ),
    Bound("honest assessors named, 300 items", "careless", ("named",), 0, 0.05, "^honest"),
    Bound("a task of ten honest assessors: any named", "careless", ("any named",), 0, 0.1, "^ten honest"),
    Bound("honest colleagues of bad ones named", "careless", ("a colleague named",), 0, 0.1),
    Bound("walls off for a person who is as good on them", "walls", ("off",), 0, 0.05, "^walls as good"),
    Bound("walls off for a person who misses what the plan allows", "walls", ("off",), 0, 0.05, "^5%"),
    Bound("interval of the loss ever misses it, 100 looks", "walls", ("ever missed",), 0, 0.05),
    Bound(
        "walls off for a person who misses 25 %, of 30 % highest grades, within 1,000 singles",
        "walls",
        ("off within 1,000 singles",),
        0.8,
        1,
        "^25%",
        "^30%",
    ),
    Bound(
        "walls off for a person who misses 50 %, within 600 singles",
        "walls",
        ("off within 600 singles",),
        0.8,
        1,
        "^50%",
    ),
    Bound("walls praised for a person of random grades", "walls", ("praised",), 0, 0.0, "^random"),
)

BOUNDS += tuple(Bound(*row) for row in OF_PROBES)
BOUNDS += (
    Bound("loop: differences, half judged", LOOP, ("pairs",), 0.935, 1, OF_GRID, "half"),
    Bound("loop: the same, a quarter judged", LOOP, ("pairs",), 0.92, 1, OF_GRID, "quarter"),
    Bound("loop: differences, half-widths from .006", LOOP, ("wide pairs",), 0, 0.965, OF_GRID),
    Bound(
        "loop: 95 % intervals of means, half judged",
        LOOP,
        ("means",),
        0.925,
        1,
        OF_GRID,
        "half",
        excuse=(
            "a judge that is always right leaves half-widths of .002, and a bias nearly as large; AP is "
            "divided by few relevant documents; `estimate` says both"
        ),
    ),
    Bound(
        "loop: means, half-widths from .006",
        LOOP,
        ("wide means",),
        0,
        0.975,
        OF_GRID,
        excuse="a quarter judged leaves few grades a topic, and intervals are wider than they need be",
    ),
    Bound(
        "loop: bias of a half-width, a quarter judged",
        LOOP,
        ("bias of half",),
        0,
        0.25,
        OF_GRID,
        "quarter",
        excuse=(
            "a judge that is always right, or wrong in the same way, leaves half-widths of .003 to .008, and "
            "a bias of .001 to .003; `estimate` says so"
        ),
    ),
    Bound(
        "loop: differences of RR and recall",
        LOOP,
        ("pairs",),
        0.92,
        1,
        ", (RR|R@10)",
        excuse="few pairs decide RR at a quarter judged, and half-widths are .005; `estimate` says so",
    ),
    Bound(
        "loop: pairs of runs once uncovered over 5 and 10 looks",
        "^loop-looks",
        ("pairs once uncovered",),
        0,
        0.05,
    ),
    Bound("loop: means where a width was reached", "^loop-looks", ("width stop",), 0.93, 1),
    Bound(
        "loop: judgments for tau .93 of depth's, best of the judges",
        "^loop-savings",
        ("of depth's",),
        0,
        0.6,
        STRONGEST,
    ),
    Bound("loop: half-width of that without a judge", WIDTHS, ("of none",), 0, 0.8),
    Bound(
        "loop: half-width of the defined Neyman bound, 1,500 judged",
        WIDTHS,
        ("defined",),
        0,
        1.1,
        "",
        "1,500",
    ),
    Bound("loop: the same, 3,000 judged", WIDTHS, ("defined",), 0, 1.2, "", "3,000"),
)

HEAD_END = "| --- | --- | --- | --- | --- | --- | --- |\n"  # above it is written by hand


def parts() -> dict[str, list[StoredRow]]:
    """The stored rows by part."""
    files = sorted((DOCS / "simulations").glob("*.json"))
    return {file.stem: json.loads(file.read_text())["rows"] for file in files}


def rows_of(bound: Bound, stored: dict[str, list[StoredRow]]) -> list[tuple[str, StoredRow]]:
    """The rows that a bound is on, with their parts."""
    return [(part, row) for part, rows in stored.items() for row in rows if bound.concerns(part, row)]


def page() -> str:
    """The text of the page: its head, and the tables anew."""
    stored = parts()
    head, end, _ = PAGE.read_text().partition(HEAD_END)
    lines = [*(_summary(bound, stored) for bound in BOUNDS), "", "## What missed its bound", ""]
    lines += list(_missed(stored)) or ["Nothing."]
    lines += loop_lines(stored)
    return head + end + "\n".join(lines) + "\n"


def _summary(bound: Bound, stored: dict[str, list[StoredRow]]) -> str:
    rows = [row for _, row in rows_of(bound, stored)]
    if not rows:
        return f"| {bound.sentence} | {_asked(bound)} | 0 | – | – | – | – |"
    shares, tracks = [bound.value(row) for row in rows], sorted(row["tracks"] for row in rows)
    count = f"{tracks[0]:,}" if tracks[0] == tracks[-1] else f"{tracks[0]:,} to {tracks[-1]:,}"
    inside = sum(not bound.is_missed(row) for row in rows)
    return (
        f"| {bound.sentence} | {_asked(bound)} | {len(rows)} | {count} | {_percent(min(shares))} | "
        f"{_percent(max(shares))} | {inside} of {len(rows)} |"
    )


def _asked(bound: Bound) -> str:
    if bound.least == 0:
        return f"at most {100 * bound.most:g} %"
    return (
        f"at least {100 * bound.least:g} %"
        if bound.most == 1
        else f"{100 * bound.least:g} to {100 * bound.most:g} %"
    )


def _missed(stored: dict[str, list[StoredRow]]) -> Iterator[str]:
    for bound in BOUNDS:
        rows = [(part, row) for part, row in rows_of(bound, stored) if bound.is_missed(row)]
        if rows:
            named = "; ".join(
                f"{row['statistic']}, {row['setting']}{_topics(row)} {_percent(bound.value(row))}"
                for _, row in rows
            )
            why = f" Why: {bound.excuse}." if bound.excuse else ""
            yield f"- {bound.sentence}: {named}.{why}"


def _topics(row: StoredRow) -> str:
    return f", {row['topics']} topics" if "topics" in row else ""


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
