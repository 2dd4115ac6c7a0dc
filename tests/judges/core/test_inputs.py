from __future__ import annotations

from dataclasses import replace

import pytest

from judges.core.inputs import Gap, ImageInput, Input, TextInput, text_input
from judges.core.settings import Settings

SETTINGS = Settings(backend="clip", revision=1, model="openai/clip", model_revision="a" * 40)


@pytest.mark.parametrize("prompt", ["A photo depicts ", "A photo depicts"])
def test_text_input_stands_behind_the_prompt(prompt: str) -> None:
    shown = text_input(replace(SETTINGS, prompt=prompt), " a red barn\n")

    assert shown == TextInput("A photo depicts a red barn", "truncate")


def test_text_input_without_prompt_is_the_text() -> None:
    assert text_input(SETTINGS, "a red barn") == TextInput("a red barn", "truncate")


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_text_input_without_words_is_a_gap_whatever_the_prompt(text: str) -> None:
    assert text_input(replace(SETTINGS, prompt="A photo depicts"), text) is Gap.TEXT_EMPTY


def test_input_names_differ_by_content_kind_and_long_text_policy() -> None:
    shown: list[Input] = [
        TextInput("a", "truncate"),
        TextInput("b", "truncate"),
        TextInput("a", "chunk-mean"),
        ImageInput("a"),
    ]

    assert len({each.sha256 for each in shown}) == 4
