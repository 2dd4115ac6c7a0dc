"""Find the values of a key in the JSON objects of an answer, in prose or in a fenced block.

Models also write JSON that is slightly wrong: single quotes, trailing commas, keys without quotes, escapes
that JSON lacks. It is read as long as strings and brackets close.
"""

import re
from dataclasses import dataclass

# A string without an end reaches to the end of the text, so that each character is read once.
_STRING = r"(?:\"((?:[^\"\\]|\\.)*+)(?:\"|\Z)|'((?:[^'\\]|\\.)*+)(?:'|\Z))"
_WORD = r"([^\s\"'{}\[\]:,]++)"
# A comma before a digit belongs to the number: "1,5" is not 1.
_BARE = r"([^,{}\[\]\"'\n]*+(?:,(?=\s?\d)[^,{}\[\]\"'\n]*+)*+)"
_TOKEN = re.compile(rf"(?:{_STRING}|{_WORD})(?:\s*+(:)\s*+(?:{_STRING}|{_BARE}))?+|.", re.DOTALL)
KEY, COLON, VALUE = 1, 4, 5  # groups of _TOKEN; key and value have three each


@dataclass(frozen=True, slots=True)
class KeyValues:
    """The texts of the values of a key in closed objects; "" stands for an array or an object.

    ``prose`` is the text outside all objects. ``is_cut``: an object with the key is not closed.
    """

    values: tuple[str, ...]
    prose: str
    is_cut: bool


def values_of_key(text: str, key: str) -> KeyValues:
    """Return the values of a key, in upper or lower case, in all objects of a text. Takes linear time."""
    closed: list[str] = []
    prose: list[str] = []
    position, is_cut = 0, False
    while (start := text.find("{", position)) >= 0:
        prose.append(text[position:start])
        position, values, is_open = _object(text, start, key.casefold())
        closed += values
        is_cut |= is_open
    prose.append(text[position:])
    return KeyValues(tuple(closed), "\n".join(prose), is_cut)


def _object(text: str, start: int, key: str) -> tuple[int, list[str], bool]:
    """Return the end of the object that starts there, the values of the key, and whether one is open."""
    closed: list[str] = []
    levels: list[list[str]] = []  # the values in each open bracket
    end = start
    for token in _TOKEN.finditer(text, start):
        end = token.end()
        if token[0] in "{[":
            levels.append([])
        elif token[0] in "}]":
            closed += levels.pop()
        elif _text(token, KEY).strip(" “”*`").casefold() == key and token[COLON]:
            levels[-1].append(_text(token, VALUE))
        if not levels:
            break
    return end, closed, any(levels)


def _text(token: re.Match[str], group: int) -> str:
    return next(filter(None, token.group(group, group + 1, group + 2)), "")
