"""The words of a completion that are read: behind the last thought, without decoration."""

from __future__ import annotations

import re

LONGEST = 20_000  # characters that are read, the last ones: hundreds of times an answer
THOUGHT = re.compile(r"</?think>", re.IGNORECASE)
# Each repetition below is bounded or of one class of signs, so that no text takes more than linear time.
BOLD = re.compile(r"</?(?:b|strong|i|em|u|code|p|br)\s?/?>", re.IGNORECASE)
BRACKETED = re.compile(r"<([^<>\n,;]{0,39}[^<>\n,;=-])>")  # "<85>"; the sign of "<50" stays
LETTER = r"[^\W\d_]"
DECORATION = re.compile(rf"[*_`#\"“”\[\]{{}}()$\\]|(?<!{LETTER})['‘]|'(?!{LETTER})")
BLANKS = re.compile(r"\s+")


def behind_thoughts(text: str) -> str | None:
    """What stands behind the last block of thoughts; None where that block has no end."""
    tags = list(THOUGHT.finditer(text))
    if not tags:
        return text
    return text[tags[-1].end() :] if tags[-1][0].startswith("</") else None


def undecorated(text: str) -> str:
    """The words with a blank for each sign of decoration, so that ``8(1)`` never reads 81.

    Every run of blanks is one, a line's end where it holds one. Apostrophes within words stay: "can't".
    """
    plain = BRACKETED.sub(r" \1 ", BOLD.sub(" ", text.replace("’", "'")))
    return BLANKS.sub(lambda run: "\n" if "\n" in run[0] else " ", DECORATION.sub(" ", plain)).strip()
