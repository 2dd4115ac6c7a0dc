"""The tables of the loop in docs/simulations.md: every setting, and what the loop saves."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LOOP = "^loop-[dr]"  # parts
STRONGEST = ", four-prompts-70b$"
OF_GRID = r"^(?!.*(none|, RR|, R@10))"
_COLUMNS = ("means", "± means", "pairs", "± pairs", "bias", "half", "half of pairs", "tau")


def loop_lines(stored: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """The loop's grid, a row a setting and look, and what it saves."""
    yield from ("", "## The loop, setting by setting", "")
    yield "| setting | judged | replays | means | ± | pairs | ± | bias | half-width | of pairs | tau |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for part, rows in stored.items():
        for row in rows if re.search(LOOP, part) else ():
            cells = [
                f"{row['figures'][name]:.4f}"
                if name in ("bias", "half", "half of pairs")
                else f"{row['figures'][name]:.3f}"
                for name in _COLUMNS
            ]
            yield f"| {row['statistic']} | {row['setting']} | {row['tracks']} | {' | '.join(cells)} |"
    yield ""
    yield "| set and judge | judgments for tau .93 | of depth pooling's |"
    yield "| --- | --- | --- |"
    for row in stored.get("loop-savings", ()):
        numbers = row["figures"]
        needed = "–" if numbers["judgments"] is None else f"{numbers['judgments']:,.0f}"
        share = "–" if numbers["of depth's"] is None else f"{numbers['of depth' + chr(39) + 's']:.2f}"
        yield f"| {row['statistic']} | {needed} | {share} of {numbers['depth' + chr(39) + 's']:,.0f} |"
