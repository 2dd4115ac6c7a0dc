"""Runs and qrels of a small report as files."""

from pathlib import Path

from tests.trackside.reporting.study import true_grades
from trackside.reporting.design import GradedSet

TRUTH = true_grades()


def named_qrels(folder: Path, graded: GradedSet) -> str:
    path = folder / f"{graded.name}.qrels"
    lines = [
        f"{topic} 0 {docno} {grade}\n" for topic, own in graded.qrels.items() for docno, grade in own.items()
    ]
    path.write_text("".join(lines))
    return f"{graded.name}={path}"
