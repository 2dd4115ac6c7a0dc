"""Normalise completions before parsing: strip thoughts and markup."""

from __future__ import annotations

import re

LONGEST = 20_000  # characters parsed, counted from the end: hundreds of times the length of an answer
THOUGHT = re.compile(r"</?think>", re.IGNORECASE)
# Each repetition below is bounded or of one character class, so every text takes linear time.
BOLD = re.compile(r"</?(?:b|strong|i|em|u|code|p|br)\s?/?>", re.IGNORECASE)
BRACKETED = re.compile(r"<([^<>\n,;]{0,39}[^<>\n,;=-])>")  # "<85>"; the "<" of "<50" stays
LETTER = r"[^\W\d_]"
DECORATION = re.compile(rf"[*_`#\"“”\[\]{{}}()$\\]|(?<!{LETTER})['‘]|'(?!{LETTER})")
BLANKS = re.compile(r"\s+")


def behind_thoughts(text: str) -> str | None:
    """Return the text after the last block of thoughts; None if that block is not closed."""
    tags = list(THOUGHT.finditer(text))
    if not tags:
        return text
    return text[tags[-1].end() :] if tags[-1][0].startswith("</") else None


def undecorated(text: str) -> str:
    """Replace each character of markup by a blank, so that ``8(1)`` is never read as 81.

    A run of blanks becomes one blank, or one line feed if it has one. Apostrophes within words stay: "can't".
    """
    plain = BRACKETED.sub(r" \1 ", BOLD.sub(" ", text.replace("\u2019", "'")))
    return BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", DECORATION.sub(" ", plain)).strip()
