"""Compare our statistics with a folder of cases whose answers are known.

`python -m tests.oracles.cases DIR` reads every JSON of the folder, one statistic a file, and prints a line
for each expected value and ours. It exits with 1 when a value differs or is not built.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracles.answers import ANSWERS, NOT_OURS
from tests.oracles.answers.offered import Offered
from trackside.errors import InputError
from trackside.statistics.estimate import Estimate, Interval

MISSING = "not built"


@dataclass(frozen=True, slots=True)
class Case:
    statistic: str
    id: str
    input: dict[str, Any]
    expected: dict[str, Any]
    tolerance: float


@dataclass(frozen=True, slots=True)
class Row:
    statistic: str
    id: str
    key: str
    expected: str
    ours: str
    is_equal: bool


def load(folder: Path) -> list[Case]:
    """Every case of every JSON in the folder, in order of file name."""
    return [
        Case(
            document["statistic"],
            case["id"],
            case["input"],
            case["expected"],
            case.get("tolerance", document.get("default_tolerance", 1e-9)),
        )
        for document in (json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json")))
        for case in document["cases"]
    ]


def compare(case: Case) -> Iterator[Row]:
    """One row for each value that the case expects, nested ones by their path."""
    try:
        # Some cases on the same input name the statistic only in their id (fusion_mnz, fusion_rrf).
        given = case.input | {"case_id": case.id}
        answer = ANSWERS[case.statistic](given) if case.statistic in ANSWERS else {}
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, InputError) as fault:
        yield Row(
            case.statistic, case.id, "*", "an answer", f"{type(fault).__name__}: {fault}", is_equal=False
        )
        return
    for key, expected in case.expected.items():
        yield from _rows(case, key, expected, answer.get(key, MISSING))


def _rows(case: Case, key: str, expected: Any, ours: Any) -> Iterator[Row]:
    if NOT_OURS.fullmatch(f"{case.statistic}/{key}"):
        return
    if isinstance(expected, dict) and isinstance(ours, dict):
        for part in expected if isinstance(ours, Offered) else expected | ours:
            yield from _rows(case, f"{key}.{part}", expected.get(part, MISSING), ours.get(part, MISSING))
        return
    yield Row(
        case.statistic,
        case.id,
        key,
        _text(expected),
        _text(ours),
        _is_equal(key, expected, ours, case.tolerance),
    )


def _is_equal(key: str, expected: Any, ours: Any, tolerance: float) -> bool:
    """Equal within the tolerance; None matches what we call undefined, and any reason matches a reason."""
    match ours:
        case Estimate():
            return _is_equal(key, expected, ours.value, tolerance)
        case Interval():
            if expected is None:
                return ours.reason is not None
            return _is_equal(key, expected, [ours.low, ours.high], tolerance)
    if key.endswith("reason"):
        return bool(ours) and ours != MISSING
    if expected == "inf":
        return bool(ours == math.inf)
    if isinstance(expected, list) and isinstance(ours, list | tuple):
        return len(expected) == len(ours) and all(
            _is_equal(key, e, o, tolerance) for e, o in zip(expected, ours, strict=True)
        )
    if _is_number(expected) and _is_number(ours):
        return abs(float(expected) - float(ours)) <= tolerance
    return type(expected) is type(ours) and bool(expected == ours)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any) -> str:
    match value:
        case Estimate():
            return _text(value.value) if value.reason is None else value.text()
        case Interval():
            return _text([value.low, value.high])
        case float():
            return f"{value:.10g}"
        case list() | tuple():
            return "[" + ", ".join(_text(part) for part in value) + "]"
    return "undefined" if value is None else str(value)


def table(rows: list[Row], width: int = 44) -> str:
    """The rows in aligned columns; long values are cut."""
    lines = [("statistic", "id", "key", "expected", "ours", "")]
    lines += [(r.statistic, r.id, r.key, r.expected, r.ours, "" if r.is_equal else "DIFFERS") for r in rows]
    cut = [[cell if len(cell) <= width else cell[: width - 1] + "…" for cell in line] for line in lines]
    widths = [max(len(line[column]) for line in cut) for column in range(len(cut[0]))]
    return "\n".join(
        "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in cut
    )


def summary(rows: list[Row]) -> str:
    """Counts, then each failure on its own line, complete."""
    failures = [row for row in rows if not row.is_equal]
    compared = {(row.statistic, row.id) for row in rows}
    lines = [
        f"{len({row.statistic for row in rows})} statistics, {len(compared)} cases, {len(rows)} values: "
        f"{len(rows) - len(failures)} equal, {len(failures)} differ or are missing"
    ]
    lines += [f"{r.statistic} / {r.id} / {r.key}: expected {r.expected}, ours {r.ours}" for r in failures]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare our statistics with cases whose answers are known.")
    parser.add_argument("folder", type=Path, help="a folder of JSON files, one statistic each")
    folder = parser.parse_args(arguments).folder
    cases = load(folder)
    if not cases:
        sys.stderr.write(f"{folder}: no case in it. Give a folder of JSON files, one statistic each.\n")
        return 2
    rows = [row for case in cases for row in compare(case)]
    sys.stdout.write(f"{table(rows)}\n\n{summary(rows)}\n")
    return 0 if all(row.is_equal for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
