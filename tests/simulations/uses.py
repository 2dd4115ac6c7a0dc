"""How often each use of a judge is said to be as people or beyond the margin: by chance, and as judges err.

Chance: judges that know nothing of the pairs, on pools complete, half as deep as the measure, with a third
of the runs unpooled, and with a fifth of the judge's grades missing. Better judges: people miss relevant
items at random, or the hard ones more often; the judge knows the truth but for a share of the pairs.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from tests.simulations.made import FAMILY, SCALE, made_track, retrieved_of_scores
from tests.simulations.rows import Row
from tests.simulations.studies import Track
from trackside.arrays import Flags, Ints
from trackside.findings.use_results import USES, UseCode, Uses
from trackside.reporting.hardly_graded import hardly_graded
from trackside.reporting.study import Study
from trackside.reporting.uses import uses_of

REPLICATES = 300
HALF, THIRD, FIFTH = 5, 3, 0.2
ERRORS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
MISSES = {"at random": (0.15, 0.15), "hard items": (0.4, 0.12)}
ITEMS, SHOWN = 80, 20
Judge = Callable[[np.random.Generator, Ints, Ints], Ints]


def _random(rng: np.random.Generator, people: Ints, _topics: Ints) -> Ints:
    return rng.choice(SCALE, people.size, p=(0.6, 0.2, 0.2)).astype(np.int64)


def _constant(_rng: np.random.Generator, people: Ints, _topics: Ints) -> Ints:
    return np.ones_like(people)


def _by_topic(rng: np.random.Generator, people: Ints, topics: Ints) -> Ints:
    """Each topic has a grade of its own for all its pairs."""
    return rng.integers(0, len(SCALE), int(topics.max()) + 1)[topics]


def _shuffled(rng: np.random.Generator, people: Ints, topics: Ints) -> Ints:
    """People's grades, shuffled within each topic."""
    grades = np.empty_like(people)
    grades[np.argsort(topics, kind="stable")] = people[np.lexsort((rng.random(people.size), topics))]
    return grades


CHANCE: dict[str, Judge] = {
    "random": _random,
    "constant": _constant,
    "by topic": _by_topic,
    "shuffled": _shuffled,
}
POOLS = ("complete", "half as deep", "a third unpooled", "a fifth ungraded")


def by_chance(tracks: int, seed: int) -> Iterator[Row]:
    """Codes and relations of judges of chance."""
    for pool_index, pool in enumerate(POOLS):
        for judge_index, (name, judge) in enumerate(CHANCE.items()):
            counts: Counter[str] = Counter()
            for number in range(tracks):
                rng = np.random.default_rng([seed, pool_index, judge_index, number])
                counts.update(_said(_of_chance(rng, pool, judge)))
            yield Row(name, pool, tracks, _shares(counts, tracks), topics=74)


def _of_chance(rng: np.random.Generator, pool: str, judge: Judge) -> Uses:
    made = made_track(rng)
    people, topics = made.truth, made.track.topic_of_pair
    second = np.where(rng.random(people.size) < 0.2, rng.choice(SCALE, people.size), people)
    model = judge(rng, people, topics)
    if pool in ("half as deep", "a third unpooled"):
        is_in = _pooled(made.track, HALF if pool == "half as deep" else 10, pool == "a third unpooled")
        people, second = (np.where(is_in, grades, -1) for grades in (people, second))
    if pool == "a fifth ungraded":
        model = np.where(rng.random(model.size) < FIFTH, -1, model)
    study = made.track.study(people, [model], second=second, replicates=REPLICATES)
    return uses_of(study, 1, hardly_graded(study))


def _pooled(track: Track, depth: int, is_partly: bool) -> Flags:
    is_in = np.zeros(track.topic_of_pair.size, dtype=np.bool_)
    for number, run in enumerate(track.retrieved):
        if not is_partly or number % THIRD:
            is_in[run.pairs[run.ranks < depth]] = True
    return is_in


def drawn_misses(
    rng: np.random.Generator, topics: int, missed: tuple[float, float], error: float, runs: int = 16
) -> tuple[Track, Ints, Ints, Ints]:
    """Runs of two sides, and grades of people, a judge and a second assessor, in this order.

    Both persons miss relevant items; the judge knows the truth but for a share ``error`` of the pairs.
    """
    truth = rng.choice(SCALE, (topics, ITEMS), p=(0.7, 0.2, 0.1))
    is_hard = (rng.random(truth.shape) < 0.3) & (truth > 0)
    shared = rng.normal(size=(2, *truth.shape))
    is_in = np.arange(runs) % 2 == 1
    retrieved = [
        retrieved_of_scores(
            truth * (0.7 + 0.5 * run / runs) - 0.6 * is_hard * (not belongs) * truth
            + 0.6 * shared[int(belongs)] + 0.8 * rng.normal(size=truth.shape)
        )
        for run, belongs in enumerate(is_in)
    ]  # fmt: skip
    track = Track(
        SCALE, 1, np.repeat(np.arange(topics), ITEMS), tuple(retrieved), ("t",) * runs, {FAMILY: is_in}
    )

    def person() -> Ints:
        is_missed = (truth > 0) & (rng.random(truth.shape) < np.where(is_hard, *missed))
        return np.where(is_missed, 0, truth).ravel()

    drawn = rng.choice(SCALE, truth.shape, p=(0.7, 0.2, 0.1))
    judge = np.where(rng.random(truth.shape) < error, drawn, truth).ravel()
    return track, person(), judge, person()


def study_of_misses(
    rng: np.random.Generator, topics: int, missed: tuple[float, float], error: float
) -> Study:
    """The study of ``drawn_misses``."""
    track, people, judge, second = drawn_misses(rng, topics, missed, error)
    return track.study(people, [judge], second=second, replicates=REPLICATES)


def _said(uses: Uses) -> Iterator[str]:
    for name, use in uses.named():
        yield f"{name} {use.code}"
    yield f"relation {uses.rank.relation}"
    if any(use.code is UseCode.AS_PEOPLE for _, use in uses.named()):
        yield "any as_people"


def _shares(counts: Counter[str], tracks: int) -> dict[str, float]:
    names = [f"{name} {code}" for name in USES for code in (UseCode.AS_PEOPLE, UseCode.DIFFERS)]
    return {
        name: counts[name] / tracks
        for name in ("relation shown", "relation reverse", "any as_people", *names)
    }
