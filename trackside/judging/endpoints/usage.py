"""Token counts of completions as their endpoints bill them."""

from collections.abc import Mapping
from typing import Any

from trackside.judging.asking import Usage

MOST_TOKENS = 2**31 - 1  # maximum of an integer column


def read_usage(usage: Any) -> Usage | None:
    """Return the tokens that an answer is billed for; None if they are missing or impossible.

    Gemini's protocol, Grok and many gateways leave thoughts out of the completion's tokens: all of the total
    that is not prompt is output. The counts are doubtful if the parts do not fit the total. Without a total,
    thoughts that are named count on top, which is never too little.
    """
    if not isinstance(usage, Mapping):
        return None
    prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if prompt is None or completion is None:
        return None
    thoughts, total = _named_thoughts(usage), usage.get("total_tokens")
    counted = _count(total)
    if counted is None:
        return Usage(prompt, min(completion + thoughts, MOST_TOKENS), thoughts, is_doubtful=total is not None)
    output = max(completion, counted - prompt)
    is_doubtful = counted < prompt + completion or thoughts > output
    return Usage(prompt, output, thoughts or output - completion, is_doubtful)


def _count(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and 0 <= value <= MOST_TOKENS else None


def _named_thoughts(usage: Mapping[str, Any]) -> int:
    details = usage.get("completion_tokens_details")
    named = details if isinstance(details, Mapping) else usage
    return _count(named.get("reasoning_tokens")) or 0
