"""Which assessors' grades look careless: hardly above chance with others, all the same, or too fast."""

from collections.abc import Mapping

import numpy as np

from trackside.arrays import Ints
from trackside.findings.verdicts import is_at_chance
from trackside.statistics.agreement import kappa_of_matrices

ENOUGH = 50  # items, below which nobody is named
FAST = 1.0  # seconds: nobody reads a topic and looks at a document in less
SAME = 0.95  # share of one grade from which the grades are compared with others'
RARE = 0.001  # probability of so many equal grades, if the assessor graded as others do
Z = 1.96


def kappa_range(matrix: Ints, scale: tuple[int, ...]) -> tuple[float, float, float]:
    """Return Cohen's kappa and the ends of its 95 % interval, by the jackknife over items; NaN if undefined.

    ``matrix`` counts the items by both grades, in the order of the scale.
    """
    cells = np.argwhere(matrix)
    left_out = np.repeat(matrix[None], len(cells), axis=0)
    left_out[np.arange(len(cells)), cells[:, 0], cells[:, 1]] -= 1
    kappa = float(kappa_of_matrices(matrix[None], scale)[0])
    values, counts = kappa_of_matrices(left_out, scale), matrix[tuple(cells.T)]
    count = counts.sum()
    spread = (values - np.average(values, weights=counts)) ** 2 @ counts
    half = Z * float(np.sqrt((count - 1) / count * spread))
    return kappa, kappa - half, kappa + half


def people_at_chance(
    shared: Mapping[tuple[int, int], Ints], scale: tuple[int, ...]
) -> list[tuple[tuple[int, ...], float]]:
    """Return (people, kappa) of those who agree with the others hardly more than by chance, worst first.

    ``shared`` has each pair of people once, with the items by the first one's grades and the second's. A
    person who is named no longer counts as a partner, so one careless person does not make the careful
    suspect. If only two are left to compare, both are named, because nobody can say who of them is careless.
    """
    matrices, careless = dict(shared), []
    while matrices:
        ranges = _against_others(matrices, scale)
        suspects = {person: kappa for person, (kappa, low, high) in ranges.items() if is_at_chance(low, high)}
        if not suspects:
            break
        if len(ranges) == 2:
            careless.append((tuple(sorted(ranges)), suspects.popitem()[1]))
            break
        worst = min(suspects, key=lambda person: ranges[person][2])
        careless.append(((worst,), suspects[worst]))
        matrices = {pair: matrix for pair, matrix in matrices.items() if worst not in pair}
    return careless


def _against_others(
    shared: Mapping[tuple[int, int], Ints], scale: tuple[int, ...]
) -> dict[int, tuple[float, float, float]]:
    sums: dict[int, Ints] = {}
    for (first, second), matrix in shared.items():
        sums[first] = sums.get(first, 0) + matrix
        sums[second] = sums.get(second, 0) + matrix.T
    return {person: kappa_range(matrix, scale) for person, matrix in sums.items() if matrix.sum() >= ENOUGH}


def is_straight(tallies: Mapping[str, Ints], peers: Mapping[str, Ints]) -> bool:
    """Whether a person gives one grade far more often than others do on the same topics.

    Both count grades by topic, in the order of the scale. Without anybody else on a topic the person is
    compared with all others; without others at all, only one and the same grade for every item is named.
    """
    from scipy.stats import binom

    totals = np.sum(list(tallies.values()), axis=0)
    count, most = int(totals.sum()), int(totals.max())
    if count < ENOUGH or most < SAME * count:
        return False
    everyone = np.sum(list(peers.values()), axis=0) if peers else np.zeros_like(totals)
    if not everyone.sum():
        return most == count and count >= 2 * ENOUGH
    grade = int(totals.argmax())
    expected = sum(_share(peers.get(topic, everyone), grade) * row.sum() for topic, row in tallies.items())
    return bool(binom.sf(most - 1, count, expected / count) < RARE)


def _share(grades: Ints, grade: int) -> float:
    """Return the share of a grade, with one item of each grade added, so that none is impossible."""
    return float((grades[grade] + 1) / (grades.sum() + len(grades)))


def is_too_fast(median_seconds: float | None, count: int) -> bool:
    """Whether half of a person's judgments took less time than a look takes."""
    return median_seconds is not None and count >= ENOUGH and median_seconds < FAST
