"""Captions and sections, and how often they say nothing."""

from math import sqrt

import pytest

from evaluation.demo.scenes import Scene, Subject, rng_of, sample_scene
from evaluation.demo.texts import TEXTS, write_captions, write_section

MILL = Scene(thing="windmill", setting="sea", style="map", colour="red", companion="oak")
FIELDS = [
    "page_title",
    "section_title",
    "hierarchy",
    "context_page_description",
    "context_section_description",
]


@pytest.mark.parametrize(
    ("caption", "share"),
    [
        ("caption_reference_description", 0.42),
        ("caption_alt_text_description", 0.75),
        ("caption_attribution_description", 0.03),
    ],
)
def test_write_captions_leaves_out_as_many_as_atomic(caption: str, share: float) -> None:
    """AToMiC's share of images without it, within four standard errors over 4,000 pictures."""
    rng = rng_of("test")
    missing = sum(caption not in write_captions(sample_scene(rng), rng) for _ in range(4000)) / 4000
    assert missing == pytest.approx(share, abs=4 * sqrt(share * (1 - share) / 4000))


@pytest.mark.parametrize(
    ("subject", "grade"),
    [
        (Subject("windmill", "setting", "sea"), 2),
        (Subject("windmill", "style", "map"), 2),
        (Subject("windmill", "colour", "red"), 2),
        (Subject("windmill", "setting", "desert"), 1),
        (Subject("windmill", "colour", "blue"), 1),
        (Subject("bridge", "setting", "sea"), 0),
        (Subject("oak", "setting", "sea"), 0),
    ],
)
def test_grade_asks_for_the_subject_and_then_for_the_context(subject: Subject, grade: int) -> None:
    """A companion, here the oak, is not the subject."""
    assert subject.grade(MILL) == grade


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        (Subject("oak", "setting", "sea"), ("by the sea", "on the coast", "at the shore")),
        (Subject("oak", "style", "map"), ("map", "chart", "plan")),
        (Subject("oak", "colour", "red"), ("red",)),
    ],
)
def test_write_section_fills_the_five_fields_with_the_context_in_the_last(
    subject: Subject, words: tuple[str, ...]
) -> None:
    section = write_section(subject, rng_of("test"))
    assert list(section) == FIELDS
    assert section["page_title"] == "Oak"
    assert section["hierarchy"].startswith("Oak | ")
    assert section["hierarchy"].endswith(f" | {section['section_title']}")
    assert any(word in section["context_section_description"] for word in words)


def test_sections_are_mostly_longer_than_clip_reads() -> None:
    """CLIP reads 75 tokens besides start and end; a text has at least as many tokens as words."""
    subject, rng = Subject("oak", "setting", "sea"), rng_of("test")
    sections = [write_section(subject, rng) for _ in range(100)]
    texts = [f"{each['context_page_description']} {each['context_section_description']}" for each in sections]
    assert sum(len(text.split()) > 75 for text in texts) > 90
    titles = [section["section_title"] for section in sections]
    assert 25 < titles.count("On the coast") < 65  # expected 45, within four standard errors
    assert set(titles) <= {"On the coast", *TEXTS["sections"]["plain_titles"]}
