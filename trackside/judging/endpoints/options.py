"""Options of requests to endpoints: which a judge may set, and which it sends unless it leaves them out.

Vendors reject options of others: Mistral rejects ``seed``, GPT-5 a ``temperature`` other than 1.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from trackside.errors import InputError

DEFAULTS = {"max_tokens": 64, "temperature": 0}
LEAVE_OUT = "leave_out"
SENT_UNASKED = ("seed", "temperature")  # may be left out; the number of tokens bounds a request's cost


@dataclass(frozen=True)
class _Option:
    """A decoding option: its types, its range for numbers, and a description for error messages."""

    words: str
    types: tuple[type, ...]
    lowest: float = -inf
    highest: float = inf

    def takes(self, value: object) -> bool:
        """Return whether the value is valid; True does not count as 1."""
        if type(value) not in self.types:
            return False
        return not isinstance(value, int | float) or self.lowest <= value <= self.highest


_TOKENS = _Option("a whole number from 1", (int,), 1, 2**31 - 1)
_OBJECT = _Option('an object, such as {"enable_thinking": false}', (dict,))
OFFERED = {
    "max_tokens": _TOKENS,
    "max_completion_tokens": _TOKENS,
    "temperature": _Option("a number from 0 to 2", (int, float), 0, 2),
    "top_p": _Option("a number from 0 to 1", (int, float), 0, 1),
    "logprobs": _Option("a whole number from 0 to 20", (int,), 0, 20),
    "json_schema": _Option("true or false", (bool,)),
    "detail": _Option('a word, such as "low"', (str,)),
    "random_seed": _Option("a whole number from 0", (int,), 0, 2**63 - 1),
    "reasoning_effort": _Option('a word, such as "minimal"', (str,)),
    "chat_template_kwargs": _OBJECT,
    "enable_thinking": _Option("true or false", (bool,)),
    "thinking": _OBJECT,
    "reasoning": _OBJECT,
}


def pinned_decoding(decoding: Mapping[str, Any], backend: str) -> dict[str, Any]:
    """Return the options with their defaults; raise endpoint-settings-refused for one that cannot be sent.

    ``leave_out`` lists options that are not sent. An option whose value is null is left out, too.
    """
    options = {name: value for name, value in decoding.items() if name != LEAVE_OUT and value is not None}
    if unknown := sorted(set(options) - set(OFFERED)):
        raise InputError(
            f"{backend} does not send {unknown}. It sends: {sorted(OFFERED)}.",
            code="endpoint-settings-refused",
        )
    for name, value in options.items():
        if not OFFERED[name].takes(value):
            raise InputError(
                f'"{name}": {json.dumps(value)} cannot be sent. Give {OFFERED[name].words}.',
                code="endpoint-settings-refused",
            )
    left_out = _left_out(decoding)
    if clash := sorted(set(left_out) & set(options)):
        raise InputError(
            f"{clash} cannot be sent and left out. Remove one of the two.", code="endpoint-settings-refused"
        )
    defaults = {name: value for name, value in DEFAULTS.items() if name not in left_out}
    return defaults | options | ({LEAVE_OUT: left_out} if left_out else {})


def _left_out(decoding: Mapping[str, Any]) -> list[str]:
    stored = decoding.get(LEAVE_OUT, [])
    if not isinstance(stored, list):
        raise InputError(
            f'{LEAVE_OUT} is a list of names, such as ["seed"].', code="endpoint-settings-refused"
        )
    names = {str(name) for name in stored}
    names |= {name for name, value in decoding.items() if value is None and name != LEAVE_OUT}
    if "max_completion_tokens" in decoding:
        names.discard("max_tokens")  # only one of the two is sent
    if unfit := sorted(names - set(SENT_UNASKED)):
        raise InputError(
            f"{unfit} cannot be left out. {LEAVE_OUT} takes {list(SENT_UNASKED)}.",
            code="endpoint-settings-refused",
        )
    return sorted(names)
