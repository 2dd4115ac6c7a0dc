"""Bounds of the width of text: no label may run out of its figure, whatever sans serif font a reader has."""

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
