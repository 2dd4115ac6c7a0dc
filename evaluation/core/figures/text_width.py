"""Bounds of the width of text: no label may run out of its figure, whatever sans serif font a reader has."""

from collections.abc import Sequence

SIZE = 12.0  # px, as in the style sheet
# Widths in em, at least those of DejaVu Sans, the widest of the usual fonts.
_WIDTHS = (
    dict.fromkeys("ijl|'.,:;!I ()[]", 0.40) | dict.fromkeys('frt-/"', 0.46) | dict.fromkeys("szck", 0.59)
)
_WIDTHS |= dict.fromkeys("mwMWOQ@%", 1.0) | dict.fromkeys("ABCDEFGHKLNPRSTUVXYZJ+−<>=", 0.84)
_OTHER = 0.65
_CUT = "…"


def text_width(text: str) -> float:
    """An upper bound of the width of a line of text in px."""
    # A character beyond Latin may be as wide as it is high.
    return SIZE * sum(_WIDTHS.get(each, _OTHER if ord(each) < 0x2E80 else 1.0) for each in text)


def fitted(text: str, width: float) -> str:
    """The text, cut with an ellipsis if it is wider than ``width``."""
    if text_width(text) <= width:
        return text
    kept = text
    while kept and text_width(kept + _CUT) > width:
        kept = kept[:-1]
    return kept + _CUT if kept else ""


def fitted_apart(texts: Sequence[str], width: float) -> list[str]:
    """The texts, cut as by ``fitted``; those that would look alike are cut in the middle instead."""
    cut = [fitted(text, width) for text in texts]
    return [
        _cut_inside(text, width) if shown != text and cut.count(shown) > 1 else shown
        for text, shown in zip(texts, cut, strict=True)
    ]


def _cut_inside(text: str, width: float) -> str:
    """The text with as many characters before its middle left out as it takes; its end distinguishes it."""
    for kept in range(len(text) - 1, 1, -1):
        head = kept // 2
        shown = text[:head] + _CUT + text[len(text) - (kept - head) :]
        if text_width(shown) <= width:
            return shown
    return fitted(text, width)
