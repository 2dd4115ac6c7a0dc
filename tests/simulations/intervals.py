"""Coverage of the other intervals that a report prints: means, agreement, tau_AP, and tau over teams."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from scipy.special import expit

from tests.simulations.real import confusions_of, real_folder
from tests.simulations.rows import COVERAGE, Coverage, Row, share_held
from tests.simulations.tracks import JUDGES, SPREADS, TEAM_SHARE, World
from trackside.arrays import Floats, Ints
from trackside.findings.grades import interval_scale
from trackside.statistics.agreement import MatrixStatistic, alphas_at_cuts, coefficients
from trackside.statistics.correlation import kendall_tau_b_of_rows, tau_ap_a_of_rows
from trackside.uncertainty.intervals import ErrorScale, jackknife_ends
from trackside.uncertainty.means import mean_intervals
from trackside.uncertainty.ranks import draw_counts, rank_interval, team_interval

Draw = Callable[[np.random.Generator, int], Floats]
Statistic = tuple[MatrixStatistic, ErrorScale, int]  # and the fewest topics of its interval

TOPICS = (10, 25, 50, 74)
MANY_VALUES, MANY_TOPICS = 4_000_000, 200_000  # whose mean or coefficient is the truth
COEFFICIENTS = ("kappa", "kappa, linear", "kappa, quadratic", "AC1", "same grade", "leniency")
TEAMS = (8, 10, 16)
TEAM_NOISE = {"near people": 0.2, "lenient": 0.6, "noisy": 1.5, "unrelated": 20.0}
"""Standard deviation of a judge's error on a run's mean; that of people's means is 1."""

COUNT, MORE, RESAMPLES = 20, 150, 200  # worlds, further tracks of each for the truth, and resamples


def _like_ndcg(random: np.random.Generator, n: int) -> Floats:
    ease = expit(random.normal(0, 1.4, n))
    return np.clip(1.5 * ease * random.beta(2, 2, n), 0, 1)


def _mostly_zero(share: float) -> Draw:
    return lambda random, n: np.where(random.random(n) < share, 0, _like_ndcg(random, n))


def _reciprocal(random: np.random.Generator, n: int) -> Floats:
    rank = random.geometric(np.clip(0.6 * expit(random.normal(0, 1.4, n)), 0.03, 1))
    return np.where(rank > 10, 0, 1 / rank)


VALUES: dict[str, Draw] = {
    "like nDCG@10": _like_ndcg,
    "like AP": lambda random, n: random.beta(0.5, 2.5, n),
    "like AP, hard": lambda random, n: random.beta(0.3, 6, n),
    "like RR@10": _reciprocal,
    "like P@10": lambda random, n: random.binomial(10, random.beta(0.8, 2, n)) / 10,
    "like P@10, hard": lambda random, n: random.binomial(10, random.beta(0.4, 5, n)) / 10,
    "near one": lambda random, n: 1 - random.beta(0.5, 4, n),
    "3 of 5 zero": _mostly_zero(0.6),
    "4 of 5 zero": _mostly_zero(0.8),
    "9 of 10 zero": _mostly_zero(0.9),
    "RR@10, half of them 1": lambda random, n: np.where(random.random(n) < 0.5, 1, _reciprocal(random, n)),
    "0 or 1": lambda random, n: (random.random(n) < 0.6).astype(np.float64),
}


def means(tracks: int, seed: int) -> Iterator[Row]:
    """Means of one run over topics; the truth is the mean over very many topics."""
    for setting, draw in VALUES.items():
        random = np.random.default_rng(seed)
        truth = float(draw(random, MANY_VALUES).mean())
        for topics in TOPICS:
            ends = mean_intervals(draw(random, tracks * topics).reshape(tracks, topics), bounds=(0.0, 1.0))
            yield Row("mean of a run", setting, tracks, _covered(ends.low, ends.high, truth), topics)


def agreement(tracks: int, seed: int) -> Iterator[Row]:
    """Coefficients of summed confusion matrices; the truth is the coefficient over very many topics."""
    folder = real_folder()
    real = {} if folder is None else confusions_of(folder)
    worlds = WORLDS | {name: _topics_of(matrices) for name, matrices in real.items()}
    for setting, draw in worlds.items():
        random = np.random.default_rng(seed)
        total = draw(random, MANY_TOPICS).sum(axis=0)[None]
        for topics in TOPICS:
            matrices = draw(random, tracks * topics).reshape(tracks, topics, len(SCALE), len(SCALE))
            for name, (of, scale, fewest) in statistics().items():
                if topics >= fewest:
                    ends = jackknife_ends(*_with_each_left_out(of, matrices), scale=scale)
                    figures = _covered(ends.low, ends.high, float(of(total)[0]))
                    yield Row(name, setting, tracks, figures, topics)


def _topics_of(matrices: Ints) -> Callable[[np.random.Generator, int], Ints]:
    """Topics drawn with replacement."""
    return lambda random, count: matrices[random.integers(0, len(matrices), count)]


def statistics() -> Mapping[str, Statistic]:
    """The printed coefficients."""
    known = coefficients(SCALE)
    chosen = {name: known[name] for name in COEFFICIENTS} | alphas_at_cuts(SCALE)
    return {name: (statistic, *interval_scale(name, SCALE)) for name, statistic in chosen.items()}


def _with_each_left_out(of: Callable[[Ints], Floats], matrices: Ints) -> tuple[Floats, Floats]:
    """The statistic of each track, and with each of its topics left out."""
    tracks, topics = matrices.shape[:2]
    total = matrices.sum(axis=1)
    left_out = (total[:, None] - matrices).reshape(tracks * topics, *matrices.shape[2:])
    return of(total), of(left_out).reshape(tracks, topics)


def _covered(low: Floats, high: Floats, truth: float) -> dict[str, float | None]:
    given = ~np.isnan(low)
    return {
        "truth": truth,
        "given": float(given.mean()),
        COVERAGE: share_held(low, high, truth),
        "width": float(np.median((high - low)[given])) if given.any() else None,
    }


def top(tracks: int, seed: int) -> Iterator[Row]:
    """tau_AP of 16 runs; the truth is its mean over equally many other topics."""
    for setting in ("lenient", "biased"):
        for spread in SPREADS:
            for topics in TOPICS:
                random = np.random.default_rng(seed)
                counted, truths = Coverage(), []
                for _ in range(COUNT):
                    world = World.draw(random, 16, SPREADS[spread], JUDGES[setting])
                    truths.append(
                        _top_coverage(counted, *world.tracks(random, tracks // COUNT + MORE, topics))
                    )
                figures = {"truth": float(np.mean(truths)), **counted.figures}
                yield Row("tau_AP", f"{setting}, {spread}", tracks, figures, topics, 16)


def _top_coverage(counted: Coverage, people: Floats, judge: Floats) -> float:
    """Count the intervals of all but the further tracks; return the truth."""
    found = tau_ap_a_of_rows(people.mean(axis=2), judge.mean(axis=2))
    truth, topics = float(np.nanmean(found)), people.shape[2]
    counts = draw_counts(topics, seed=1, replicates=RESAMPLES) / topics
    for track, value in enumerate(found[:-MORE]):
        if not np.isnan(value):  # it has none where people's means tie
            samples = tau_ap_a_of_rows(counts @ people[track].T, counts @ judge[track].T)
            interval = rank_interval(value, samples, topics)
            counted.add(interval.low, interval.high, truth)
    return truth


def teams(tracks: int, seed: int) -> Iterator[Row]:
    """tau with runs of other teams, of one to four runs; the truth is the tau expected of as many teams."""
    for setting, noise in TEAM_NOISE.items():
        for count in TEAMS:
            random = np.random.default_rng(seed)
            drawn = [_drawn_teams(random, count, noise) for _ in range(tracks)]
            taus = [_tau(people, judge) for people, judge, _ in drawn]
            truth, counted = float(np.nanmean(taus)), Coverage()
            for tau, (people, judge, team) in zip(taus, drawn, strict=True):
                left_out = np.array([_tau(people[team != at], judge[team != at]) for at in range(count)])
                interval = team_interval(tau, left_out)
                counted.add(interval.low, interval.high, truth)
            yield Row(
                "tau over teams", f"{setting}, {count} teams", tracks, {"truth": truth, **counted.figures}
            )


def _drawn_teams(random: np.random.Generator, teams: int, noise: float) -> tuple[Floats, Floats, Ints]:
    """Means of runs under people and a judge, and their teams."""
    team = np.repeat(np.arange(teams), random.integers(1, 5, teams))
    shared = random.normal(size=(2, teams))[:, team]
    strength, error = TEAM_SHARE**0.5 * shared + (1 - TEAM_SHARE) ** 0.5 * random.normal(size=(2, team.size))
    return strength, strength + noise * error, team


def _tau(people: Floats, judge: Floats) -> float:
    return float(kendall_tau_b_of_rows(people[None], judge[None])[0])


Matrices = Callable[[np.random.Generator, int], Ints]

SCALE = (0, 1, 2, 3)


def synthetic(accuracy: float, shift: float, alike: float, shares: tuple[float, ...], items: int) -> Matrices:
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


WORLDS: dict[str, Matrices] = {
    "lenient judge": synthetic(0.6, 0.4, 8, (0.7, 0.15, 0.1, 0.05), 100),
    "good judge": synthetic(1.2, 0.1, 20, (0.6, 0.25, 0.1, 0.05), 50),
    "noisy judge": synthetic(0.2, 0.0, 8, (0.5, 0.2, 0.2, 0.1), 100),
    "harsh judge": synthetic(0.9, -0.6, 10, (0.4, 0.25, 0.2, 0.15), 60),
}
