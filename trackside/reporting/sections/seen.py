"""Did people and the judges see equal items?"""

from collections.abc import Iterator

from trackside.reporting.design import SeenTogether
from trackside.reporting.study import Study
from trackside.reporting.tables import Column, Table, table_of
from trackside.text.counted import counted

COLUMNS = (
    Column("judge"),
    Column("pairs graded by both", ",d"),
    Column("known", ",d"),
    Column("equal", ",d"),
    Column("equal, share", ".1%"),
    Column("people saw a snippet", ",d"),
    Column("judge saw a part", ",d"),
)


def seen_says(study: Study) -> Iterator[str]:
    """Sentences on equal items and on snippets for each judge, then one on those where it is not known."""
    unknown = []
    for name, seen in _rows(study):
        if not seen.known:
            unknown.append(name)
            continue
        yield from _says(name, seen)
    if unknown:
        yield (
            f"Whether people saw the items that {', '.join(unknown)} saw is not known: grades of files and "
            "of earlier releases do not say it."
        )


def _says(name: str, seen: SeenTogether) -> Iterator[str]:
    pairs = counted(seen.known, "pair")
    of_known = f" of {seen.pairs:,} where it is known" if seen.known < seen.pairs else ""
    if seen.equal == seen.known:
        yield f"People and {name} were shown equal items in all {pairs}{of_known}."
    else:
        yield (
            f"Caution: people and {name} were shown equal items in only {seen.equal:,} of {pairs}{of_known}: "
            "texts, their roles or pictures changed in between. Start the judge on the pool again; where "
            "items still differ, let people grade these pairs again."
        )
    if seen.people_part:
        part = f", and {name} saw a part in {seen.judge_part:,}" if seen.judge_part else f"; {name} saw all"
        yield f"People graded {seen.people_part:,} of these pairs on a wall without opening the item{part}."


def seen_table(study: Study) -> Table:
    """A row for each judge where it is known what people and the judge saw."""
    rows = (
        (name, seen.pairs, seen.known, seen.equal, seen.share, seen.people_part, seen.judge_part)
        for name, seen in _rows(study)
        if seen.known
    )
    notes = (
        "Equal: the same texts in the same roles and order, and the same pictures. Snippet: a cell of a wall "
        "whose item was not opened. Part: the prompt shows not all texts and pictures of the item.",
    )
    return table_of("items-seen", "Items as people and judges were shown them.", COLUMNS, rows, notes)


def _rows(study: Study) -> Iterator[tuple[str, SeenTogether]]:
    for judge in study.judges:
        if (seen := study.sets[judge].seen) and seen.pairs:
            yield study.name(judge), seen
