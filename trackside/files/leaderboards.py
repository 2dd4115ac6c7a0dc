"""Leaderboards: values of measures for runs, by topic or over all topics, as TREC AutoJudge has them.

Read are trec_eval's output (measure, topic, value; the run is its line ``runid``'s, or the file's name),
AutoJudge's ``tot`` (run, measure, topic, value), ir_measures (run, topic, measure, value), rankings (topic,
Q0, run, rank, value, measure), verdicts on whole answers as qrels (topic, 0, run, grade), JSON lines, and any
table below a line of names.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trackside.errors import InputError
from trackside.files.streams import Blocks, file_stem
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown

ALL = "all"  # the topic of a value over all topics
GRADE = "grade"  # the measure of verdicts
RUN_ID = "runid"
_NAMES = {
    "run_id": "run",
    "runid": "run",
    "system": "run",
    "topic_id": "topic",
    "query_id": "topic",
    "qid": "topic",
}
_NEEDED = {"measure", "topic", "value"}
_COLUMNS = {
    3: ("measure", "topic", "value"),
    6: ("topic", "", "run", "", "value", "measure"),
}
_TOT = ("run", "measure", "topic", "value")
_IR_MEASURES = ("run", "topic", "measure", "value")
_VERDICTS = ("topic", "", "run", "value")
Row = dict[str, str]


@dataclass(frozen=True, repr=False)
class Leaderboard(Shown):
    """Values by measure, run and topic; the topic ALL has those over all topics."""

    name: str
    values: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)

    @classmethod
    def from_file(cls, path: str, *, name: str = "") -> "Leaderboard":
        """Read a file, packed or not, or a folder with one file for each run. Raises InputError."""
        board = cls(name or file_stem(path))
        files = sorted(map(str, Path(path).glob("[!.]*"))) if Path(path).is_dir() else [path]
        for file in files:
            for place, row in _rows(file):
                board._add(row, place)
        if not board.values:
            raise InputError(f"{path}: no values in it. Write run, measure, topic and value in each line.")
        return board

    def totals(self, measure: str) -> tuple[dict[str, float], int]:
        """Return each run's value over all topics, and how many topics are left out of it.

        It is the one given, or the mean over the topics for which every run has a value. Raises InputError if
        there is no such topic.
        """
        runs = self.values[measure]
        if all(ALL in topics for topics in runs.values()):
            return {run: topics[ALL] for run, topics in runs.items()}, 0
        by_run = {run: {topic for topic in topics if topic != ALL} for run, topics in runs.items()}
        shared = set.intersection(*by_run.values())
        if not shared:
            raise InputError(
                f"{self.name}: no topic has a value of {measure} for every run. Add each run's value of the "
                "topic all."
            )
        means = {
            run: math.fsum(topics[topic] for topic in shared) / len(shared) for run, topics in runs.items()
        }
        return means, len(set.union(*by_run.values()) - shared)

    def _shown(self) -> Outline:
        runs = {run for of_measure in self.values.values() for run in of_measure}
        line = f"{self.name}: {counted(len(runs), 'run')}, {counted(len(self.values), 'measure')}"
        rows = ((measure, len(of_measure)) for measure, of_measure in self.values.items())
        return Outline(line, ("measure", "runs"), rows)

    def _add(self, row: Mapping[str, str], place: str) -> None:
        try:
            value = float(row["value"])
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InputError(f"{place}: {row['value']!r} is no value. Write a number, or leave the line out.")
        topics = self.values.setdefault(row["measure"], {}).setdefault(row["run"], {})
        if row["topic"] in topics:
            raise InputError(
                f"{place}: a second value of {row['measure']} for run {row['run']}, topic {row['topic']}. "
                "Keep one of them."
            )
        topics[row["topic"]] = value


def _rows(path: str) -> Iterator[tuple[str, Row]]:
    """Yield the place and the named cells of each line."""
    text = b"".join(Blocks(path)).decode("utf-8", "surrogateescape")
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if lines and lines[0][1].lstrip().startswith("{"):
        yield from ((f"{path}, line {number:,}", _of_json(line, path, number)) for number, line in lines)
        return
    parts = ((number, line.split("\t") if "\t" in line else line.split()) for number, line in lines)
    names, cells = _header([(number, [cell.strip() for cell in row]) for number, row in parts])
    names = names or _columns([row for _, row in cells], path)
    named = ((f"{path}, line {number:,}", row) for number, row in _named(cells, names, path))
    yield from named if "run" in names else _with_runs(named, file_stem(path))


def _named(
    cells: Sequence[tuple[int, list[str]]], names: Sequence[str], path: str
) -> Iterator[tuple[int, Row]]:
    for number, row in cells:
        if len(row) != len(names):
            raise InputError(
                f"{path}, line {number:,}: {len(row)} columns, where other lines have {len(names)}. Mend the "
                "line."
            )
        yield number, {"measure": GRADE, **dict(zip(names, row, strict=True))}


def _with_runs(rows: Iterable[tuple[str, Row]], name: str) -> Iterator[tuple[str, Row]]:
    """Name the runs of trec_eval's output, in which a run's topics come before its ``runid``."""
    of_run: list[tuple[str, Row]] = []
    run, is_over = name, False
    for place, row in rows:
        is_of_all = row["topic"] == ALL
        if is_over and not is_of_all:
            yield from ((where, {**found, "run": run}) for where, found in of_run)
            of_run, run = [], name
        is_over = is_of_all
        if row["measure"] == RUN_ID:
            run = row["value"]
        else:
            of_run.append((place, row))
    yield from ((where, {**found, "run": run}) for where, found in of_run)


def _header(
    cells: Sequence[tuple[int, list[str]]],
) -> tuple[tuple[str, ...], Sequence[tuple[int, list[str]]]]:
    """Return the names of the columns if the first line has them, and the other lines."""
    names = tuple(_NAMES.get(cell.lower(), cell.lower()) for cell in cells[0][1]) if cells else ()
    return (names, cells[1:]) if set(names) >= _NEEDED else ((), cells)


def _columns(rows: Sequence[Sequence[str]], path: str) -> tuple[str, ...]:
    """Return the names of the columns, by their number and what they hold."""
    if not rows:
        return ()
    count = len(rows[0])
    if count in _COLUMNS:
        return _COLUMNS[count]
    if count != len(_TOT):
        raise InputError(
            f"{path}: {count} columns in its first line. Name them in a line above, such as: run measure "
            "topic value."
        )
    columns = [{row[place] for row in rows if len(row) == count} for place in range(count)]
    if columns[1] <= {"0", "Q0"}:
        return _VERDICTS
    if (ALL in columns[1]) == (ALL in columns[2]):
        raise InputError(
            f"{path}: nothing tells its topics from its measures. Name the columns in a line above, such as: "
            "run measure topic value."
        )
    return _TOT if ALL in columns[2] else _IR_MEASURES


def _of_json(line: str, path: str, number: int) -> Row:
    try:
        found = {
            _NAMES.get(str(key).lower(), str(key).lower()): str(value)
            for key, value in json.loads(line).items()
        }
        return {name: found[name] for name in _TOT}
    except (ValueError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{path}, line {number:,}: not an object with run_id, topic_id, measure and value. Mend the line."
        ) from error
