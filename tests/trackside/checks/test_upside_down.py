"""A run whose best scores are on the last ranks of nearly all topics."""

import pytest

from tests.trackside.checks.faulty_runs import check, lines

RISING, FALLING, FLAT = (1.0, 2.0, 3.0, 4.0), (4.0, 3.0, 2.0, 1.0), (1.0, 1.0, 1.0, 1.0)
UNTIDY = (1.0, 3.0, 2.0, 4.0)  # Spearman with the ranks: 1 - 6 * 2 / (4 * 15) = 0.8
MIXED = (3.0, 1.0, 4.0, 2.0)  # 1 - 6 * (4 + 1 + 1 + 4) / 60 = 0


@pytest.mark.parametrize(
    ("topics", "is_upside_down"),
    [
        ([RISING], True),
        ([UNTIDY] * 3, True),
        ([RISING] * 9 + [FALLING], True),  # nine of ten
        ([RISING] * 8 + [FALLING] * 2, False),
        ([RISING] * 8 + [MIXED] * 2, False),
        ([RISING] * 8 + [FLAT] * 2, False),
        ([FALLING], False),
        ([FLAT], False),
        ([(1.0, 2.0)] * 5, False),  # two results tell no order
        ([(1.0, 2.0)] * 5 + [RISING], True),
    ],
)
def test_run_is_upside_down_if_scores_rise_with_the_ranks_of_nearly_all_topics(
    topics: list[tuple[float, ...]], *, is_upside_down: bool
) -> None:
    rows = [
        f"t{topic} Q0 n{rank} {rank} {score} tag"
        for topic, scores in enumerate(topics)
        for rank, score in enumerate(scores, start=1)
    ]
    for content in (lines(*rows), lines(*reversed(rows))):  # the rank column decides, not the order of lines
        verdict = check(content, topics=tuple(f"t{topic}" for topic in range(len(topics))))
        assert (verdict.is_accepted, verdict.is_upside_down) == (True, is_upside_down)


def test_run_without_usable_ranks_is_not_upside_down() -> None:
    for ranks in ("000", "1x2"):
        rows = [f"t1 Q0 n{n} {rank} {n} tag" for n, rank in enumerate(ranks)]
        assert not check(lines(*rows), topics=("t1",)).is_upside_down
