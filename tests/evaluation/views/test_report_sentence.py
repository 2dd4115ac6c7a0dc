from typing import Any

import pytest

from evaluation.views.report_sentence import report_sentence


def _judge(tau: float | None, bias: float | None = None, p: float | None = None) -> dict[str, Any]:
    def estimate(value: float | None) -> dict[str, Any]:
        return {"value": value, "reason": "constant" if value is None else None}

    return {
        "name": "CLIPScore",
        "correlation": {"AP": {"kendall": estimate(tau)}},
        "bias": {"AP": {"CLIP-based": {"bias": estimate(bias), "p": estimate(0.0), "p_holm": estimate(p)}}},
    }


@pytest.mark.parametrize(
    ("tau", "words"),
    [
        (0.93, "CLIPScore orders the 16 runs almost as people do."),
        (0.9, "CLIPScore orders the 16 runs almost as people do."),
        (0.8, "CLIPScore orders the 16 runs much as people do."),
        (0.79, "CLIPScore orders the 16 runs with noticeable differences from people."),
        (-0.1, "CLIPScore orders the 16 runs no more like people than by chance."),
        (None, "CLIPScore cannot be compared with people on 16 runs (all values are equal)."),
    ],
)
def test_sentence_says_how_alike_the_orders_are(tau: float | None, words: str) -> None:
    assert report_sentence(_judge(tau), measure="AP", family=None, run_count=16) == words


@pytest.mark.parametrize(
    ("tau", "p", "words"),
    [
        (0.93, 0.001, "almost as people do"),
        (1.0, 0.33, "almost as people do, which can be chance with so few"),
        (0.5, 0.006, "with noticeable differences from people"),
        (0.2, 0.31, "no more like people than by chance"),
        (-0.2, None, "no more like people than by chance"),
        (-0.7, 0.0001, "more in reverse than as people do"),
    ],
)
def test_sentence_tells_an_order_from_chance_by_its_p(tau: float, p: float | None, words: str) -> None:
    judge = _judge(tau) | {"order_p": {"AP": {"value": p, "reason": None}}}
    sentence = report_sentence(judge, measure="AP", family=None, run_count=16)
    assert sentence == f"CLIPScore orders the 16 runs {words}."


@pytest.mark.parametrize(
    ("bias", "p", "words"),
    [
        (21.24, 0.016, "; it favours CLIP-based runs by 21.2 points."),
        (-8.0, 0.01, "; it disfavours CLIP-based runs by 8.0 points."),
        (14.5, 0.053, "; its bias of +14.5 points to CLIP-based runs can be chance."),
        (-14.5, None, "; its bias of −14.5 points to CLIP-based runs can be chance."),
        (None, None, "; its bias to CLIP-based runs is undefined (all values are equal)."),
    ],
)
def test_sentence_says_whether_a_family_is_favoured(bias: float | None, p: float | None, words: str) -> None:
    sentence = report_sentence(_judge(0.95, bias, p), measure="AP", family="CLIP-based", run_count=16)
    assert sentence.endswith(words)
