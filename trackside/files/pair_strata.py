"""Strata of pairs of topic and document, such as their difficulty, facet or class, and qrels by stratum."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from trackside.errors import InputError
from trackside.files.qrels import Qrels
from trackside.files.streams import Blocks, Source
from trackside.text.counted import counted
from trackside.text.shown import visible_line

Pair = tuple[str, str]
PairStrata = Mapping[str, Mapping[str, str]]
"""The stratum by topic and docno."""

NAMED = 3  # pairs that a sentence names


def read_pair_strata(source: Source) -> dict[str, dict[str, str]]:
    """The stratum of each pair, from lines of topic, docno and stratum, in any order. Raises InputError."""
    blocks = Blocks(source)
    strata: dict[str, dict[str, str]] = {}
    for number, line in enumerate((line for block in blocks for line in block.splitlines()), start=1):
        try:
            fields = line.decode().split(None, 2)
        except UnicodeDecodeError:
            raise InputError(
                f"{blocks.name}, line {number:,}: bytes that are not UTF-8. Save the file in UTF-8."
            ) from None
        match fields:
            case [topic, docno, stratum]:
                own, stratum = strata.setdefault(topic, {}), stratum.strip()
                if own.setdefault(docno, stratum) != stratum:
                    raise InputError(
                        f"{blocks.name}, line {number:,}: {topic} {docno} is in {own[docno]}, too. A "
                        "pair has one stratum: delete a line, or write a file for each division."
                    )
            case [_, *_]:
                raise InputError(f"{blocks.name}, line {number:,}: write a topic, a docno and a stratum.")
    return strata


def graded_pairs(qrels: Qrels) -> dict[Pair, int]:
    """The grade of each pair that has one."""
    rows = qrels.items()
    return {(topic, docno): grade for topic, own in rows for docno, grade in own.items() if grade >= 0}


def qrels_by_stratum(qrels: Qrels, strata: PairStrata) -> dict[str, Qrels]:
    """The qrels of each stratum with a pair in them, by its name; they are called as "people/hard"."""
    parts: dict[str, dict[str, dict[str, int]]] = {}
    for topic, grades in qrels.items():
        own = strata.get(topic, {})
        for docno, grade in grades.items():
            if docno in own:
                parts.setdefault(own[docno], {}).setdefault(topic, {})[docno] = grade
    return {name: Qrels.from_dict(part, name=f"{qrels.name}/{name}") for name, part in sorted(parts.items())}


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Pairs of the strata without a grade, and graded pairs without a stratum; both in order of their names.

    ``graded_count`` counts all graded pairs.
    """

    ungraded: tuple[Pair, ...]
    unplaced: tuple[Pair, ...]
    graded_count: int

    @classmethod
    def of(cls, graded: Iterable[Pair], strata: PairStrata) -> Self:
        """Compare the pairs that have a grade with those that have a stratum."""
        pairs, placed = set(graded), {(topic, docno) for topic, own in strata.items() for docno in own}
        return cls(tuple(sorted(placed - pairs)), tuple(sorted(pairs - placed)), len(pairs))

    def lines(self, division: str) -> list[str]:
        """A sentence on each kind of pair; none if all pairs have a grade and a stratum."""
        lines = []
        if self.ungraded:
            many = counted(len(self.ungraded), "pair")
            lines.append(f"{division}: {many} without a grade left out: {named_pairs(self.ungraded)}.")
        if self.unplaced:
            many = f"{len(self.unplaced):,} of {counted(self.graded_count, 'graded pair')}"
            lines.append(f"{division}: {many} without a stratum left out: {named_pairs(self.unplaced)}.")
        return lines


def named_pairs(pairs: tuple[Pair, ...]) -> str:
    """The names of the first pairs for a sentence."""
    more = " and more" if len(pairs) > NAMED else ""
    return ", ".join(visible_line(f"{topic} {docno}") for topic, docno in pairs[:NAMED]) + more
