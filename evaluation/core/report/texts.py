"""Text statistics of the pairs: length of the document, and its word overlap with the topic."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from evaluation.core.arrays import Floats, Ints

    Pair = tuple[str, str]  # topic, docno

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class PairText:
    """Word count of the pair's document, and the overlap of its distinct words with the topic's, 0 to 1.

    The overlap is the number of common words divided by the smaller number of distinct words
    (Szymkiewicz-Simpson); None if the topic has no words.
    """

    words: int
    overlap: float | None


@dataclass(frozen=True)
class Texts:
    """Word counts and overlaps of the pairs of a study, [pair]; NaN if unknown."""

    words: Floats
    overlaps: Floats

    @classmethod
    def of(
        cls, known: Mapping[Pair, PairText], topics: Sequence[str], topic_of_pair: Ints, docnos: Sequence[str]
    ) -> Texts:
        """Fill the arrays in the order of the study's pairs."""
        words, overlaps = np.full(len(docnos), np.nan), np.full(len(docnos), np.nan)
        for place, (topic, docno) in enumerate(zip(topic_of_pair.tolist(), docnos, strict=True)):
            found = known.get((topics[topic], docno))
            if found:
                words[place] = found.words
                overlaps[place] = np.nan if found.overlap is None else found.overlap
        return cls(words, overlaps)


def measure_texts(
    topics: Mapping[str, str], documents: Iterable[tuple[str, str]], pairs: Iterable[Pair]
) -> dict[Pair, PairText]:
    """Count words and overlaps of the pairs' documents, given as docno and text; ignores case.

    A word is a sequence of letters and digits, so the numbers mean little for scripts without spaces. Pairs
    whose document has no words are absent.
    """
    of_docno: dict[str, list[str]] = defaultdict(list)
    for topic, docno in pairs:
        of_docno[docno].append(topic)
    words_of_topic = {topic: frozenset(_words(text)) for topic, text in topics.items()}
    found: dict[Pair, PairText] = {}
    for docno, text in documents:
        words = _words(text)
        distinct = frozenset(words)
        for topic in of_docno.get(docno, ()) if words else ():
            overlap = _overlap(distinct, words_of_topic.get(topic, frozenset()))
            found[topic, docno] = PairText(len(words), overlap)
    return found


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _overlap(one: frozenset[str], other: frozenset[str]) -> float | None:
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else None
