"""Real tracks and real judges' errors to draw from, if TRACKSIDE_CASES names their folder."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.measures.lookup import JudgedPairs
from evaluation.core.report.retrieved import GradedPairs, retrieved_of
from evaluation.core.trec_files import Qrels, Rankings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from evaluation.core.arrays import Floats, Ints

MEASURE = "nDCG@10"
TRACKS = {"dl2021": "nist.qrels.gz", "robust03": "robust03.qrels.gz"}
JUDGES = 2  # number of real judges used


def cases_folder() -> Path | None:
    """The folder of real tracks; None without TRACKSIDE_CASES."""
    root = os.environ.get("TRACKSIDE_CASES")
    folder = Path(root or "") / "real"
    return folder if root and folder.is_dir() else None


@cache
def _errors() -> dict[str, Ints]:
    """Confusion matrices (topics, 4, 4) of a few real judges, by name."""
    folder = cases_folder()
    if folder is None:
        return {}
    judges = json.loads((folder / "judge-errors-dl2020.json").read_text())["judges"]
    step = max(1, len(judges) // JUDGES)
    chosen = list(judges)[::step][:JUDGES]
    return {name: np.array(list(judges[name]["by_topic"].values())) for name in chosen}


def judge_matrices() -> dict[str, Callable[[np.random.Generator, int], Ints]]:
    """For each real judge a function that draws topics of its DL 2020 confusion matrices."""
    return {f"DL 2020, {name}": partial(_draw, matrices) for name, matrices in _errors().items()}


def _draw(matrices: Ints, random: np.random.Generator, n: int) -> Ints:
    return matrices[random.integers(0, len(matrices), n)]


@dataclass(frozen=True)
class RealTrack:
    """Values under people, (runs, topics), and under each drawn judge, (draws, runs, topics)."""

    name: str
    people: Floats
    judges: Floats


def real_tracks(draws: int, seed: int) -> Iterator[RealTrack]:
    """Each real track under judges drawn grade by grade from a real judge's errors, blind to runs."""
    folder = cases_folder()
    if folder is None:
        return
    for track, qrels_name in TRACKS.items():
        random = np.random.default_rng(seed)
        pairs = JudgedPairs([Qrels.from_file(folder / track / qrels_name)])
        people = np.maximum(pairs.grades[0], 0)
        drawn = {
            name: [_drawn(people, pairs.topic_of_pair, errors, random) for _ in range(draws)]
            for name, errors in _errors().items()
        }
        every = [people, *(grades for group in drawn.values() for grades in group)]
        graded = [GradedPairs(grades, pairs.topic_of_pair, len(pairs.topics)) for grades in every]
        files = sorted((folder / track / "runs").iterdir())
        found = (retrieved_of(Rankings.from_file(file, tag=file.stem), pairs) for file in files)
        values = np.array([[each.values(run, (MEASURE,))[0] for each in graded] for run in found])
        by_set = np.nan_to_num(values).swapaxes(0, 1)
        for place, name in enumerate(drawn):
            yield RealTrack(f"{track}, {name}", by_set[0], by_set[1 + place * draws :][:draws])


def _drawn(people: Ints, topic_of_pair: Ints, errors: Ints, random: np.random.Generator) -> Ints:
    """A judge's grades: the errors of a topic are those of a topic drawn from the real judge's."""
    overall = errors.sum(axis=0)
    seen = errors.sum(axis=2, keepdims=True) > 0
    chances = np.where(seen, errors, overall) / np.where(seen, errors, overall).sum(axis=2, keepdims=True)
    source = random.integers(0, len(errors), topic_of_pair.max() + 1)[topic_of_pair]
    reached = chances[source, people].cumsum(axis=1)
    drawn: Ints = np.minimum((random.random(len(people))[:, None] > reached).sum(axis=1), errors.shape[1] - 1)
    return drawn
