"""Coverage and size of jackknife intervals of agreement, over topics whose confusion differs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.agreement import UNCOVERED, fewest_for_alpha, fewest_for_class, interval_scale
from evaluation.core.report.sections.differences import AGREEMENTS
from evaluation.core.statistics.agreement.rows import (
    accuracy_of_class,
    alpha_at_cut_of_matrices,
    coefficients,
    mean_accuracy_of_classes,
)
from evaluation.core.statistics.estimate import Estimate
from evaluation.core.uncertainty import FEWEST_TOPICS_FOR_RECALL, jackknife_difference, jackknife_ends
from tests.simulations.means import TOPICS
from tests.simulations.real import judge_matrices
from tests.simulations.rows import COVERAGE, SIZE, Row, share_held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.statistics.agreement.rows import MatrixStatistic
    from evaluation.core.uncertainty import ErrorScale

    Draw = Callable[[np.random.Generator, int], Ints]
    Statistic = tuple[MatrixStatistic, ErrorScale, int]  # and the fewest topics of its interval

SCALE = (0, 1, 2, 3)
MANY_TOPICS = (75, 150)  # for shares that need more topics than the others
MANY = 200_000  # topics; the coefficient of their sum is the truth
RESAMPLES, RESAMPLED = 200, 500  # resamples, and tracks resampled, for the percentile interval
PERCENTILE = ("kappa", "kappa, quadratic", "alpha, ordinal", "leniency")

DIFFERENCES = (*AGREEMENTS, "leniency")
STATISTICS = (
    "kappa",
    "kappa, linear",
    "kappa, quadratic",
    "alpha, ordinal",
    "AC1",
    "AC2, quadratic",
    "same grade",
    "mean absolute error",
    "leniency",
    "kappa, 1 or more",
    "overlap, 1 or more",
    "precision, 1 or more",
    "recall, 1 or more",
    "kappa, 2 or more",
    "overlap, 2 or more",
    "precision, 2 or more",
    "recall, 2 or more",
    "kappa, 3 or more",
    "overlap, 3 or more",
    "precision, 3 or more",
    "recall, 3 or more",
)


def synthetic(accuracy: float, shift: float, alike: float, shares: tuple[float, ...], items: int) -> Draw:
    """Topics of about `items` graded pairs; people's shares of grades and the judge's errors differ by topic.

    `shift` is the judge's leniency in grades, `alike` how little the errors differ between topics.
    """
    grades = np.arange(len(shares))
    confusion = np.exp(-2 * accuracy * np.abs(grades[:, None] + shift - grades))
    confusion /= confusion.sum(axis=1, keepdims=True)

    def draw(random: np.random.Generator, n: int) -> Ints:
        sizes = random.negative_binomial(4, 4 / (4 + items), n) + 10
        rows = random.multinomial(sizes, random.dirichlet(np.array(shares) * 4, n))
        errors = np.stack([random.dirichlet(row * alike, n) for row in confusion], axis=1)
        return random.multinomial(rows, errors).astype(np.int64)

    return draw


WORLDS: dict[str, Draw] = {
    "lenient judge": synthetic(0.6, 0.4, 8, (0.7, 0.15, 0.1, 0.05), 100),
    "good judge": synthetic(1.2, 0.1, 20, (0.6, 0.25, 0.1, 0.05), 50),
    "noisy judge": synthetic(0.2, 0.0, 8, (0.5, 0.2, 0.2, 0.1), 100),
    "harsh judge": synthetic(0.9, -0.6, 10, (0.4, 0.25, 0.2, 0.15), 60),
}


def agreement(tracks: int, seed: int) -> Iterator[Row]:
    """Coefficients of summed confusion matrices. The rejected percentile interval is shown for comparison."""
    every = coefficients(SCALE)
    yield from _rows({name: (every[name], *interval_scale(name, SCALE)) for name in STATISTICS}, tracks, seed)


def classes(tracks: int, seed: int) -> Iterator[Row]:
    """Accuracy by class, alpha at each cut, the ceiling of kappa, and rare grades with more topics."""
    found: dict[str, Statistic] = {
        f"accuracy of grade {grade}": (
            partial(accuracy_of_class, place=place),
            "share",
            fewest_for_class(place, SCALE),
        )
        for place, grade in enumerate(SCALE)
    }
    found["mean accuracy of classes"] = mean_accuracy_of_classes, "share", FEWEST_TOPICS_FOR_RECALL
    for place, cut in enumerate(SCALE[1:]):
        alpha = partial(alpha_at_cut_of_matrices, scale=SCALE, cut=cut)
        found[f"alpha, {cut} or more"] = alpha, "correlation", fewest_for_alpha(place)
    for name in UNCOVERED:
        found[name] = coefficients(SCALE)[name], *interval_scale(name, SCALE)
    yield from _rows(found, tracks, seed)
    yield from _rows(rare(found), tracks, seed, numbers=MANY_TOPICS)


def rare(found: Mapping[str, Statistic]) -> dict[str, Statistic]:
    """The statistics that need most topics: recall of high grades, accuracy on the highest, and the mean."""
    every = coefficients(SCALE)
    recalls = {
        name: (every[name], *interval_scale(name, SCALE)) for name in every if name.startswith("recall")
    }
    return {name: each for name, each in {**found, **recalls}.items() if each[2] == FEWEST_TOPICS_FOR_RECALL}


def _rows(
    statistics: Mapping[str, Statistic], tracks: int, seed: int, *, numbers: tuple[int, ...] = TOPICS
) -> Iterator[Row]:
    for setting, draw in (WORLDS | judge_matrices()).items():
        random = np.random.default_rng(seed)
        total = draw(random, MANY).sum(axis=0)[None]
        for topics in numbers:
            matrices = draw(random, tracks * topics).reshape(tracks, topics, 4, 4)
            is_resampled = any(name in PERCENTILE for name in statistics)
            samples = _resampled(matrices[:RESAMPLED], random) if is_resampled else None
            for name, (of, scale, fewest) in statistics.items():
                truth = float(of(total)[0])
                ends = jackknife_ends(*_with_each_left_out(of, matrices), scale=scale)
                given = ~np.isnan(ends.low)
                figures = {
                    "truth": truth,
                    "given": float(given.mean()),
                    COVERAGE: share_held(ends.low, ends.high, truth),
                    "width": float(np.median((ends.high - ends.low)[given])),
                }
                if samples is not None and name in PERCENTILE:
                    drawn = of(samples).reshape(-1, RESAMPLES)
                    low, high = np.nanquantile(drawn, (0.025, 0.975), axis=1)
                    figures["percentile"] = share_held(low, high, truth)
                is_printed = topics >= fewest and name not in UNCOVERED
                yield Row(name, setting, topics, tracks, figures, is_printed=is_printed)


def agreement_differences(tracks: int, seed: int) -> Iterator[Row]:
    """Differences of two judges' coefficients on the same topics, where both are equally good."""
    for setting, draw in WORLDS.items():
        random = np.random.default_rng(seed)
        for topics in TOPICS:
            pairs = draw(random, 2 * tracks * topics).reshape(2, tracks, topics, 4, 4)
            for name in DIFFERENCES:
                of = coefficients(SCALE)[name]
                one, two = (_with_each_left_out(of, matrices) for matrices in pairs)
                found = [
                    jackknife_difference(Estimate.of(value), left_out)
                    for value, left_out in zip(one[0] - two[0], one[1] - two[1], strict=True)
                ]
                p = np.array([np.nan if each.p.value is None else each.p.value for each in found])
                size = float((p[~np.isnan(p)] <= 0.05).mean())
                yield Row(name, setting, topics, tracks, {SIZE: size, COVERAGE: 1 - size})


def _resampled(matrices: Ints, random: np.random.Generator) -> Ints:
    """Sums of the matrices in resamples of each track's topics, (tracks * RESAMPLES, grades, grades)."""
    tracks, topics, grades, _ = matrices.shape
    counts = random.multinomial(topics, np.full(topics, 1 / topics), RESAMPLES)
    flat = matrices.reshape(tracks, topics, grades**2).astype(np.float64)
    sums = counts.astype(np.float64) @ flat
    return sums.reshape(tracks * RESAMPLES, grades, grades).astype(np.int64)


def _with_each_left_out(of: Callable[[Ints], Floats], matrices: Ints) -> tuple[Floats, Floats]:
    """The statistic of each track, and with each of its topics left out."""
    tracks, topics = matrices.shape[:2]
    total = matrices.sum(axis=1)
    left_out = (total[:, None] - matrices).reshape(tracks * topics, *matrices.shape[2:])
    return of(total), of(left_out).reshape(tracks, topics)
