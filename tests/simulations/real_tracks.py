"""Tracks resampled from real ones: topics drawn again, judges with the errors of real language models.

The folder holds one folder a track (`runs/*.gz`, one `*qrels.gz`) and `judge-errors-dl2020.json`: counts of
pairs by people's grade and a model's, for each model and topic. A judge has the errors of one topic, drawn at
random for each topic of the track, and does not see runs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.design import Design, GradedSet
from evaluation.core.report.filling import study_of
from evaluation.core.report.sections.saving.curves import neighbours
from evaluation.core.report.sections.saving.items import CUT, Items
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.saving.prediction_powered import powered_means
from evaluation.core.trec_files import Qrels, Rankings
from tests.simulations.coverage import chosen_items, coverage, items_coverage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from evaluation.core.arrays import Flags, Floats, Ints
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.saving.prediction_powered import EstimatedMeans
    from tests.simulations.coverage import Coverage

SEED = 20261123
DRAWS = 4  # judges of each model whose values by topic are stored
TRACKS = 1_000
TOPIC_SIZES, ITEM_SIZES = (20, 40), (100, 200, 500, 1_000)
MEASURES = ("nDCG@10", "AP", "P@10", "RR@10")
LEVELS = {"robust03": 1, "dl2021": 2}


def real_rows(folder: Path) -> Iterator[tuple[str, str, str, int, Coverage]]:
    """As `coverage.rows`, over all models in turn."""
    errors = errors_of(folder / "judge-errors-dl2020.json")
    for name, level in LEVELS.items():
        random = np.random.default_rng(SEED)
        track = RealTrack(real_study(folder / name, level, errors, random), errors, level)
        for at, measure in enumerate(MEASURES):
            for n in TOPIC_SIZES:
                mean, difference = track.topic_coverage(at, n, random)
                yield "mean, topics", f"{name}, {measure}", "models in turn", n, mean
                yield "difference, topics", f"{name}, {measure}", "models in turn", n, difference
        for n in ITEM_SIZES:
            mean, difference = track.item_coverage(n, random)
            yield "P@10, items", name, "models in turn", n, mean
            yield "difference, items", name, "models in turn", n, difference


def errors_of(path: Path) -> list[Floats]:
    """For each model the cumulated shares of its grades, [topic, people's grade, model's grade].

    A grade that people did not give on a topic has the model's shares over all topics; for other grades these
    count as one further pair.
    """
    found = []
    for counts in json.loads(path.read_text())["judges"].values():
        overall = np.array(counts["overall"], dtype=np.float64)
        by_topic = np.array(list(counts["by_topic"].values()), dtype=np.float64)
        by_topic += overall / overall.sum(axis=1, keepdims=True)
        shares = by_topic / by_topic.sum(axis=2, keepdims=True)
        found.append(shares.cumsum(axis=2))
    return found


def drawn_grades(grades: Ints, topics: Ints, errors: Floats, random: np.random.Generator) -> Ints:
    """A model's grades of pairs with people's grades, at most their highest one."""
    source = random.integers(0, len(errors), topics.max() + 1)
    cumulated = errors[source[topics], np.minimum(grades, errors.shape[1] - 1)]
    drawn: Ints = np.minimum((random.random((grades.size, 1)) > cumulated).sum(axis=1), grades.max())
    return drawn


def real_study(folder: Path, level: int, errors: list[Floats], random: np.random.Generator) -> Study:
    """People's qrels and DRAWS judges of each model."""
    (path,) = folder.glob("*qrels.gz")
    people = Qrels.from_file(str(path), name="people")
    grades = np.maximum(people.grades, 0)
    rows = list(zip(people.topic_of_row.tolist(), people.docnos.to_list(), strict=True))
    sets = [_graded("people", people)]
    for draw in range(DRAWS):
        for place, each in enumerate(errors):
            own: dict[str, dict[str, int]] = {topic: {} for topic in people.topics}
            found = drawn_grades(grades, people.topic_of_row, each, random).tolist()
            for (topic, docno), grade in zip(rows, found, strict=True):
                own[people.topics[topic]][docno] = grade
            name = f"{place}-{draw}"
            sets.append(_graded(name, Qrels.from_dict(own, name=name)))
    scale = tuple(range(int(grades.max()) + 1))
    paths = sorted((folder / "runs").glob("*.gz"))
    runs = (Rankings.from_file(str(each), tag=each.name.removesuffix(".gz")) for each in paths)
    return study_of(Design(scale, level, MEASURES), None, runs, sets)


def _graded(name: str, qrels: Qrels) -> GradedSet:
    return GradedSet({"name": name, "sha256": qrels.sha256}, qrels)


@dataclass(frozen=True)
class RealTrack:
    """A study of a real track, and the models' errors."""

    study: Study
    errors: list[Floats]
    level: int

    def topic_coverage(self, at: int, n: int, random: np.random.Generator) -> tuple[Coverage, Coverage]:
        """Coverage for the means of all runs and the differences of neighbours, by n topics."""
        means, differences = [], []
        for track in range(TRACKS):
            judge = 1 + track % (len(self.study.sets) - 1)
            shared = self.study.own_values(at, PEOPLE, judge)
            total = shared.topics.size
            people, own = shared.values[:, :, random.integers(0, total, total)]
            drawn = random.permutation(total)[:n]
            means.append(_estimated(people, own, drawn))
            first, second = np.array(list(neighbours(people.mean(axis=1)))).T
            differences.append(_estimated(people[first] - people[second], own[first] - own[second], drawn))
        return coverage(means), coverage(differences)

    def item_coverage(self, n: int, random: np.random.Generator) -> tuple[Coverage, Coverage]:
        """The same by n items."""
        tracks = (self._items(self.errors[track % len(self.errors)], random) for track in range(TRACKS))
        return items_coverage((items, chosen_items(items, n, random)) for items in tracks)

    @cached_property
    def _top(self) -> tuple[Flags, Ints, Ints]:
        """Pairs in the first ten of any run: which run has them [run, pair], their grades and topics."""
        is_top = np.zeros((len(self.study.runs), self.study.topic_of_pair.size), dtype=np.bool_)
        for row, found in zip(is_top, self.study.retrieved, strict=True):
            row[found.pairs[found.ranks < CUT]] = True
        is_kept = is_top.any(axis=0) & (self.study.grades[PEOPLE] >= 0)
        return is_top[:, is_kept], self.study.grades[PEOPLE][is_kept], self.study.topic_of_pair[is_kept]

    def _items(self, errors: Floats, random: np.random.Generator) -> Items:
        is_top, grades, topics = self._top
        count = len(self.study.topics)
        places = [np.flatnonzero(topics == topic) for topic in random.integers(0, count, count)]
        sizes = [each.size for each in places]
        drawn, copies = np.concatenate(places), np.repeat(np.arange(count), sizes)
        own = drawn_grades(grades[drawn], copies, errors, random)
        people = grades[drawn] >= self.level
        return Items(is_top[:, drawn], people, own >= self.level, 1 / (CUT * count))


def _estimated(people: Floats, own: Floats, drawn: Ints) -> tuple[EstimatedMeans, Floats]:
    found = powered_means(people[:, drawn], own[:, drawn], own.mean(axis=1), units=people.shape[1])
    return found, people.mean(axis=1)
