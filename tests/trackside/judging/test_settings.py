from dataclasses import fields, replace
from typing import Any

import pytest

from trackside.judging.settings import Settings

SETTINGS = Settings(backend="clip", revision=1, model="openai/clip", model_revision="a" * 40)
OTHERS: dict[str, Any] = {
    "backend": "llava",
    "revision": 2,
    "model": "openai/clip-large",
    "model_revision": "b" * 40,
    "dtype": "bfloat16",
    "prompt": "A photo depicts",
    "text_fields": ("page_title",),
    "image_size": "original",
    "long_text": "chunk-mean",
    "decoding": {"top_k": 1},
    "seed": 1,
    "endpoint": "http://host:8000/v1",
    "answer": "grade-0-2",
}


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_settings_identity_changes_with_each_of_them(name: str) -> None:
    other = replace(SETTINGS, **{name: OTHERS[name]})

    assert other.identity_sha256 != SETTINGS.identity_sha256


def test_settings_identity_does_not_depend_on_the_order_of_decoding() -> None:
    one = replace(SETTINGS, decoding={"top_k": 1, "top_p": 0.9})
    other = replace(SETTINGS, decoding={"top_p": 0.9, "top_k": 1})

    assert one.identity_sha256 == other.identity_sha256


@pytest.mark.parametrize("name", ["backend", "revision", "model", "model_revision", "dtype"])
def test_settings_encoder_changes_with_what_makes_the_vectors(name: str) -> None:
    assert replace(SETTINGS, **{name: OTHERS[name]}).encoder_sha256 != SETTINGS.encoder_sha256


@pytest.mark.parametrize("name", ["prompt", "text_fields", "image_size", "long_text", "decoding", "seed"])
def test_settings_encoder_is_shared_whatever_is_shown_to_it(name: str) -> None:
    assert replace(SETTINGS, **{name: OTHERS[name]}).encoder_sha256 == SETTINGS.encoder_sha256
