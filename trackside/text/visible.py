"""Texts of items as people and models see them: without invisible characters."""

import re
from collections.abc import Iterable, Sequence

# Joiners and bidi marks (U+200C to U+200F) stay: Persian, Hindi, Arabic and emoji need them. So do isolates
# in pairs, one variation selector after a character, and the flags of England, Scotland and Wales: they are
# tags. Source: Unicode 15, Default_Ignorable_Code_Point.
_HIDDEN = re.compile(
    "\U0001f3f4[\U000e0061-\U000e007a]{5}\U000e007f|("
    "[\u00ad\u034f\u061c\u200b\u202a-\u202e\u2060-\u2065\u206a-\u206f\ufeff\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
    "|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef])"
)
_ISOLATE = re.compile("[\u2066-\u2069]")
_END_OF_ISOLATE = "\u2069"


def visible_text(text: str) -> str:
    """Return the text without tags, zero-width characters, bidi controls and isolates without a partner."""
    hidden = _hidden_positions(text)
    if not hidden:
        return text
    return "".join(character for position, character in enumerate(text) if position not in hidden)


def visible_fields(fields: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the (name, text) pairs of an item as every page and every prompt shows them, in order."""
    return [(name, visible_text(text)) for name, text in fields]


def hidden_characters(text: str) -> str:
    """Return the code points that ``visible_text`` leaves out, each once, such as "U+200B, U+E0041"."""
    characters = sorted({text[position] for position in _hidden_positions(text)})
    return ", ".join(f"U+{ord(character):04X}" for character in characters)


def _hidden_positions(text: str) -> set[int]:
    if text.isascii():
        return set()
    return {match.start() for match in _HIDDEN.finditer(text) if match[1]} | _lone_isolates(text)


def _lone_isolates(text: str) -> set[int]:
    opened: list[int] = []
    lone: set[int] = set()
    for match in _ISOLATE.finditer(text):
        if match[0] != _END_OF_ISOLATE:
            opened.append(match.start())
        elif opened:
            opened.pop()
        else:
            lone.add(match.start())
    return lone.union(opened)
