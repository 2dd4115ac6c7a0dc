"""Bounds of the width of text: no label may run out of its figure, whatever sans serif font a reader has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZE = 12.0  # px, as in the style sheet
BOLD, MONO = 1.1, 0.61
# Widths in em, at least those of DejaVu Sans, the widest of the usual fonts.
_WIDTHS = (
    dict.fromkeys("ijl|'.,:;!I ()[]", 0.40) | dict.fromkeys('frt-/"', 0.46) | dict.fromkeys("szck", 0.59)
)
_WIDTHS |= dict.fromkeys("mwMWOQ@%", 1.0) | dict.fromkeys("ABCDEFGHKLNPRSTUVXYZJ+−<>=", 0.84)
_OTHER = 0.65
_CUT = "…"


def text_width(text: str, *, size: float = SIZE, is_bold: bool = False, is_mono: bool = False) -> float:
    """An upper bound of the width of a line of text in px."""
    if is_mono:
        return size * MONO * sum(1 if each.isascii() else 2 for each in text)
    # A character beyond Latin may be as wide as it is high.
    ems = sum(_WIDTHS.get(each, _OTHER if ord(each) < 0x2E80 else 1.0) for each in text)
    return size * ems * (BOLD if is_bold else 1.0)


def fitted(
    text: str, width: float, *, size: float = SIZE, is_bold: bool = False, is_mono: bool = False
) -> str:
    """The text, cut with an ellipsis if it is wider than ``width``."""

    def is_within(shown: str) -> bool:
        return text_width(shown, size=size, is_bold=is_bold, is_mono=is_mono) <= width

    if is_within(text):
        return text
    kept = text
    while kept and not is_within(kept + _CUT):
        kept = kept[:-1]
    return kept + _CUT if kept else ""


def fitted_apart(texts: Sequence[str], width: float, *, is_bold: bool = False) -> list[str]:
    """The texts, cut as by ``fitted``; those that would look alike are cut in the middle instead."""
    cut = [fitted(text, width, is_bold=is_bold) for text in texts]
    return [
        _cut_inside(text, width, is_bold=is_bold) if shown != text and cut.count(shown) > 1 else shown
        for text, shown in zip(texts, cut, strict=True)
    ]


def _cut_inside(text: str, width: float, *, is_bold: bool) -> str:
    """The text with as many characters before its middle left out as it takes; its end distinguishes it."""
    for kept in range(len(text) - 1, 1, -1):
        head = kept // 2
        shown = text[:head] + _CUT + text[len(text) - (kept - head) :]
        if text_width(shown, is_bold=is_bold) <= width:
            return shown
    return fitted(text, width, is_bold=is_bold)
