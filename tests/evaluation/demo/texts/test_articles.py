"""Sections of the encyclopedia and their illustrations."""

from dataclasses import replace

import pytest

from evaluation.demo.scenes import Scene
from evaluation.demo.seeds import rng_of
from evaluation.demo.texts.articles import Subject, write_section

MILL = Scene(thing="windmill", colour="red", setting="sea", style="map", companion="oak")
FIELDS = [
    "page_title",
    "section_title",
    "hierarchy",
    "context_page_description",
    "context_section_description",
]


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
    assert subject.grade(MILL) == grade


def test_grade_overlooks_the_companion() -> None:
    subject = Subject("windmill", "setting", "sea")
    assert subject.grade(replace(MILL, companion=None)) == subject.grade(MILL)


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


def test_write_section_is_mostly_longer_than_clip_reads() -> None:
    """CLIP reads 75 tokens besides start and end; a text has at least as many tokens as words."""
    subject, rng = Subject("oak", "setting", "sea"), rng_of("test")
    sections = [write_section(subject, rng) for _ in range(100)]
    texts = [f"{each['context_page_description']} {each['context_section_description']}" for each in sections]
    assert sum(len(text.split()) > 75 for text in texts) > 90


def test_write_section_has_the_context_in_the_title_at_times() -> None:
    """Expected 45 of 100; between 25 and 65 is four standard errors."""
    subject, rng = Subject("oak", "setting", "sea"), rng_of("test")
    titles = [write_section(subject, rng)["section_title"] for _ in range(100)]
    assert 25 < titles.count("On the coast") < 65
