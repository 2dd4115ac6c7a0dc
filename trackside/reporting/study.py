"""The input of all sections of a report as arrays, filled in one pass over the runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.errors import InputError
from trackside.figures.series import series_classes
from trackside.files import Qrels, Rankings
from trackside.findings.retrieved import GradedPairs, Retrieved, Shared, means_of, retrieved_of
from trackside.measuring.lookup import ABSENT, JudgedPairs
from trackside.measuring.meetings import meeting
from trackside.reporting.design import Design, GradedSet, ReportRun, not_comparable, refuse_incomparable
from trackside.text.counted import counted
from trackside.uncertainty.ranks import draw_counts, sampled_means

PEOPLE = 0  # index of the reference among the sets of qrels


@dataclass(frozen=True)
class Study:
    """Runs (R), sets of qrels (S, the first is the reference), topics (T) and judged pairs (P).

    ``grades[set, pair]`` is a grade, or negative without one; ``raw_scores[set, pair]`` is NaN without one;
    ``values[set, measure, run, topic]`` is NaN where the topic is not judged or a value is undefined.
    ``unmet`` has a line for each run whose topics or documents hardly meet people's.
    """

    design: Design
    runs: tuple[ReportRun, ...]
    sets: tuple[GradedSet, ...]
    topics: tuple[str, ...]
    docnos: tuple[str, ...]
    topic_of_pair: Ints
    is_judged: Flags
    grades: Ints
    raw_scores: Floats
    retrieved: tuple[Retrieved, ...]
    values: Floats
    unmet: tuple[str, ...] = ()
    _shared: dict[tuple[int, ...], Floats] = field(default_factory=dict, repr=False)

    @property
    def others(self) -> range:
        """Indices of all sets but the reference."""
        return range(1, len(self.sets))

    @property
    def judges(self) -> list[int]:
        """Indices of the sets made by models; people are not among them."""
        return [index for index in self.others if self.sets[index].facts.kind != "second"]

    @property
    def seconds(self) -> list[int]:
        """Indices of the sets made by second assessors, the yardstick of the judges."""
        return [index for index in self.others if self.sets[index].facts.kind == "second"]

    @property
    def tags(self) -> list[str]:
        """The runs' tags in byte order, which is the order of ``runs``."""
        return [run.tag for run in self.runs]

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of the measures."""
        return self.design.measures

    def name(self, set_index: int) -> str:
        """The name of a set of qrels."""
        return self.sets[set_index].name

    def shared_topics(self, *sets: int) -> Ints:
        """Topics with pairs that all these sets grade, as indices into ``topics``."""
        return np.unique(self.topic_of_pair[self.shared_pairs(*sets)])

    def shared_pairs(self, *sets: int) -> Ints:
        """Indices of the pairs that all these sets grade."""
        return np.flatnonzero((self.grades[list(sets)] >= 0).all(axis=0))

    @cached_property
    def pair_order(self) -> Ints:
        """Rank of each pair by topic and docno: the study's own order differs from process to process."""
        ordered = sorted(
            range(len(self.docnos)), key=lambda pair: (self.topic_of_pair[pair], self.docnos[pair].encode())
        )
        rank = np.empty(len(ordered), dtype=np.int64)
        rank[ordered] = np.arange(len(ordered))
        return rank

    def in_pair_order(self, pairs: Ints) -> Ints:
        """Sort the pairs by topic and docno, so that random draws from them are the same in every process."""
        ordered: Ints = pairs[np.argsort(self.pair_order[pairs])]
        return ordered

    def shared_values(self, measure: int, *sets: int, topics: Ints | None = None) -> Shared:
        """Values of the runs with one in all sets, over shared topics, from the pairs that all sets grade."""
        topics = self.shared_topics(*sets) if topics is None else topics
        values = self._on_shared_pairs(sets)[:, measure][:, :, topics]
        return Shared.complete(values, topics)

    def _on_shared_pairs(self, sets: tuple[int, ...]) -> Floats:
        """Values [set, measure, run, topic] from the pairs that all the sets grade."""
        key = tuple(sorted(set(sets)))
        if key not in self._shared:
            is_shared = np.zeros(self.grades.shape[1], dtype=np.bool_)
            is_shared[self.shared_pairs(*key)] = True
            in_shared_topic = np.isin(self.topic_of_pair, self.shared_topics(*key))
            self._shared[key] = np.array(
                [
                    self.values[index]
                    if is_shared[in_shared_topic & (self.grades[index] != ABSENT)].all()
                    else self.values_under(np.where(is_shared, self.grades[index], ABSENT), self.measures)
                    for index in key
                ]
            )
        return self._shared[key][[key.index(index) for index in sets]]

    def values_under(self, grades: Ints, measures: Sequence[str]) -> Floats:
        """Values [measure, run, topic] under any grades of the pairs."""
        judgments = self.judgments(grades)
        return np.array([judgments.values(run, measures) for run in self.retrieved]).swapaxes(0, 1)

    def means(self, set_index: int, measure: int) -> Floats:
        """Mean of each run over the topics that the set judges; NaN when a topic has no value."""
        values = self.values[set_index, measure][:, self.is_judged[set_index]]
        return means_of(values)

    def counts(self, topic_count: int) -> Ints:
        """Count the draws of each topic in each resample; the same for all statistics of this topic count."""
        return draw_counts(topic_count, seed=self.design.seed, replicates=self.design.replicates)

    def sampled_means(self, values: Floats) -> Floats:
        """Means of the runs in each resample of topics: (runs, topics) values give (resamples, runs)."""
        return sampled_means(values, self.counts(values.shape[1]))

    def judgments(self, grades: Ints) -> GradedPairs:
        """Wrap the grades of the pairs, to compute values of any run."""
        return GradedPairs(grades, self.topic_of_pair, len(self.topics))

    @cached_property
    def declared_families(self) -> list[str]:
        """All families of the runs, by name."""
        return sorted({family for run in self.runs for family in run.families})

    @cached_property
    def families(self) -> list[str]:
        """Families that some but not all runs belong to, by name: only these can be compared with others."""
        names = self.declared_families
        return [name for name in names if 0 < sum(name in run.families for run in self.runs) < len(self.runs)]

    @cached_property
    def series(self) -> dict[str, str]:
        """CSS class of each set of qrels by its name."""
        return series_classes((graded.name, graded.facts.kind, graded.facts.joined) for graded in self.sets)

    @cached_property
    def teams(self) -> list[str]:
        """The team of each run; a run without one is its own team."""
        return [run.team or f"\0{run.tag}" for run in self.runs]

    def teams_of(self, runs: Iterable[int]) -> list[str]:
        """The teams of these runs; empty if no run of the study has a declared team."""
        return [self.teams[run] for run in runs] if any(run.team for run in self.runs) else []

    def in_family(self, family: str) -> Flags:
        """Flag the runs of the family."""
        return np.array([family in run.families for run in self.runs], dtype=np.bool_)

    @property
    def basis(self) -> str:
        """Basis of every number: qrels hashes, topics, level, seed and resamples."""
        hashes = ", ".join(f"{graded.name} {graded.facts.sha256[:12]}" for graded in self.sets)
        return (
            f"Qrels by SHA-256: {hashes}. {counted(len(self.topics), 'topic')}, relevant from grade "
            f"{self.design.level}, seed {self.design.seed}, {self.design.replicates:,} resamples."
            + self.design.bounds
        )


def study_of(
    design: Design,
    runs: Sequence[ReportRun] | None,
    rankings: Iterable[Rankings],
    sets: Sequence[GradedSet],
) -> Study:
    """Look the runs up in all qrels, one run at a time; the first set is the reference. Raises InputError."""
    if not design.measures:
        raise not_comparable(", ".join(design.left_out) or "no measures")
    refuse_incomparable(design.measures)
    pairs = JudgedPairs([graded.qrels for graded in sets])
    described = None if runs is None else {run.tag: run for run in runs}
    results = _look_up(rankings, sets[0].qrels, pairs, design, described)
    tags = sorted(results, key=str.encode)
    values = np.array([results[tag].values for tag in tags]).transpose(1, 2, 0, 3)
    values[np.broadcast_to(~pairs.is_judged[:, None, None, :], values.shape)] = np.nan
    for index, name in enumerate(design.measures):
        if (values[:, index] < 0).any():  # by unusual options, such as SetF with x below 0
            raise not_comparable(name)
    docnos = tuple(pairs.docnos.to_list())
    return Study(
        design,
        tuple(results[tag].run for tag in tags),
        tuple(replace(graded, raw_scores={}) for graded in sets),  # they follow as an array
        pairs.topics,
        docnos,
        pairs.topic_of_pair,
        pairs.is_judged,
        pairs.grades,
        _raw_scores(sets, pairs, docnos),
        tuple(results[tag].retrieved for tag in tags),
        values,
        tuple(f"{tag}: {results[tag].unmet}" for tag in tags if results[tag].unmet),
    )


class _StudiedRun(NamedTuple):
    """A run with its results, its values [set, measure, topic], a line if its ids hardly meet people's."""

    run: ReportRun
    retrieved: Retrieved
    values: Floats
    unmet: str


def _look_up(
    rankings: Iterable[Rankings],
    people: Qrels,
    pairs: JudgedPairs,
    design: Design,
    described: Mapping[str, ReportRun] | None,
) -> dict[str, _StudiedRun]:
    """Look the runs up in all qrels, by tag. Raises InputError."""
    judgments = [GradedPairs(grades, pairs.topic_of_pair, len(pairs.topics)) for grades in pairs.grades]
    studied = {}
    for ranking in rankings:
        run = ReportRun(ranking.tag, "", ()) if described is None else described.get(ranking.tag)
        if run is None:
            raise InputError(f"run {ranking.tag} is not in the list of runs. Add it, or leave it out.")
        results = pairs.find(ranking)
        retrieved = retrieved_of(ranking, pairs, results)
        values = np.array([grades.values(retrieved, design.measures) for grades in judgments])
        unmet = meeting(ranking, results, people, pairs, whole=ranking).line
        studied[ranking.tag] = _StudiedRun(run, retrieved, values, unmet)
    if not studied:
        raise InputError("no runs: name at least one.")
    return studied


def _raw_scores(sets: Sequence[GradedSet], pairs: JudgedPairs, docnos: Sequence[str]) -> Floats:
    index_of_pair = {
        (pairs.topics[topic], docno): index
        for index, (topic, docno) in enumerate(zip(pairs.topic_of_pair.tolist(), docnos, strict=True))
    }
    scores = np.full(pairs.grades.shape, np.nan)
    for row, graded in zip(scores, sets, strict=True):
        for pair, score in graded.raw_scores.items():
            if pair in index_of_pair:
                row[index_of_pair[pair]] = score
    return scores
