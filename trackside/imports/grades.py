"""Imports of grades: reads qrels of other tools and checks them against a task."""

from collections.abc import Collection, Iterator

from trackside.files.qrels import Qrels
from trackside.files.streams import Source
from trackside.imports.faults import Faults, ImportFault


def read_grades(
    source: Source, faults: Faults, *, topics: Collection[str], scale: Collection[int]
) -> Iterator[tuple[str, str, int | None]]:
    """Topic, docno and grade of each line of a qrels file; a negative grade (not judged) becomes null.

    Unknown topics and grades off the scale become faults. Raises InputError as ``Qrels.from_file`` does.
    """
    for topic, grades in Qrels.from_file(source).items():
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
