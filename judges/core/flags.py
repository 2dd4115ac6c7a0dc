"""Words that speak to a judge and not to a reader: the mark of an injected prompt."""

from __future__ import annotations

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
    """Whether a text reads like an instruction to a model. It errs towards yes: people look at what it finds.

    Words that are painted in an image it cannot see.
    """
    return ORDERS.search(text) is not None
