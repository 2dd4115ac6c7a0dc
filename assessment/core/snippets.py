"""The part of a text that shows a topic's words."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

WORD = re.compile(r"\w+")
LEAST_LETTERS = 3  # shorter words are mostly particles
MOST_WORDS = 28  # of a snippet: two lines on a wall
LEAD = 4  # words before the first topic word
ELLIPSIS = "…"


class Part(NamedTuple):
    """A piece of a snippet; topic words are marked."""

    text: str
    is_marked: bool = False


def words_of(*texts: str) -> frozenset[str]:
    """Return the words of the texts that are worth looking for, in small letters."""
    words = (word.casefold() for text in texts for word in WORD.findall(text))
    return frozenset(word for word in words if len(word) >= LEAST_LETTERS)


def make_snippet(text: str, topic_words: Collection[str], *, most: int = MOST_WORDS) -> list[Part]:
    """Return the stretch of up to ``most`` words with the most different topic words, the first of equals.

    An ellipsis stands where text is left out. Without any topic word it is the beginning.
    """
    tokens = text.split()
    is_topical = [_topical(token, topic_words) for token in tokens]
    start = _best_start(is_topical, most)
    parts = [Part(token, bool(found)) for token, found in zip(tokens, is_topical, strict=True)]
    shown = parts[start : start + most]
    before = [Part(ELLIPSIS)] if start else []
    return _joined([*before, *shown, *([Part(ELLIPSIS)] if start + most < len(tokens) else [])])


def _topical(token: str, topic_words: Collection[str]) -> frozenset[str]:
    return frozenset(word for word in words_of(token) if word in topic_words)


def _best_start(is_topical: Sequence[frozenset[str]], most: int) -> int:
    """Return the first word of the best stretch, some words before its first topic word."""
    counts: Counter[str] = Counter()
    best, best_start = 0, 0
    for end, found in enumerate(is_topical):
        counts.update(found)
        if end >= most:
            counts.subtract(is_topical[end - most])
        distinct = sum(1 for count in counts.values() if count > 0)
        if distinct > best:
            first = next(index for index in range(max(end - most + 1, 0), end + 1) if is_topical[index])
            best, best_start = distinct, max(first - LEAD, end - most + 1, 0)
    last_start = max(len(is_topical) - most, 0)
    return min(best_start, last_start)


def _joined(parts: Sequence[Part]) -> list[Part]:
    """Join neighbours of one kind, with spaces between words."""
    joined: list[Part] = []
    for part in parts:
        if joined and joined[-1].is_marked == part.is_marked:
            joined[-1] = Part(f"{joined[-1].text} {part.text}", part.is_marked)
        else:
            joined.append(part)
    return joined
