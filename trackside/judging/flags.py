"""Detect text that addresses a judge and not a reader: possible prompt injection."""

import re

ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.]{0,40}\b(?:instruction|prompt|rule|above|previous|prior|other)"
    r"|\b(?:answer|respond|reply|output|print|return)\b[^.]{0,30}\b(?:relevance|score|grade|exactly|100)\b"
    r"|\b(?:relevance|score|grade|rating)\s*[:=]\s*\d"
    r"|\b(?:highest|maximum|perfect|full)\s+(?:score|grade|rating|relevance)\b"
    r"|\byou\s+are\s+(?:a|an)\s+(?:helpful|ai|language)\b|\bsystem\s+prompt\b|\[/?INST\]|<\|?/?(?:system|im_start)",
    re.IGNORECASE,
)


def speaks_to_a_judge(text: str) -> bool:
    """Return whether a text reads like an instruction to a model; false positives are fine: people review.

    Words painted in an image are not detected.
    """
    return ORDERS.search(text) is not None
