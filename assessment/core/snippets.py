"""The part of a text that shows a topic's words."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

LEAST_LETTERS = 3  # shorter words are mostly particles
MOST_WORDS = 28  # of a snippet: two lines on a wall
LEAD = 4  # words before the first topic word
ELLIPSIS = "…"
WORD = re.compile(r"\w+")
# Scripts without spaces: Thai, Lao, Burmese and Khmer letters with their marks; hiragana; Han and katakana.
LETTERS = r"\u0e01-\u0e4e\u0e80-\u0ece\u1000-\u103f\u1780-\u17d3"
MARKS = r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3"
HIRAGANA = r"\u3041-\u3096\u309d-\u309f"
HAN = r"\u3005-\u3007\u30a0-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
PIECE = re.compile(
    rf"\s*(?:(?P<han>[{HAN}])|(?P<hiragana>[{HIRAGANA}])|(?P<letter>[{LETTERS}][{MARKS}]*)"
    rf"|(?P<word>[^\s{HAN}{HIRAGANA}{LETTERS}]+))"
)
WIDTHS = {"word": 6, "han": 2, "hiragana": 2, "letter": 1}
MOST_SIGNS = 3  # of a term


class Part(NamedTuple):
    """A piece of a snippet; topic words are marked. ``has_gap``: white space comes before it."""

    text: str
    is_marked: bool = False
    has_gap: bool = True


class _Piece(NamedTuple):
    """A word, or a sign of a script without spaces."""

    text: str
    kind: str
    has_gap: bool


def words_of(*texts: str) -> frozenset[str]:
    """Return the words of the texts that are worth looking for, in small letters.

    In scripts without spaces these are all neighbours: two of Han and katakana, three of other signs, which
    are often parts of particles; a shorter run is taken whole.
    """
    return frozenset(term for text in texts for term in _terms(_pieces(text)))


def _terms(pieces: Sequence[_Piece]) -> Iterator[str]:
    for start, piece in enumerate(pieces):
        if piece.kind == "word":
            yield from _long_words(piece.text)
            continue
        run = _run(pieces, start)
        size = 2 if [sign.kind for sign in run[:2]] == ["han", "han"] else MOST_SIGNS
        is_first = piece.has_gap or pieces[start - 1].kind == "word"
        if len(run) >= size or is_first:
            yield "".join(sign.text for sign in run[:size])


def _long_words(text: str) -> frozenset[str]:
    words = (word.casefold() for word in WORD.findall(text))
    return frozenset(word for word in words if len(word) >= LEAST_LETTERS)


def _run(pieces: Sequence[_Piece], start: int) -> Sequence[_Piece]:
    """Return up to MOST_SIGNS neighbouring signs from here on."""
    end = start + 1
    while (
        end < min(start + MOST_SIGNS, len(pieces)) and not pieces[end].has_gap and pieces[end].kind != "word"
    ):
        end += 1
    return pieces[start:end]


def _pieces(text: str) -> list[_Piece]:
    """Return the pieces of the text; the first one counts as after a gap."""
    return [
        _Piece(piece[0].lstrip(), piece.lastgroup or "", not piece.start() or piece[0][0].isspace())
        for piece in PIECE.finditer(text.strip())
    ]


def make_snippet(text: str, topic_words: Collection[str], *, most: int = MOST_WORDS) -> list[Part]:
    """Return the stretch of up to ``most`` words with the most different topic words, the first of equals.

    A sign of a script without spaces is as wide as a part of a word. An ellipsis stands where text is left
    out. Without any topic word it is the beginning.
    """
    pieces = _pieces(text)
    terms = _terms_found(pieces, topic_words)
    ends = list(accumulate((WIDTHS[piece.kind] for piece in pieces), initial=0))
    width = most * WIDTHS["word"]
    start = _best_start(terms, ends, width)
    end = bisect_right(ends, ends[start] + width) - 1
    marked = {place for first, found in terms.items() for last, _ in found for place in range(first, last)}
    parts = [Part(pieces[place].text, place in marked, pieces[place].has_gap) for place in range(start, end)]
    is_cut = end < len(pieces)
    return _joined([*([Part(ELLIPSIS)] if start else []), *parts, *([Part(ELLIPSIS)] if is_cut else [])])


def _terms_found(pieces: Sequence[_Piece], topic_words: Collection[str]) -> dict[int, list[tuple[int, str]]]:
    """Return by the piece where they begin the topic's words, each with the piece after it."""
    initials = {word[0] for word in topic_words}
    found: dict[int, list[tuple[int, str]]] = {}
    for start, piece in enumerate(pieces):
        if piece.kind == "word":
            ends = [(start + 1, word) for word in _long_words(piece.text) if word in topic_words]
        elif piece.text[0] in initials:
            run = [sign.text for sign in _run(pieces, start)]
            grams = [(start + size, "".join(run[:size])) for size in range(1, len(run) + 1)]
            ends = [(end, gram) for end, gram in grams if gram in topic_words]
        else:
            continue
        if ends:
            found[start] = ends
    return found


def _best_start(terms: Mapping[int, Sequence[tuple[int, str]]], ends: Sequence[int], width: int) -> int:
    """Return the first piece of the best stretch, some before its first topic word."""
    counts: Counter[str] = Counter()
    inside: deque[int] = deque()  # where terms begin
    best = best_start = 0
    for index, found in terms.items():
        counts.update(word for _, word in found)
        inside.append(index)
        while ends[index + 1] - ends[inside[0]] > width:
            counts -= Counter(word for _, word in terms[inside.popleft()])
        if len(counts) > best:
            earliest = max(ends[inside[0]] - LEAD * WIDTHS["word"], ends[index + 1] - width)
            best, best_start = len(counts), bisect_left(ends, earliest)
    return min(best_start, bisect_left(ends, ends[-1] - width))


def _joined(parts: Sequence[Part]) -> list[Part]:
    """Join neighbours of one kind, with spaces where they have one."""
    joined: list[Part] = []
    for part in parts:
        if joined and joined[-1].is_marked == part.is_marked:
            gap = " " if part.has_gap else ""
            joined[-1] = joined[-1]._replace(text=f"{joined[-1].text}{gap}{part.text}")
        else:
            joined.append(part)
    return joined
