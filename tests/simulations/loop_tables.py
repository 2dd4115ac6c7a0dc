"""The tables of the loop in docs/simulations.md: every setting, and what the loop saves."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LOOP = "^loop-[dr]"  # parts
WIDTHS = "^loop-widths"
STRONGEST = ", influence, four-prompts-70b$"
OF_GRID = r"^(?!.*(none|, RR|, R@10))"
_COLUMNS = ("means", "± means", "pairs", "± pairs", "bias", "half", "half of pairs", "tau")


def loop_lines(stored: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """The loop's grid, a row a setting and look, and what it saves."""
    grid = [row for part, rows in stored.items() if re.search(LOOP, part) for row in rows]
    yield from ("", "## The loop, setting by setting", "")
    yield "| setting | judged | replays | means | ± | pairs | ± | bias | half-width | of pairs | tau |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in grid:
        cells = [
            f"{row['figures'][name]:.{4 if name in ('bias', 'half', 'half of pairs') else 3}f}"
            for name in _COLUMNS
        ]
        yield f"| {row['statistic']} | {row['setting']} | {row['tracks']} | {' | '.join(cells)} |"
    yield from _narrower(grid)
    yield from _beside_bounds(stored.get("loop-widths", ()))
    yield from ("", "| set, recipe and judge | replays | judgments for tau .93 | of depth pooling's |")
    yield "| --- | --- | --- | --- |"
    for row in stored.get("loop-savings", ()):
        needed, share, whole = (row["figures"][name] for name in ("judgments", "of depth's", "depth's"))
        needs = "–" if needed is None else f"{needed:,.0f}"
        part = "–" if share is None else f"{share:.2f}"
        yield f"| {row['statistic']} | {row['tracks']} | {needs} | {part} of {whole:,.0f} |"


def _narrower(grid: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """How wide intervals of nDCG@10 are with each judge, as a share of those without one."""
    halves = {(row["statistic"], row["setting"]): row["figures"]["half"] for row in grid}
    yield from ("", "| set, measure and judge | a quarter: of the half-width without a judge | a half |")
    yield "| --- | --- | --- |"
    for statistic in dict.fromkeys(row["statistic"] for row in grid if ", nDCG@10, " in row["statistic"]):
        alone = statistic.rpartition(", ")[0] + ", none"
        shares = [halves[statistic, share] / halves[alone, share] for share in ("a quarter", "a half")]
        yield f"| {statistic} | {' | '.join(f'{share:.2f}' for share in shares)} |"


def _beside_bounds(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Half-widths after five batches: beside those without a judge, and beside Neyman's bound."""
    names = ("half-width", "of that without a judge", "of Neyman's bound, as defined", "of our model's bound")
    yield from ("", f"| set, measure and judge | judged | replays | {' | '.join(names)} |")
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        half, *shares = (row["figures"][name] for name in ("half", "of none", "defined", "own"))
        cells = (f"{half:.4f}", *(f"{share:.3f}" for share in shares))
        yield f"| {row['statistic']} | {row['setting']} | {row['tracks']} | {' | '.join(cells)} |"
