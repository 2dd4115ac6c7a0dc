"""Do the findings hold in all groups of topics? The same numbers within strata, each with its n."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.tables import Column, Number, Section, Table
from evaluation.core.report.matrices import topic_matrices
from evaluation.core.report.resampled import sampled
from evaluation.core.report.study import PEOPLE
from evaluation.core.runs.strata import harmonic_mean
from evaluation.core.statistics.agreement.coefficients import kappa_of_matrix
from evaluation.core.statistics.estimate import Interval, Reason
from evaluation.core.uncertainty import LEVEL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.core.arrays import Ints
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study

DIFFICULTY = "difficulty"
THIRDS = ("hard", "medium", "easy")
NOT_COVERED = Interval.undefined(Reason.NOT_COVERED, LEVEL)
"""Of thirds by difficulty, which are chosen by the same values: under a noisy judge intervals cover 88 %."""


def strata_section(study: Study) -> Section:
    """Numbers by the design's divisions of topics, and by thirds of the topics by difficulty."""
    tables = (_judges(study), _runs(study))
    name = _difficulty(study)
    says = (f"{name.capitalize()}: thirds of the topics by the median run's value under people.",)
    return Section("strata", "Groups of topics", says, tables)


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


def _judges(study: Study) -> Table:
    columns = (
        Column("measure"),
        Column("judge"),
        Column("division"),
        Column("stratum"),
        Column("topics", ",d"),
        Column("tau", "z.2f", has_interval=True),
        Column("items", ",d"),
        Column("kappa", "z.2f"),
    )
    rows: list[tuple[Cell, ...]] = []
    matrices = {judge: topic_matrices(study, judge) for judge in study.others}
    for at, measure in enumerate(study.measures):
        for judge in study.others:
            topics = study.shared_topics(PEOPLE, judge)
            for division, strata in divisions(study).items():
                for stratum, members in strata.items():
                    chosen = np.intersect1d(members, topics)
                    shared = study.shared_values(at, PEOPLE, judge, topics=chosen)
                    matrix = matrices[judge][chosen].sum(axis=0)
                    kappa = Number.of(kappa_of_matrix(matrix, study.design.scale))
                    found = sampled(study, "tau", shared)
                    is_chosen = division == _difficulty(study)
                    tau = Number.of(found.value, NOT_COVERED) if is_chosen else found.number
                    cells = (division, stratum, chosen.size, tau, int(matrix.sum()), kappa)
                    rows.append((measure, study.name(judge), *cells))
    return Table("strata", "Each judge within each stratum.", columns, tuple(rows))


def _runs(study: Study) -> Table:
    """Mean of each run under people in each stratum, and the harmonic mean of the strata."""
    columns = (
        Column("measure"),
        Column("division"),
        Column("run"),
        Column("stratum"),
        Column("topics", ",d"),
        Column("value", ".4f"),
    )
    rows: list[tuple[Cell, ...]] = []
    judged = study.shared_topics(PEOPLE)
    for at, measure in enumerate(study.measures):
        for division, strata in divisions(study).items():
            chosen = {name: np.intersect1d(members, judged) for name, members in strata.items()}
            for run, tag in enumerate(study.tags):
                means = {name: _mean(study, at, run, topics) for name, topics in chosen.items()}
                for name, mean in means.items():
                    rows.append((measure, division, tag, name, chosen[name].size, mean))
                together = Number.of(harmonic_mean(list(means.values())))
                count = sum(topics.size for topics in chosen.values())
                rows.append((measure, division, tag, "harmonic mean", count, together))
    return Table("runs-by-stratum", "Each run under people within each stratum.", columns, tuple(rows))


def _mean(study: Study, at: int, run: int, topics: Ints) -> float | None:
    values = study.values[PEOPLE, at, run, topics]
    return float(values.mean()) if values.size and not np.isnan(values).any() else None
