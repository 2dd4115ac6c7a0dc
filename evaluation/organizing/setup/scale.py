"""The editor of a grade scale: rows of a form, presets, and faults by row."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from django.http import QueryDict

from trackside.criteria import (
    DEFAULT_GRADES,
    HIGHEST_GRADE,
    LOWEST_WRITTEN,
    MOST_GRADES,
    NAME_MAX,
    TEXT_MAX,
    WRITTEN,
)

MINUS = "\N{MINUS SIGN}"
NUMBER = re.compile(r"-?[0-9]{1,2}|-?100", re.ASCII)

# TREC's scale of the Deep Learning tracks, and the binary scale of earlier ad hoc tracks, paraphrased.
TREC_GRADES = [
    {"grade": 0, "name": "Irrelevant", "text": "Has nothing to do with the topic."},
    {"grade": 1, "name": "Related", "text": "Seems related to the topic but does not answer it."},
    {
        "grade": 2,
        "name": "Highly relevant",
        "text": "Answers the topic, but unclearly or among other things.",
    },
    {"grade": 3, "name": "Perfectly relevant", "text": "Is about the topic and answers it exactly."},
]
BINARY_GRADES = [
    {"grade": 0, "name": "Not relevant", "text": "Does not fit the topic."},
    {"grade": 1, "name": "Relevant", "text": "Fits the topic."},
]
PRESETS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "atomic": ("AToMiC, 0 to 2", DEFAULT_GRADES),
    "trec": ("TREC, 0 to 3", TREC_GRADES),
    "binary": ("Yes or no", BINARY_GRADES),
}
PRESET_CHOICES = [(name, words) for name, (words, _) in PRESETS.items()]


@dataclass
class ScaleRow:
    """One row of the editor: what was entered, and what is wrong with it."""

    grade: str
    name: str
    text: str
    written: str = ""  # the number in files of qrels; empty: the grade
    fault: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was entered."""
        return not (self.grade or self.name or self.text)

    @property
    def value(self) -> dict[str, Any]:
        """Return the entry of a scale. The row must have no fault."""
        value = {"grade": int(self.grade), "name": self.name, "text": self.text}
        return value | ({"written": int(self.written)} if self.written else {})


def rows_of(grades: Iterable[dict[str, Any]]) -> list[ScaleRow]:
    """Return the rows of a stored scale, the highest grade first."""
    rows = [
        ScaleRow(str(grade["grade"]), grade["name"], grade["text"], str(grade.get(WRITTEN, "")))
        for grade in grades
    ]
    return rows[::-1]


def rows_in(sent: QueryDict) -> list[ScaleRow]:
    """Return the rows of a submitted form."""
    columns = [sent.getlist(name)[:MOST_GRADES] for name in ("grade", "name", "text")]
    written = [number.strip().replace(MINUS, "-") for number in sent.getlist(WRITTEN)]
    return [
        ScaleRow(grade.strip(), " ".join(name.split()), text.strip().replace("\r\n", "\n"), number)
        for (grade, name, text), number in zip(
            zip(*columns, strict=False), chain(written, repeat("")), strict=False
        )
    ]


def check_rows(rows: list[ScaleRow]) -> str:
    """Note the fault of each row, and return the fault of the whole scale; empty if it is sound."""
    numbers = [row.grade for row in rows]
    names = [row.name for row in rows]
    for row in rows:
        row.fault = _fault_of(row, numbers, names)
    if any(row.fault for row in rows):
        return "The grades are not saved. Correct the marked ones."
    if not 2 <= len(rows) <= MOST_GRADES:
        return f"A scale has 2 to {MOST_GRADES} grades; this one has {len(rows)}."
    return ""


def _fault_of(row: ScaleRow, numbers: list[str], names: list[str]) -> str:
    if not (row.grade.isascii() and row.grade.isdecimal() and len(row.grade) <= 3):
        return f"The grade must be a whole number from 0 to {HIGHEST_GRADE}."
    if int(row.grade) > HIGHEST_GRADE:
        return f"The grade must be a whole number from 0 to {HIGHEST_GRADE}."
    if numbers.count(row.grade) > 1:
        return f"Grade {row.grade} is given twice. Give each grade its own number."
    if not row.name or len(row.name) > NAME_MAX or not row.name.isprintable():
        return f"Give grade {row.grade} a name of 1 to {NAME_MAX} characters."
    if names.count(row.name) > 1:
        return f"Two grades are called “{row.name}”. Give each its own name."
    if row.written and not NUMBER.fullmatch(row.written):
        return f"The number in files must be a whole number from {LOWEST_WRITTEN} to {HIGHEST_GRADE}."
    if len(row.text) > TEXT_MAX or "\0" in row.text:
        return f"The meaning of grade {row.grade} is longer than {TEXT_MAX:,} characters."
    return ""
