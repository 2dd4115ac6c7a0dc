"""The implementation of `trackside score --hybrid`."""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from trackside.cli.files.loop.planning import read_heads
from trackside.cli.files.tables import aligned
from trackside.errors import InputError
from trackside.files.hybrid import HybridQrels
from trackside.loop.claims import Z
from trackside.loop.hybrid import HybridValue, hybrid_values
from trackside.measuring import parse_measure

FORMATS = ("table", "json")


def hybrid_lines(arguments: argparse.Namespace) -> Iterator[str]:
    """Expected means with their intervals, one row a run. Raises InputError."""
    if arguments.qrels or arguments.prels or arguments.corpus:
        raise InputError(
            "--hybrid has people's grades and a model's chances, which do not mix with --qrels, --prels or "
            "--corpus. Give one of them."
        )
    if arguments.format not in FORMATS:
        raise InputError(f"--format {arguments.format}: with --hybrid there are {' and '.join(FORMATS)}.")
    hybrid = HybridQrels.read(Path(arguments.hybrid))
    names = [str(parse_measure(name)) for name in arguments.measure or ["nDCG@10"]]
    depth = max(int(parse_measure(name).cutoff or 10) for name in names)
    heads = read_heads(arguments.runs, depth)
    found = {name: hybrid_values(hybrid, heads, name, depth) for name in names}
    if arguments.format == "json":
        values = [{"measure": name} | asdict(row) for name, rows in found.items() for row in rows]
        yield json.dumps({"source": "people and model", "values": values}, ensure_ascii=False, indent=1)
        return
    people = int((hybrid.grades >= 0).sum())
    yield f"{len(hybrid.names):,} pairs: {people:,} graded by people, the others by a model's chances"
    rows = [["run", *(cell for name in names for cell in (name, "corrected")), "not in the file"]]
    for run, tag in enumerate(heads):
        cells = [cell for name in names for cell in _cells(found[name][run], arguments.decimals)]
        rows.append([tag, *cells, f"{100 * found[names[0]][run].missing:.1f} %"])
    yield from aligned(rows)
    yield (
        "Expected values, not people's. Corrected: the model's part corrected by people's grades of drawn "
        "pairs, with the 95 % interval for people's grades of all pairs, on these topics."
    )


def _cells(value: HybridValue, decimals: int) -> tuple[str, str]:
    low, high = value.estimate - Z * value.error, value.estimate + Z * value.error
    interval = f"{value.estimate:.{decimals}f} [{low:.{decimals}f}, {high:.{decimals}f}]"
    return f"{value.expected:.{decimals}f}", interval
