from typing import Any

import numpy as np
import pytest

import trackside
from trackside import InputError

DRAW = np.random.default_rng(11)
TOPICS, DOCUMENTS = [str(topic) for topic in range(60)], [f"d{number}" for number in range(12)]
PEOPLE = {topic: {docno: int(DRAW.choice(3, p=(0.6, 0.25, 0.15))) for docno in DOCUMENTS} for topic in TOPICS}
LENIENT = {
    topic: {docno: min(2, grade + int(DRAW.random() < 0.5)) for docno, grade in grades.items()}
    for topic, grades in PEOPLE.items()
}
RUNS = {
    tag: {
        topic: {docno: skill * grade + DRAW.normal() for docno, grade in grades.items()}
        for topic, grades in PEOPLE.items()
    }
    for tag, skill in (("good", 1.0), ("poor", 0.1))
}
"""Two runs of 60 topics with 12 documents each."""


def test_topics_that_people_graded_stand_for_all() -> None:
    some = {topic: PEOPLE[topic] for topic in TOPICS[:30]}
    result = trackside.powered_means(RUNS, some, LENIENT, measure="nDCG@5")
    assert (result.unit, result.graded_count, result.count) == ("topic", 30, 60)
    values = trackside.evaluate(RUNS, {"people": PEOPLE, "lenient": LENIENT}, "nDCG@5").values[..., 0]
    for row, (people, judge) in zip(result.rows, values, strict=True):
        # Cochran's regression estimator on the topics that people graded, which are the first in byte order.
        is_drawn = np.isin(sorted(TOPICS), TOPICS[:30])
        slope = np.cov(people[is_drawn], judge[is_drawn])[0, 1] / judge[is_drawn].var(ddof=1)
        expected = people[is_drawn].mean() + slope * (judge.mean() - judge[is_drawn].mean())
        assert row.value == pytest.approx(expected, abs=1e-12)
        assert row.judge == pytest.approx(judge.mean(), abs=1e-12)
        assert row.low is not None
        assert row.high is not None
        assert row.low < people.mean() < row.high


@pytest.mark.parametrize("measure", ["P(rel=2)@5", "DCG@5"])
def test_pairs_that_people_graded_stand_for_all(measure: str) -> None:
    """With every pair graded the estimate is the mean itself; with half of them its interval holds it."""
    whole = trackside.powered_means(RUNS, PEOPLE, LENIENT, unit="pair", measure=measure)
    means = trackside.evaluate(RUNS, [PEOPLE], measure).means()[:, 0, 0]
    assert [row.value for row in whole.rows] == pytest.approx(means.tolist(), abs=1e-12)
    assert [(row.low, row.high) for row in whole.rows] == [(row.value, row.value) for row in whole.rows]
    pairs = [(topic, docno) for topic in TOPICS for docno in DOCUMENTS]
    drawn = {pairs[index] for index in np.random.default_rng(2).permutation(len(pairs))[: len(pairs) // 2]}
    some: dict[str, dict[str, int]] = {}
    for topic, docno in drawn:
        some.setdefault(topic, {})[docno] = PEOPLE[topic][docno]
    half = trackside.powered_means(RUNS, some, LENIENT, unit="pair", measure=measure)
    assert (half.graded_count, half.count) == (360, 720)
    for row, mean in zip(half.rows, means, strict=True):
        assert row.low is not None
        assert row.high is not None
        assert row.low < mean < row.high
        assert row.judge > row.high  # the lenient judge alone would be far off
    same = dict.fromkeys(drawn, 0.5)
    assert trackside.powered_means(RUNS, some, LENIENT, unit="pair", measure=measure, chances=same) == half
    assert half.to_frame().columns == ["run", "value", "low", "high", "judge", "reason"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"unit": "pair"}, "does not add up"),
        ({"unit": "pair", "measure": "DCG"}, "does not add up"),
        ({"unit": "run"}, "give topic or pair"),
        ({"chances": {("0", "d0"): 0.5}}, "unit pair"),
        ({"unit": "pair", "measure": "P@5", "chances": {("0", "d0"): 0.5}}, "for each pair"),
        ({"measure": "nDCG@5", "people": {"unknown": {"d0": 1}}}, "did not grade"),
    ],
)
def test_what_cannot_be_estimated_is_refused(options: dict[str, Any], words: str) -> None:
    people = options.pop("people", PEOPLE)
    with pytest.raises(InputError, match=words):
        trackside.powered_means(RUNS, people, LENIENT, **options)
