"""Completions as text: without hidden characters and markup, and the values of a key in their JSON objects.

Models also write JSON that is slightly wrong: single quotes, trailing commas, keys without quotes, escapes
that JSON lacks. It is read as long as strings and brackets close.
"""

import re
from collections.abc import Container
from dataclasses import dataclass

from trackside.text.names import HIDDEN

LONGEST = 20_000  # characters parsed, counted from the end: hundreds of times the length of an answer
HIDDEN_CHARACTERS = re.compile(rf"(?!\s)(?:{HIDDEN}|\0)")
# U+202E shows what follows it from right to left, up to U+202C or the end of the line.
REVERSED = re.compile("\u202e([^\u202c\n]*)")
# Each repetition below is bounded or of one character class, so every text takes linear time.
BOLD = re.compile(r"</?(?:b|strong|i|em|u|code|p|br)\s?/?>", re.IGNORECASE)
# Marks around an answer: tags, the box of GLM's vision models and of mathematics, tokens of turns.
AROUND_ANSWER = re.compile(
    r"</?(?:final_?answer|answer|output|response|result|solution|conclusion|score|s|end_of_turn|turn\|)>"
    r"|<\|[^<>|]{1,40}\|?>|\\boxed(?=\{)|◁/?\w{1,20}▷|\[/?answer\]",
    re.IGNORECASE,
)
BRACKETED = re.compile(r"<([^<>\n,;]{0,39}[^<>\n,;=-])>")  # "<85>"; the "<" of "<50" stays
LETTER = r"[^\W\d_]"
DECORATION = re.compile(rf"[*_`#\"“”\[\]{{}}()$\\]|(?<!{LETTER})['‘]|'(?!{LETTER})")
BLANKS = re.compile(r"\s+")
# Punctuation of East Asian fonts, such as the colon U+FF1A.
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def visible_texts(text: str) -> tuple[str, ...]:
    """Return the possible readings of a text without its hidden characters, or the text itself.

    They are dropped or replaced by blanks; what U+202E reverses is also read as displayed.
    """
    if not HIDDEN_CHARACTERS.search(text):
        return (text,)
    texts = {HIDDEN_CHARACTERS.sub(blank, text): None for blank in ("", " ")}
    if "\u202e" in text:
        texts[HIDDEN_CHARACTERS.sub("", REVERSED.sub(lambda match: match[1][::-1], text))] = None
    return tuple(texts)


def undecorated(text: str) -> str:
    """Replace each character of markup by a blank, so that ``8(1)`` is never read as 81.

    A run of blanks becomes one blank, or one line feed if it has one. Apostrophes within words stay: "can't".
    """
    plain = AROUND_ANSWER.sub(" ", text.translate(FULL_WIDTH).replace("\u2019", "'"))
    plain = BRACKETED.sub(r" \1 ", BOLD.sub(" ", plain))
    return BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", DECORATION.sub(" ", plain)).strip()


# A string without an end reaches to the end of the text, so that each character is read once.
_STRING = r"(?:\"((?:[^\"\\]|\\.)*+)(?:\"|\Z)|'((?:[^'\\]|\\.)*+)(?:'|\Z))"
_WORD = r"([^\s\"'{}\[\]:,]++)"
# A comma before a digit belongs to the number: "1,5" is not 1.
_BARE = r"([^,{}\[\]\"'\n]*+(?:,(?=\s?\d)[^,{}\[\]\"'\n]*+)*+)"
_TOKEN = re.compile(rf"(?:{_STRING}|{_WORD})(?:\s*+(:)\s*+(?:{_STRING}|{_BARE}))?+|.", re.DOTALL)
_LATER = ("final", "overall", "revised", "corrected", "updated", "new")
KEY, COLON, VALUE = 1, 4, 5  # groups of _TOKEN; key and value have three each


@dataclass(frozen=True, slots=True)
class KeyValues:
    """The texts of the values of a key in closed objects; "" stands for an array or an object.

    ``prose`` is the text outside all objects. ``is_cut``: an object with the key is not closed.
    """

    values: tuple[str, ...]
    prose: str
    is_cut: bool


def values_of_key(text: str, key: str, *, has_names: bool = True) -> KeyValues:
    """Return the values of a key, in upper or lower case, in all objects of a text. Takes linear time.

    With ``has_names`` also those of "final_grade" and the like, if the key is "grade".
    """
    words = ("", *_LATER) if has_names else ("",)
    keys = {f"{word}{blank if word else ''}{key.casefold()}" for word in words for blank in "_ "}
    closed: list[str] = []
    prose: list[str] = []
    position, is_cut = 0, False
    while (start := text.find("{", position)) >= 0:
        prose.append(text[position:start])
        position, values, is_open = _object(text, start, keys)
        closed += values
        is_cut |= is_open
    prose.append(text[position:])
    return KeyValues(tuple(closed), "\n".join(prose), is_cut)


def _object(text: str, start: int, keys: Container[str]) -> tuple[int, list[str], bool]:
    """Return the end of the object that starts there, the values of the keys, and whether one is open."""
    closed: list[str] = []
    levels: list[list[str]] = []  # the values in each open bracket
    end = start
    for token in _TOKEN.finditer(text, start):
        end = token.end()
        if token[0] in "{[":
            levels.append([])
        elif token[0] in "}]":
            closed += levels.pop()
        elif token[COLON] and _text(token, KEY).strip(" “”*`").casefold() in keys:
            levels[-1].append(_text(token, VALUE))
        if not levels:
            break
    return end, closed, any(levels)


def _text(token: re.Match[str], group: int) -> str:
    return next(filter(None, token.group(group, group + 1, group + 2)), "")
