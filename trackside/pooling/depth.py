"""Depth pools: the documents of runs that people and models grade, and what only one run found."""

from __future__ import annotations  # polars is imported on first use

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from hashlib import sha256

from trackside.errors import InputError
from trackside.lazy_polars import pl
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown

Ranking = Mapping[str, Sequence[str]]
"""Topic to its docnos, best first."""

Docnos = dict[str, tuple[str, ...]]
"""Topic to docnos in byte order; topics without any are absent."""


@dataclass(frozen=True, slots=True, repr=False)
class DepthPool(Shown):
    """The union of the top documents of each run, with the contribution of each run."""

    topics: Docnos
    contributions: dict[str, Docnos]

    def _shown(self) -> Outline:
        topics, runs = counted(len(self.topics), "topic"), counted(len(self.contributions), "run")
        unique = self.unique_to_runs()
        rows = (
            (run, *(f"{sum(map(len, part.values())):,}" for part in (ranking, unique.get(run, {}))))
            for run, ranking in self.contributions.items()
        )
        line = f"{counted(self.size, 'item')} of {topics} from {runs}"
        return Outline(line, ("run", "contributed", "unique"), rows)

    @property
    def size(self) -> int:
        """Number of pool items, which are pairs of topic and document."""
        return sum(len(docnos) for docnos in self.topics.values())

    @property
    def slot_count(self) -> int:
        """Number of contributed (run, topic, document) slots before the union."""
        return sum(len(docnos) for ranking in self.contributions.values() for docnos in ranking.values())

    @property
    def overlap(self) -> float | None:
        """Share of slots removed by the union, 1 - size / slots; None for an empty pool."""
        return 1 - self.size / self.slot_count if self.slot_count else None

    def to_frame(self, seed: int = 0) -> pl.DataFrame:
        """One row per item, topic and docno, each topic's in the ``presentation_order`` of the seed."""
        rows = [
            (topic, docno)
            for topic, docnos in self.topics.items()
            for docno in presentation_order(docnos, topic=topic, seed=seed)
        ]
        return pl.DataFrame(rows, schema={"topic": pl.String, "docno": pl.String}, orient="row")

    def unique_to_runs(self) -> dict[str, Docnos]:
        """Documents that only one run contributed, by run and topic; runs without any are absent."""
        return self.unique_to({run: run for run in self.contributions})

    def unique_to(self, groups: Mapping[str, str]) -> dict[str, Docnos]:
        """Documents that only one group contributed (NIST's rule), by group and topic.

        `groups` maps each run to its team or family. Groups and topics without such documents are absent.
        """
        merged: dict[str, dict[str, set[str]]] = {}
        for run, topics in self.contributions.items():
            for topic, docnos in topics.items():
                merged.setdefault(groups[run], {}).setdefault(topic, set()).update(docnos)
        givers = Counter(
            (topic, docno) for topics in merged.values() for topic in topics for docno in topics[topic]
        )
        unique = {
            group: _ordered({t: [d for d in docnos if givers[t, d] == 1] for t, docnos in topics.items()})
            for group, topics in merged.items()
        }
        return {group: docnos for group, docnos in unique.items() if docnos}


def depth_pool(rankings: Mapping[str, Ranking], depth: Mapping[str, int]) -> DepthPool:
    """Pool the first `depth[run]` documents of every topic of every run; depth 0 excludes a run.

    Raises pool-depth-missing, which names each run whose depth is absent or below 0.
    """
    faulty = sorted(run for run in rankings if depth.get(run, -1) < 0)
    if faulty:
        raise InputError(
            f"give a pool depth of 0 or more for: {', '.join(faulty)}", code="pool-depth-missing"
        )
    contributions = {
        run: _ordered({topic: docnos[: depth[run]] for topic, docnos in ranking.items()})
        for run, ranking in rankings.items()
        if depth[run]
    }
    topics: dict[str, set[str]] = {}
    for contribution in contributions.values():
        for topic, docnos in contribution.items():
            topics.setdefault(topic, set()).update(docnos)
    return DepthPool(_ordered(topics), contributions)


def presentation_order(docnos: Iterable[str], *, topic: str, seed: int) -> list[str]:
    """The order in which assessors see the documents of a topic: by a hash of seed, topic and docno.

    It depends on nothing else, so it reveals nothing about runs, ranks, grades or other documents.
    """
    return sorted(docnos, key=lambda docno: sha256(f"{seed}\0{topic}\0{docno}".encode()).digest())


def _ordered(topics: Mapping[str, Iterable[str]]) -> Docnos:
    """Topics and docnos in byte order (UTF-8 keeps Python's order of code points); empty topics dropped."""
    return {topic: tuple(sorted(set(topics[topic]))) for topic in sorted(topics) if topics[topic]}


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
