"""Imports of grades: reads qrels of other tools and checks them against a task."""

from collections.abc import Collection, Iterator

from trackside.files.columns import MalformedLine, OddityKind
from trackside.files.qrels import Qrels
from trackside.files.streams import Source
from trackside.imports.faults import Faults, ImportFault

_CHANGED = {
    OddityKind.GRADE_PREFIX: "the grade is not a whole number. Write grades of the task's scale.",
    OddityKind.NOT_UTF8: "bytes that are not UTF-8. Save the file in UTF-8.",
}


def read_grades(
    source: Source, faults: Faults, *, topics: Collection[str], scale: Collection[int]
) -> Iterator[tuple[str, str, int | None]]:
    """Topic, docno and grade of each line of a qrels file; a negative grade (not judged) becomes null.

    Unknown topics and grades off the scale become faults. Raises InputError as ``Qrels.from_file`` does, and
    for a line that trec_eval reads otherwise than it is written.
    """
    qrels = Qrels.from_file(source)
    for oddity in qrels.oddities:
        if oddity.kind in _CHANGED:
            raise MalformedLine(f"{qrels.name}, line {oddity.first_line:,}: {_CHANGED[oddity.kind]}")
    for topic, grades in qrels.items():
        if topic not in topics:
            faults.add(
                ImportFault.TOPIC_UNKNOWN, f"topic {topic}", f"{len(grades):,} lines", count=len(grades)
            )
            continue
        for docno, grade in grades.items():
            if grade >= 0 and grade not in scale:
                faults.add(ImportFault.GRADE_OFF_SCALE, f"topic {topic}", f"{docno} {grade}")
            else:
                yield topic, docno, None if grade < 0 else grade
