import json
from dataclasses import replace
from typing import Any

import pytest

from tests.oracles.shared import shared_folder
from tests.refusals import refused
from tests.trackside.backends.chat_requests import SETTINGS
from trackside.backends.openai_batch import OpenAIBatch
from trackside.backends.openai_chat import OpenAIChat
from trackside.judging.endpoints.chat import request_body, request_options
from trackside.judging.settings import Settings

# A judge as it is stored since revision 2, with the default options, and its identity.
STORED = replace(
    SETTINGS,
    revision=2,
    model_revision="judge-2026-01-31",
    dtype="",
    prompt="{fields} {image}",
    decoding={"max_tokens": 64, "temperature": 0},
)
IDENTITY = "f8e07c15ce82bcf20ec7ed736e56dd051b0f0ae540f1867373354d147156822c"


def pinned(decoding: dict[str, Any], backend: type[OpenAIChat | OpenAIBatch] = OpenAIChat) -> Settings:
    return backend.pinned(replace(SETTINGS, decoding=decoding))


def test_stored_judge_keeps_its_identity_and_its_requests() -> None:
    assert STORED.identity_sha256 == IDENTITY
    assert json.dumps(request_body(("text",), STORED)) == (
        '{"model": "judge-2026-01-31", '
        '"messages": [{"role": "user", "content": [{"type": "text", "text": "text"}]}], '
        '"max_tokens": 64, "temperature": 0, "seed": 0}'
    )


@pytest.mark.parametrize(
    ("decoding", "sent"),
    [
        ({}, {"max_tokens": 64, "temperature": 0, "seed": 0}),
        ({"leave_out": ["seed"]}, {"max_tokens": 64, "temperature": 0}),
        ({"seed": None, "random_seed": 7}, {"max_tokens": 64, "temperature": 0, "random_seed": 7}),
        ({"temperature": None, "seed": None}, {"max_tokens": 64}),
        ({"leave_out": ["temperature", "seed"]}, {"max_tokens": 64}),
        (
            {
                "max_completion_tokens": 512,
                "max_tokens": None,
                "temperature": None,
                "reasoning_effort": "low",
            },
            {"max_completion_tokens": 512, "reasoning_effort": "low", "seed": 0},
        ),
        (
            {"chat_template_kwargs": {"enable_thinking": False}},
            {
                "max_tokens": 64,
                "temperature": 0,
                "chat_template_kwargs": {"enable_thinking": False},
                "seed": 0,
            },
        ),
    ],
)
@pytest.mark.parametrize("backend", [OpenAIChat, OpenAIBatch])
def test_options_are_sent_added_and_left_out(
    backend: type[OpenAIChat | OpenAIBatch], decoding: dict[str, Any], sent: dict[str, Any]
) -> None:
    settings = pinned(decoding, backend)

    assert request_options(settings) == sent
    assert backend.pinned(settings) == settings
    assert None not in settings.decoding.values()  # TOML has no null, so a track file can name each judge


def test_options_that_are_left_out_are_part_of_the_identity() -> None:
    spellings: list[dict[str, Any]] = [
        {"leave_out": ["seed", "temperature"]},
        {"temperature": None, "leave_out": ["seed"]},
    ]
    assert len({pinned(decoding).identity_sha256 for decoding in spellings}) == 1

    others: list[dict[str, Any]] = [
        {},
        {"seed": None},
        {"temperature": None},
        spellings[0],
        {"reasoning_effort": "low"},
    ]
    assert len({pinned(decoding).identity_sha256 for decoding in others}) == len(others)


@pytest.mark.parametrize(
    ("decoding", "words"),
    [
        ({"max_tokens": None}, "cannot be left out"),
        ({"leave_out": ["top_p"]}, "cannot be left out"),
        ({"leave_out": "seed"}, "is a list"),
        ({"leave_out": [{}]}, "cannot be left out"),
        ({"leave_out": ["temperature"], "temperature": 1}, "Remove one of the two"),
        ({"seed": 7}, "does not send"),
        ({"stream": True}, "does not send"),
        ({"chat_template_kwargs": "off"}, "Give an object"),
        ({"reasoning_effort": 1}, "Give a word"),
    ],
)
def test_options_that_cannot_be_sent_or_left_out_are_refused(decoding: dict[str, Any], words: str) -> None:
    with refused("endpoint-settings-refused", match=words):
        pinned(decoding)


def test_dialects_of_the_shared_case_can_be_spoken() -> None:
    folder = shared_folder("cases", "imports3", "endpoint_dialects")
    case = json.loads((folder / "settings.json").read_text())

    mistral = request_options(pinned({"seed": None, "random_seed": 0}))
    assert not set(case["mistral"]["must_not_send"]) & set(mistral)
    assert set(case["mistral"]["may_send"]) <= set(mistral)
    assert not {"max_tokens", "temperature"} & set(
        request_options(pinned({"max_completion_tokens": 99, "temperature": None}))
    )
    wanted = case["qwen3-vl"]["must_be_able_to_send"]
    assert request_options(pinned(wanted)).items() >= wanted.items()
