"""Two runs on one topic whose numbers are worked out by hand, and access to a report's tables.

People find x and y relevant and z not. Run a ranks x, z and run b ranks z, y. By AP a has (1/1) / 2 = 0.5
and b (1/2) / 2 = 0.25. The judge finds y alone: a has 0 and b 1/2.
"""

from typing import Any

from tests.trackside.reporting.study import graded_set
from trackside.files import Rankings
from trackside.reporting.build import build_report
from trackside.reporting.design import Design, ReportRun
from trackside.reporting.study import Study, study_of
from trackside.reporting.tables import Cell
from trackside.statistics.estimate import Number

PEOPLE = {"T1": {"x": 1, "y": 1, "z": 0}}
JUDGE = {"T1": {"x": 0, "y": 1, "z": 0}}
RAW = {("T1", "y"): 0.9, ("T1", "x"): 0.5, ("T1", "z"): 0.1}
RUNS = [ReportRun("a", "Kestrel", ("CLIP",)), ReportRun("b", "Nordlys", ("text",))]


def study_of_two_runs(runs: list[ReportRun] = RUNS, **design: Any) -> Study:
    """People and a judge on the two runs."""
    given: dict[str, Any] = {"scale": (0, 1), "level": 1, "measures": ("AP",), "replicates": 20} | design
    rankings = [
        Rankings.from_dict({"T1": {"x": 2, "z": 1}}, tag="a"),
        Rankings.from_dict({"T1": {"z": 2, "y": 1}}, tag="b"),
    ]
    judge = graded_set("judge", JUDGE, raw_scores=RAW, provenance={"backbone": "openai/clip"})
    return study_of(Design(**given), runs, rankings, [graded_set("people", PEOPLE, "human"), judge])


def rows_of(study: Study, name: str) -> list[dict[str, Cell]]:
    """The rows of a table of the study's report, by column; none without the table."""
    return [
        dict(zip((column.name for column in table.columns), row, strict=True))
        for table in build_report(study, code_version="1").tables()
        if table.name == name
        for row in table.rows
    ]


def value_of(cell: object) -> float | None:
    """The value of a number; None for any other cell."""
    return cell.value if isinstance(cell, Number) else None
