"""Did people and the judges see equal items?"""

from collections.abc import Iterator

from trackside.reporting.design import SeenTogether
from trackside.reporting.study import Study
from trackside.text.counted import counted


def seen_says(study: Study) -> Iterator[str]:
    """Sentences on equal items and on snippets for each judge, then one on those where it is not known."""
    unknown = []
    for judge in study.judges:
        name, seen = study.name(judge), study.sets[judge].seen
        if seen and seen.known:
            yield from _says(name, seen)
        elif seen and seen.pairs:
            unknown.append(name)
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
