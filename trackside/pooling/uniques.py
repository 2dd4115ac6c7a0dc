"""Relevant documents that only one run found.

Zobel (SIGIR 1998) counts them to test whether a pool is fair to systems that did not contribute to it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

Tops = Mapping[str, Sequence[str]]
"""Topic to the top docnos of a run."""


@dataclass(frozen=True, slots=True)
class UniqueCounts:
    """By topic: the number of relevant documents that no other run, or no other team, has."""

    by_run: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    by_team: dict[str, int] = field(default_factory=lambda: defaultdict(int))


def unique_relevant(
    tops: Mapping[str, Tops], teams: Mapping[str, str], relevant: Mapping[str, AbstractSet[str]]
) -> dict[str, UniqueCounts]:
    """Counts of each run, by tag, among the results in `tops`; topics without any are left out."""
    givers: dict[tuple[str, str], list[str]] = defaultdict(list)
    for tag, topics in tops.items():
        for topic, docnos in topics.items():
            for docno in relevant.get(topic, frozenset()) & set(docnos):
                givers[topic, docno].append(tag)
    counts = {tag: UniqueCounts() for tag in tops}
    for (topic, _), tags in givers.items():
        if len(tags) == 1:
            counts[tags[0]].by_run[topic] += 1
        if len({teams[tag] for tag in tags}) == 1:
            for tag in tags:
                counts[tag].by_team[topic] += 1
    return counts
