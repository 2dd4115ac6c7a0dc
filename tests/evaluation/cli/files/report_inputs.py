"""Runs and qrels of a small report as files."""

from __future__ import annotations

from pathlib import Path

from evaluation.core.report.design import GradedSet
from tests.evaluation.core.report.study import true_grades

TRUTH = true_grades()


def named_qrels(folder: Path, graded: GradedSet) -> str:
    path = folder / f"{graded.name}.qrels"
    lines = [f"{topic} 0 {docno} {grade}\n" for topic, own in graded.qrels for docno, grade in own.items()]
    path.write_text("".join(lines))
    return f"{graded.name}={path}"
