"""Verdicts on tiny judges that were taught what they read: right in 95 of 100 samples of 200 pairs.

docs/simulations.md has all judges, all probes and more samples.
"""

import pytest

from tests.simulations.taught import NOISY, graded, verdicts
from trackside.judging.probes import Probe

pytestmark = pytest.mark.whole
SEED, TOPICS, SAMPLES = 3, 200, 100


@pytest.mark.parametrize(
    ("judge", "probe", "word"),
    [
        ("captions only", Probe.GREY, "no loss"),
        ("captions only", Probe.LEFT_OUT, "a loss"),
        ("captions only", Probe.OPTIONS, "no loss"),
        ("pixels only", Probe.GREY, "a loss"),
        ("pixels only", Probe.LEFT_OUT, "no loss"),
        ("obeys painted words", Probe.PAINTED, "a loss"),
        ("captions only", Probe.PAINTED, "no loss"),
        ("details only", Probe.HALF, "a loss"),
        ("both", Probe.PICTURES, "a loss"),
        ("both", Probe.TEXTS, "a loss"),
        ("blind to resolution", Probe.HALF, "no loss"),
        ("blind to resolution", Probe.GREY, "a loss"),
        ("flips with the order", Probe.OPTIONS, "a loss"),
        ("one grade", Probe.GREY, "no loss"),
    ],
)
def test_verdict_on_a_judge_whose_reading_is_known(judge: str, probe: Probe, word: str) -> None:
    _, figures = verdicts(graded(SEED, TOPICS)[judge, 0.0], probe, SAMPLES, SEED)
    assert figures[word] >= 0.95


@pytest.mark.parametrize("probe", [Probe.GREY, Probe.OPTIONS, Probe.HALF])
@pytest.mark.parametrize("has_people", [True, False])
def test_of_chance_neither_a_loss_nor_none_is_said(probe: Probe, *, has_people: bool) -> None:
    _, figures = verdicts(graded(SEED, TOPICS)["chance", 1.0], probe, SAMPLES, SEED, has_people=has_people)
    assert figures["open"] >= 0.95


def test_noisy_judge_that_sees_no_picture_is_hardly_ever_said_to_lose_by_grey() -> None:
    _, figures = verdicts(graded(SEED, TOPICS)["captions only", NOISY], Probe.GREY, SAMPLES, SEED)
    assert figures["a loss"] <= 0.05
