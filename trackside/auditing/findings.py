"""Kinds of faults, what to do about each, and the faults found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from trackside.imports.faults import KINDS, Faults, printable

EXAMPLES = 5
SHOWN_CHARACTERS = 120


class Kind(StrEnum):
    """One code per kind."""

    NAME_TWICE = "name_twice"
    TEXT_TWICE = "text_twice"
    TEXT_NEARLY_TWICE = "text_nearly_twice"
    TOPIC_IS_DOCUMENT = "topic_is_document"
    LOST_CHARACTERS = "lost_characters"
    FIELD_SELDOM = "field_seldom"
    FIELD_CONSTANT = "field_constant"
    PICTURE_UNREADABLE = "picture_unreadable"
    PICTURE_TRUNCATED = "picture_truncated"
    PICTURE_OF_ONE_COLOUR = "picture_of_one_colour"
    PICTURE_TINY = "picture_tiny"
    PICTURE_ANIMATED = "picture_animated"
    PICTURE_TWICE = "picture_twice"
    PICTURE_NEARLY_TWICE = "picture_nearly_twice"
    GRADED_DOCUMENT_ABSENT = "graded_document_absent"
    GRADED_TOPIC_ABSENT = "graded_topic_absent"
    FOUND_DOCUMENT_ABSENT = "found_document_absent"
    RUN_TOPIC_ABSENT = "run_topic_absent"
    TOPIC_NOT_GRADED = "topic_not_graded"
    TOPIC_WITHOUT_RELEVANT = "topic_without_relevant"
    DOUBLES_GRADED_UNLIKE = "doubles_graded_unlike"
    ANSWER_IN_TOPIC = "answer_in_topic"
    TOPIC_IN_TWO_SPLITS = "topic_in_two_splits"
    RELEVANT_IN_TWO_SPLITS = "relevant_in_two_splits"


@dataclass(frozen=True)
class KindWords:
    """What a kind is, and how to mend it."""

    title: str
    cure: str


WORDS = {
    Kind.NAME_TWICE: KindWords("Name of two records", "Give each record a name of its own."),
    Kind.TEXT_TWICE: KindWords(
        "Records with the text of an earlier one",
        "Keep one, or judge them side by side: people grade doubles unlike.",
    ),
    Kind.TEXT_NEARLY_TWICE: KindWords(
        "Records with nearly the text of an earlier one",
        "Look at the pairs; keep one of each, or judge them side by side.",
    ),
    Kind.TOPIC_IS_DOCUMENT: KindWords(
        "Topics with the text of a document", "Remove the document, or the topic: every run finds it."
    ),
    Kind.LOST_CHARACTERS: KindWords(
        "Texts with characters that were lost", "A program replaced them; convert the source again as UTF-8."
    ),
    Kind.FIELD_SELDOM: KindWords(
        "Fields that hardly any record has", "Leave the field out, or fill it in: models and people see gaps."
    ),
    Kind.FIELD_CONSTANT: KindWords(
        "Fields with one value in every record", "Leave the field out: it tells no record from another."
    ),
    Kind.PICTURE_UNREADABLE: KindWords("Pictures that cannot be read", "Give whole JPEG, PNG or WEBP files."),
    Kind.PICTURE_TRUNCATED: KindWords(
        "Pictures whose end is missing, or all black or grey", "Look at them, and copy the files again."
    ),
    Kind.PICTURE_OF_ONE_COLOUR: KindWords(
        "Pictures of one colour", "Look at them: a failed conversion writes black."
    ),
    Kind.PICTURE_TINY: KindWords("Tiny pictures", "Give them in the size in which people can grade them."),
    Kind.PICTURE_ANIMATED: KindWords(
        "Pictures that move", "People and models see the first frame only: choose the frame that counts."
    ),
    Kind.PICTURE_TWICE: KindWords("Pictures of an earlier record", "Keep one, or judge them side by side."),
    Kind.PICTURE_NEARLY_TWICE: KindWords(
        "Pictures nearly those of an earlier record",
        "Look at the pairs; keep one of each, or judge them together.",
    ),
    Kind.GRADED_DOCUMENT_ABSENT: KindWords(
        "Grades of documents that are not in the collection",
        "Take the docnos from the collection that is given out, or publish these documents.",
    ),
    Kind.GRADED_TOPIC_ABSENT: KindWords(
        "Grades of topics that do not exist", "Take the names from the topics that are given out."
    ),
    Kind.FOUND_DOCUMENT_ABSENT: KindWords(
        "Results that are not in the collection", "Make the run on the collection that is given out."
    ),
    Kind.RUN_TOPIC_ABSENT: KindWords(
        "Results for topics that do not exist", "Make the run on the topics that are given out."
    ),
    Kind.TOPIC_NOT_GRADED: KindWords("Topics without a grade", "Judge them, or leave them out."),
    Kind.TOPIC_WITHOUT_RELEVANT: KindWords(
        "Topics without a relevant document that is there",
        "Leave them out: every run scores 0 there.",
    ),
    Kind.DOUBLES_GRADED_UNLIKE: KindWords(
        "Doubles, or near-doubles, with different grades for one topic",
        "Look at them side by side; grade them again if they are the same.",
    ),
    Kind.ANSWER_IN_TOPIC: KindWords(
        "Topics whose text names a relevant document", "Remove the docno from the text."
    ),
    Kind.TOPIC_IN_TWO_SPLITS: KindWords(
        "Topics in two splits", "Keep each topic in one split: what is tuned on one is tested on the other."
    ),
    Kind.RELEVANT_IN_TWO_SPLITS: KindWords(
        "Relevant documents, or their doubles, in two splits", "Keep all topics of a document in one split."
    ),
}


Item = tuple[str, str]  # "topic" or "document", and its name

# What makes values wrong, before what people should look at.
WORST_FIRST = (
    Kind.GRADED_DOCUMENT_ABSENT,
    Kind.GRADED_TOPIC_ABSENT,
    Kind.FOUND_DOCUMENT_ABSENT,
    Kind.RUN_TOPIC_ABSENT,
    Kind.TOPIC_WITHOUT_RELEVANT,
    Kind.ANSWER_IN_TOPIC,
    Kind.RELEVANT_IN_TWO_SPLITS,
    Kind.TOPIC_IN_TWO_SPLITS,
    Kind.PICTURE_UNREADABLE,
    Kind.PICTURE_TRUNCATED,
    Kind.PICTURE_OF_ONE_COLOUR,
    Kind.LOST_CHARACTERS,
    Kind.NAME_TWICE,
    Kind.DOUBLES_GRADED_UNLIKE,
    Kind.TOPIC_IS_DOCUMENT,
    Kind.TOPIC_NOT_GRADED,
)
WRONG = frozenset(WORST_FIRST[: WORST_FIRST.index(Kind.DOUBLES_GRADED_UNLIKE)])


@dataclass
class Findings:
    """Faults by kind: how many, and the first ones in words, with the topics and documents that they name."""

    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, list[str]] = field(default_factory=dict)
    items: dict[str, list[list[Item]]] = field(default_factory=dict)
    words: dict[str, KindWords] = field(default_factory=dict)

    def add(self, kind: Kind, example: str, *, count: int = 1, items: Iterable[Item] = ()) -> None:
        """Add a fault."""
        self._add(kind, WORDS[kind], [(example, items)], count)

    def add_faults(self, path: str, faults: Faults) -> None:
        """Add what a reader of records found in a file."""
        for kind, count in faults.counts.items():
            places = [(f"{path}, {place}: {value}", ()) for place, value in faults.examples[kind]]
            self._add(str(kind), KindWords(KINDS[kind].title, KINDS[kind].cure), places, count)

    def _add(
        self, kind: str, words: KindWords, examples: Iterable[tuple[str, Iterable[Item]]], count: int
    ) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + count
        self.words[kind] = words
        stored = self.examples.setdefault(kind, [])
        for example, items in examples:
            if len(stored) < EXAMPLES:
                stored.append(_short(example))
                self.items.setdefault(kind, []).append([*items])

    def to_json(self) -> list[dict[str, Any]]:
        """Plain values, worst first: kind, title, cure, count and examples of each, with the items named.

        A kind is ``is_wrong`` if it makes values or grades wrong; people should look at the others.
        """
        ranks = {str(kind): rank for rank, kind in enumerate(WORST_FIRST)}
        kinds = sorted(self.counts, key=lambda kind: (ranks.get(kind, len(ranks)), -self.counts[kind]))
        return [
            {
                "kind": str(kind),
                "title": self.words[kind].title,
                "cure": self.words[kind].cure,
                "is_wrong": kind in WRONG,
                "count": self.counts[kind],
                "examples": self.examples[kind],
                "items": self.items[kind],
            }
            for kind in kinds
        ]


def _short(text: str) -> str:
    return printable(text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…")
