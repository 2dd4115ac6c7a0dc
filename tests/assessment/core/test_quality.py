import numpy as np
import pytest

from assessment.core.quality import (
    PairAgreement,
    confusion_by_topic,
    group_agreement,
    pair_agreement,
    same_as,
    share_of,
)
from trackside.statistics.agreement import fleiss_kappa, krippendorff_alpha
from trackside.statistics.estimate import Reason

SCALE = (0, 1, 2)


def random_grades(seed: int, topics: int = 6, items: int = 20) -> dict[tuple[str, str], int]:
    dice = np.random.default_rng(seed)
    return {
        (f"T{topic}", f"D{item}"): int(dice.integers(3)) for topic in range(topics) for item in range(items)
    }


def nudged(grades: dict[tuple[str, str], int], seed: int) -> dict[tuple[str, str], int]:
    """The grades, about a third of them drawn again."""
    dice = np.random.default_rng(seed)
    return {pair: int(dice.integers(3)) if dice.random() < 1 / 3 else grade for pair, grade in grades.items()}


def kappa_in_loops(a: list[int], b: list[int], power: int) -> float:
    """1 - observed cost / expected cost, over the grades one by one (Cohen 1968); power 0 costs 1 each."""
    observed = sum(float(x != y) * abs(x - y) ** power for x, y in zip(a, b, strict=True)) / len(a)
    expected = sum(float(x != y) * abs(x - y) ** power for x in a for y in b) / (len(a) * len(b))
    return float(1 - observed / expected)


def compared(first: dict[tuple[str, str], int], second: dict[tuple[str, str], int]) -> PairAgreement:
    """A and B, who graded the same items."""
    pairs = sorted(first)
    numbers = {topic: at for at, topic in enumerate(sorted({topic for topic, _ in pairs}))}
    matrices = np.zeros((len(numbers), len(SCALE), len(SCALE)), dtype=np.int64)
    for topic, item in pairs:
        matrices[numbers[topic], first[topic, item], second[topic, item]] += 1
    return pair_agreement("A", "B", matrices, SCALE)


def test_kappas_are_those_of_plain_loops() -> None:
    first = random_grades(1, topics=12)
    second = nudged(first, 2)
    found = compared(first, second)
    assert (found.first, found.second, found.item_count, found.topic_count) == ("A", "B", 240, 12)
    a, b = list(first.values()), [second[pair] for pair in first]
    for kappa, power in zip(found.kappas, (0, 1, 2), strict=True):
        assert kappa.value.value == pytest.approx(kappa_in_loops(a, b, power))
        low, high = kappa.interval.low, kappa.interval.high
        assert low is not None
        assert high is not None
        assert low < kappa_in_loops(a, b, power) < high


def test_interval_is_over_topics_and_not_over_items() -> None:
    """Ten topics of full agreement and two of none: topics move kappa far more than 360 items would."""
    pairs = [(f"T{topic:02d}", f"D{item}") for topic in range(12) for item in range(30)]
    first = {pair: index % 3 for index, pair in enumerate(pairs)}
    second = {pair: (grade + 1) % 3 if pair[0] in ("T00", "T01") else grade for pair, grade in first.items()}
    found = compared(first, second)
    low, high = found.kappas[0].interval.low, found.kappas[0].interval.high
    assert low is not None
    assert high is not None
    # kappa = 1 - (60 / 360) / (2 / 3) = 0.75. For independent items its error is about 0.03: 0.12 wide.
    assert found.kappas[0].value.value == pytest.approx(0.75)
    assert high - low > 3 * 0.12


def test_few_topics_have_no_interval_over_topics() -> None:
    found = compared(random_grades(1, topics=9), random_grades(2, topics=9))
    assert found.kappas[0].interval.reason == Reason.TOO_FEW_TOPICS


def test_confusion_adds_both_orders_by_topic_in_the_order_of_the_scale() -> None:
    """7 and 9 share items of topics 0 and 2; what they shared of topic 1 is undone; 7 and 4 share nothing."""
    rows = [  # topic, person, other, grade, other's grade, count
        (0, 7, 9, 0, 1, 2),
        (0, 9, 7, 1, 0, 3),
        (0, 9, 7, 3, 3, 1),
        (1, 7, 9, 3, 1, 1),
        (1, 9, 7, 1, 3, -1),
        (2, 9, 7, 0, 3, 4),
        (2, 9, 4, 0, 0, 5),
    ]
    columns = np.array(rows).T
    turned, none = confusion_by_topic([(7, 9), (4, 7)], *columns, scale=(3, 0, 1))
    assert turned.tolist() == [[[1, 0, 0], [0, 0, 5], [0, 0, 0]], [[0, 4, 0], [0, 0, 0], [0, 0, 0]]]
    assert none.tolist() == []
    nothing = [np.array([], dtype=np.int64)] * 6
    assert [each.tolist() for each in confusion_by_topic([(7, 9)], *nothing, scale=SCALE)] == [[]]


def test_group_of_counted_items_is_that_of_the_items_one_by_one() -> None:
    counted: dict[tuple[int, ...], int] = {(0, 0, 1): 3, (2, 1, 1): 2, (2, 2, 2): 4, (0, 2, 1): 1}
    alone = {(2,): 7}  # one grade says nothing on agreement
    items = [grades for grades, count in counted.items() for _ in range(count)]
    group = group_agreement(counted | alone, SCALE)
    assert group.item_count == 10
    assert group.unanimous.value == pytest.approx(0.4)
    by_judge = list(zip(*items, strict=True))
    assert group.alpha.value == pytest.approx(krippendorff_alpha(by_judge).value)
    counts = [[grades.count(grade) for grade in SCALE] for grades in items]
    assert group.fleiss.value == pytest.approx(fleiss_kappa(counts).value)


def test_group_without_overlap_is_undefined() -> None:
    group = group_agreement({(0,): 1}, SCALE)
    assert group.alpha.reason == Reason.NO_OVERLAP
    assert group.fleiss.reason == Reason.EMPTY


def test_gold_counts_graded_gold_items_only() -> None:
    gold = {("T", "1"): 2, ("T", "2"): 0, ("T", "3"): 1}
    share = same_as(gold, {("T", "1"): 2, ("T", "2"): 1, ("T", "9"): 0})
    assert (share.count, share.of, share.share.value) == (1, 2, 0.5)


def test_share_has_wilsons_interval() -> None:
    # Brown, Cai and DasGupta 2001: for 9 of 10 Wilson's interval is 0.596 to 0.982.
    share = share_of([True] * 9 + [False])
    assert share.interval.low == pytest.approx(0.596, abs=5e-4)
    assert share.interval.high == pytest.approx(0.982, abs=5e-4)


def test_share_of_nothing_is_undefined() -> None:
    assert share_of([]).share.reason == Reason.EMPTY
