"""Captions and how often they are missing."""

from math import sqrt

import pytest

from evaluation.demo.scenes import Scene, sample_scene
from evaluation.demo.seeds import rng_of
from evaluation.demo.texts.captions import (
    MISSING_SHARES,
    alt_text,
    attribution,
    sample_captions,
    with_article,
)
from evaluation.demo.things import THINGS

MILL = Scene(thing="windmill", colour="red", setting="sea", style="map", companion=None)


@pytest.mark.parametrize(("caption", "share"), MISSING_SHARES.items())
def test_sample_captions_leaves_out_as_many_as_atomic(caption: str, share: float) -> None:
    """Within four standard errors of a share over 4,000 pictures."""
    rng = rng_of("test")
    missing = sum(caption not in sample_captions(sample_scene(rng), rng) for _ in range(4000)) / 4000
    assert missing == pytest.approx(share, abs=4 * sqrt(share * (1 - share) / 4000))


def test_missing_shares_are_those_of_atomic() -> None:
    """Images of AToMiC without reference, alt text and attribution, as the track's design states them."""
    assert list(MISSING_SHARES.values()) == [0.42, 0.75, 0.03]


def test_alt_text_names_the_thing_by_one_of_its_names() -> None:
    rng = rng_of("test")
    names = ("windmill", *THINGS["windmill"].aliases)
    assert all(any(name in alt_text(MILL, rng) for name in names) for _ in range(200))


def test_attribution_is_at_times_in_german_and_at_times_without_content() -> None:
    rng = rng_of("test")
    lines = [attribution(MILL, rng) for _ in range(200)]
    assert any("Windmühle" in line for line in lines)
    assert any(line.startswith("Own work by") for line in lines)


@pytest.mark.parametrize(("words", "expected"), [("oak", "an oak"), ("mill", "a mill")])
def test_with_article_looks_at_the_first_letter(words: str, expected: str) -> None:
    assert with_article(words) == expected
