"""No usage record books less than its provider bills, by the rules of 29 November 2026."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trackside.judging.asking import EndpointError, Response, Usage
from trackside.judging.costs import Rates
from trackside.judging.endpoints.usage import read_usage

RATES = Rates(Decimal("2.5"), Decimal(10), 1000)


class Rule(NamedTuple):
    """How a provider reports prompt, visible and thought tokens; all bill the last two as output."""

    source: str
    record: Callable[[int, int, int], dict[str, Any]]


def _openai(prompt: int, visible: int, thoughts: int) -> dict[str, Any]:
    details = {"reasoning_tokens": thoughts}
    return _sum(prompt, visible + thoughts) | {"completion_tokens_details": details}


def _sum(prompt: int, completion: int) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


RULES = {
    "OpenAI": Rule("https://platform.openai.com/docs/guides/reasoning", _openai),
    "Gemini": Rule(
        "https://ai.google.dev/gemini-api/docs/openai",
        lambda p, v, t: _sum(p, v) | {"total_tokens": p + v + t},
    ),
    "Anthropic": Rule("https://docs.anthropic.com/en/api/openai-sdk", lambda p, v, t: _sum(p, v + t)),
    "vLLM": Rule(
        "https://docs.vllm.ai/en/stable/serving/openai_compatible_server",
        lambda p, v, t: _sum(p, v + t) | {"prompt_tokens_details": None},
    ),
    "Mistral": Rule("https://docs.mistral.ai/api", lambda p, v, t: _sum(p, v + t)),
    "OpenRouter": Rule(
        "https://openrouter.ai/docs/use-cases/usage-accounting",
        lambda p, v, t: _openai(p, v, t) | {"cost": 0.1, "prompt_tokens_details": {"cached_tokens": p // 2}},
    ),
    "xAI": Rule(
        "https://docs.x.ai/docs/guides/reasoning",
        lambda p, v, t: (
            _sum(p, v) | {"total_tokens": p + v + t, "completion_tokens_details": {"reasoning_tokens": t}}
        ),
    ),
    "gateways without a total": Rule(
        "https://docs.litellm.ai/docs/completion/usage",
        lambda p, v, t: {"prompt_tokens": p, "completion_tokens": v, "reasoning_tokens": t},
    ),
}
COUNTS = st.integers(0, 50_000)


@pytest.mark.parametrize("name", RULES)
@given(prompt=COUNTS, visible=COUNTS, thoughts=COUNTS)
def test_no_usage_record_books_less_than_its_provider_bills(
    name: str, prompt: int, visible: int, thoughts: int
) -> None:
    usage = read_usage(RULES[name].record(prompt, visible, thoughts))

    assert usage is not None
    billed = RATES.cost(prompt, visible + thoughts)
    assert RATES.charged(Response("a", usage=usage), bound=0) >= billed
    assert RATES.charged(Response("a", usage=usage, fault=EndpointError.SERVER_ERROR), bound=0) >= billed


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        # Gemini: 525 - 21 = 504 tokens of output, 500 of them thoughts.
        ({"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": 525}, Usage(21, 504, 500)),
        (_openai(21, 4, 500), Usage(21, 504, 500)),
        (_sum(21, 4), Usage(21, 4)),
        ({"prompt_tokens": 21, "completion_tokens": 4}, Usage(21, 4)),
        ({"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": 20}, Usage(21, 4, 0, True)),
        ({"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": "25"}, Usage(21, 4, 0, True)),
        (_sum(21, 4) | {"completion_tokens_details": {"reasoning_tokens": 500}}, Usage(21, 4, 500, True)),
        ({"prompt_tokens": 21, "total_tokens": 25}, None),
        ([], None),
    ],
)
def test_output_is_all_of_the_total_that_is_not_prompt(record: Any, expected: Usage | None) -> None:
    assert read_usage(record) == expected


def test_counts_that_contradict_each_other_cost_the_bound_at_least() -> None:
    doubtful = Response("a", usage=Usage(700, 5, is_doubtful=True))  # 1,800 micros

    assert RATES.charged(doubtful, 9000) == 9000
    assert RATES.charged(doubtful, 1000) == 1800
