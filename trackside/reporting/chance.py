"""A judge by chance: the judges' grades, shuffled over all pairs, compared with people as judges are."""

from dataclasses import dataclass

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.findings.excess import relative_delta
from trackside.findings.retrieved import means_of
from trackside.measuring.lookup import ABSENT
from trackside.reporting.study import PEOPLE, Study
from trackside.statistics.correlation import kendall_tau_b_of_rows, pearson_of_rows, spearman_of_rows

CHANCE = "chance, same mapping"
DRAWS = 20  # the mean tau over 16 runs then has a standard error of .04


@dataclass(frozen=True, slots=True)
class ChanceMeasure:
    """Means over the draws by one measure; None where no draw has a value."""

    tau: float | None
    rho: float | None
    r: float | None
    deltas: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class Chance:
    """Orders by each measure: means over the draws. Agreement: expected over all of them.

    ``matrix`` [people, judge] is proportional to the expected counts of the pairs. A coefficient of agreement
    is linear in the counts if their sums by row and column are fixed: that of the matrix is its expectation.
    """

    matrix: tuple[tuple[int, ...], ...]
    measures: dict[str, ChanceMeasure]


def chance_of(study: Study) -> Chance | None:
    """Draw grades for all pairs that people graded from those that the judges gave; None without any."""
    pairs = study.in_pair_order(study.shared_pairs(PEOPLE))
    pooled = study.grades[study.judges][:, pairs].ravel()
    pooled = pooled[pooled >= 0]
    if not pooled.size:
        return None
    rng = np.random.default_rng(study.design.seed)
    topics, scale = study.shared_topics(PEOPLE), study.design.scale
    people, measures = study.grades[PEOPLE], study.measures
    means = []
    for _ in range(DRAWS):
        grades = np.full(study.topic_of_pair.size, ABSENT)
        grades[pairs] = np.resize(rng.permutation(pooled), pairs.size)
        means.append(_means(study, grades, measures, topics))
    by_people, draws = _means(study, people, measures, topics), np.array(means)
    of_people, of_judges = (
        [int((grades == grade).sum()) for grade in scale] for grades in (people[pairs], pooled)
    )
    return Chance(
        tuple(tuple(row * column for column in of_judges) for row in of_people),
        {name: _measure(study, by_people[index], draws[:, index]) for index, name in enumerate(measures)},
    )


def _means(study: Study, grades: Ints, measures: tuple[str, ...], topics: Ints) -> Floats:
    """Means [measure, run] under these grades of the pairs."""
    return np.array([means_of(values[:, topics]) for values in study.values_under(grades, measures)])


def _measure(study: Study, people: Floats, draws: Floats) -> ChanceMeasure:
    """Compare people's means [run] with those of each draw [draw, run]."""
    is_known = ~np.isnan(people) & ~np.isnan(draws).any(axis=0)
    defined = draws[:, is_known]
    truth = np.broadcast_to(people[is_known], defined.shape)
    members = {family: study.in_family(family)[is_known] for family in study.families}
    return ChanceMeasure(
        _mean(kendall_tau_b_of_rows(truth, defined)),
        _mean(spearman_of_rows(truth, defined)),
        _mean(pearson_of_rows(truth, defined)),
        {
            family: _mean(np.array([relative_delta(row, is_in) for row in defined]))
            for family, is_in in members.items()
            if is_in.any() and not is_in.all()
        },
    )


def _mean(values: Floats) -> float | None:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else None
