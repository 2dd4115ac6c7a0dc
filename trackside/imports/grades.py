"""Imports of grades: reads qrels of other tools and checks them against a task."""

from collections.abc import Collection, Iterator, Mapping

from trackside.files.columns import MalformedLine, OddityKind
from trackside.files.near_names import hinted, near_names
from trackside.files.qrels import Qrels
from trackside.files.streams import Source
from trackside.imports.faults import EXAMPLES, Faults, ImportFault
from trackside.lazy_polars import pl

_CHANGED = {
    OddityKind.GRADE_PREFIX: "the grade is not a whole number. Write grades of the task's scale.",
    OddityKind.NOT_UTF8: "bytes that are not UTF-8. Save the file in UTF-8.",
}


def read_grades(
    source: Source, faults: Faults, *, topics: Collection[str], numbers: Mapping[int, int]
) -> Iterator[tuple[str, str, int | None]]:
    """Topic, docno and grade of each line of a qrels file; ``numbers`` has the file's number for each grade.

    A negative number that is no grade's means not judged, and becomes null. Unknown topics and
    numbers off the scale become faults. Raises InputError as ``Qrels.from_file`` does, and for a line that
    trec_eval reads otherwise than it is written.
    """
    grade_of = {number: grade for grade, number in numbers.items()}
    qrels = Qrels.from_file(source)
    for oddity in qrels.oddities:
        if oddity.kind in _CHANGED:
            raise MalformedLine(f"{qrels.name}, line {oddity.first_line:,}: {_CHANGED[oddity.kind]}")
    unknown = [topic for topic in qrels if topic not in topics][:EXAMPLES]
    near = near_names(unknown, [pl.Series(list(topics), dtype=pl.String)]) if unknown else {}
    for topic, grades in qrels.items():
        if topic not in topics:
            place = f"topic {hinted(topic, near)}"
            faults.add(ImportFault.TOPIC_UNKNOWN, place, f"{len(grades):,} lines", count=len(grades))
            continue
        for docno, number in grades.items():
            if number >= 0 and number not in grade_of:
                faults.add(ImportFault.GRADE_OFF_SCALE, f"topic {topic}", f"{docno} {number}")
            else:
                yield topic, docno, grade_of.get(number)
