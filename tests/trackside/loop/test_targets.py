import numpy as np
import pytest

from tests.refusals import refused
from tests.trackside.loop.worlds import random_world
from trackside.files import Qrels, Rankings
from trackside.loop.targets import Target, offered_measure
from trackside.measuring import evaluate, parse_measure

MEASURES = ("nDCG@5", "nDCG@3", "DCG@5", "P@3", "P(rel=2)@5", "RBP(p=0.8)", "AP", "AP(rel=2)@3", "RR", "R@5")


@pytest.mark.parametrize("name", MEASURES)
def test_values_are_those_of_score(name: str) -> None:
    universe, grades = random_world(1)
    qrels: dict[str, dict[str, int]] = {}
    for (topic, docno), grade in zip(universe.names, grades.tolist(), strict=True):
        qrels.setdefault(topic, {})[docno] = grade
    runs = [
        Rankings.from_dict(
            {
                topic: {
                    universe.names[pair][1]: -rank for rank, pair in enumerate(places) if pair < len(grades)
                }
                for topic, places in zip(universe.topics, rows.tolist(), strict=True)
            },
            tag=tag,
        )
        for tag, rows in zip(universe.tags, universe.places, strict=True)
    ]
    scored = evaluate(iter(runs), [Qrels.from_dict(qrels)], [parse_measure(name)]).values[:, 0, :, 0]
    assert Target.of(name, universe, 2).values(grades) == pytest.approx(scored.T, abs=1e-12)


@pytest.mark.parametrize("name", ["DCG@5", "P@3", "AP", "AP@3", "RR", "RR@3"])
def test_slopes_are_the_change_of_the_numerator(name: str) -> None:
    # Numerators are linear in the gain of each pair, so the change from 0 to 1 is the slope.
    universe, grades = random_world(2, topics=3)
    target = Target.of(name, universe, 2)
    gains = np.random.default_rng(3).random(len(grades)) * 0.9
    slopes = target.slopes(gains)
    for pair in range(0, len(grades), 5):
        low, high = gains.copy(), gains.copy()
        low[pair], high[pair] = 0.0, 1.0
        change = (target.numerator(high) - target.numerator(low)).sum(axis=0)
        assert slopes[pair] == pytest.approx(change, abs=1e-9)


@pytest.mark.parametrize("name", ["bpref", "ERR@10", "nDCG(dcg=exp)@5"])
def test_other_measures_are_refused(name: str) -> None:
    with refused("measure-not-offered"):
        offered_measure(name, 10)


def test_depth_and_gains_are_checked() -> None:
    with refused("depth-too-small"):
        offered_measure("nDCG@20", 10)
    with refused("gains-do-not-rise"):
        Target.of("nDCG(1=3,2=1)@5", random_world(1)[0], 2)
