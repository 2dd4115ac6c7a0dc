"""Divisions of the topics into strata: those of the design, and thirds by difficulty."""

from collections.abc import Mapping

import numpy as np

from trackside.arrays import Ints
from trackside.reporting.study import PEOPLE, Study

DIFFICULTY = "difficulty"
THIRDS = ("hard", "medium", "easy")


def divisions(study: Study) -> dict[str, dict[str, Ints]]:
    """Indices of the topics of each stratum of each division; difficulty comes last."""
    place = {topic: at for at, topic in enumerate(study.topics)}
    found = {name: _grouped(stratum_of, place) for name, stratum_of in study.design.strata.items()}
    return found | {_difficulty(study): _by_difficulty(study)}


def _difficulty(study: Study) -> str:
    """Return a name for the division by difficulty that no division of the design has."""
    name = DIFFICULTY
    while name in study.design.strata:
        name += " for runs"
    return name


def topics_of_strata(study: Study) -> dict[str, dict[str, list[str]]]:
    """Topic names of each stratum of each division, as plain JSON."""
    return {
        division: {name: [study.topics[at] for at in members] for name, members in strata.items()}
        for division, strata in divisions(study).items()
    }


def _grouped(stratum_of: Mapping[str, str], place: Mapping[str, int]) -> dict[str, Ints]:
    groups: dict[str, list[int]] = {name: [] for name in sorted(set(stratum_of.values()))}
    for topic, name in stratum_of.items():
        if topic in place:
            groups[name].append(place[topic])
    return {name: np.array(sorted(topics), dtype=np.int64) for name, topics in groups.items()}


def _by_difficulty(study: Study) -> dict[str, Ints]:
    shared = study.shared_values(0, PEOPLE)
    if not shared.runs.size:
        return {name: np.empty(0, np.int64) for name in THIRDS}
    medians = np.median(shared.values[0], axis=0)
    order = shared.topics[np.argsort(medians, kind="stable")]
    return {name: np.sort(part) for name, part in zip(THIRDS, np.array_split(order, 3), strict=True)}
