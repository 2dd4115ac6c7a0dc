"""Small worlds for tests of the loop."""

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.loop.drawing import Beliefs
from trackside.pooling.universe import Universe


class Fixed(Beliefs):
    """Believes the same chances [pair, grade from 1] of every pair, whatever people say."""

    def __init__(self, tails: Floats, draws: int = 2) -> None:
        self.fixed, self.draws = tails, draws

    def learn(self, grades: Ints) -> None:
        """Learn nothing."""

    def tails(
        self, pairs: Ints, rng: np.random.Generator, without: tuple[Ints, Ints] | None = None
    ) -> Floats:
        return np.tile(self.fixed[pairs], (self.draws, 1, 1))


def single_pairs(topics: int) -> Universe:
    """One run with one result a topic, so that P@1 is the share of relevant pairs."""
    return Universe.of({"run": {f"{topic:03d}": ["d"] for topic in range(topics)}}, 1)


def random_world(
    seed: int, *, topics: int = 12, runs: int = 5, docs: int = 15, depth: int = 5, highest: int = 2
) -> tuple[Universe, Ints]:
    """Runs that find relevant documents more or less well, and grades of every pair."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(
        highest + 1,
        size=(topics, docs),
        p=np.array([6, 3, 1, 1])[: highest + 1] / sum([6, 3, 1, 1][: highest + 1]),
    )
    heads = {
        f"run{run}": {
            f"t{topic:02d}": [
                f"d{doc:02d}"
                for doc in np.argsort(-(truth[topic] + (0.5 + 0.4 * run) * rng.normal(size=docs)))[
                    : depth + 3
                ]
            ]
            for topic in range(topics)
        }
        for run in range(runs)
    }
    universe = Universe.of(heads, depth)
    grades = np.array([truth[int(topic[1:]), int(docno[1:])] for topic, docno in universe.names])
    return universe, grades
