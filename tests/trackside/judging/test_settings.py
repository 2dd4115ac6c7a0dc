from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from tests.refusals import refused
from trackside.judging.settings import CLIP_PRESETS, Settings, folder_sha256, pinned_revision

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


def settings_of(name: str, **changes: Any) -> Settings:
    given: dict[str, Any] = {"backend": "clip", "revision": 1, "model": "m", "model_revision": "1"}
    return Settings(**given | CLIP_PRESETS[name].choices | changes)


def test_four_fields_are_the_context_part_of_the_papers_prompt_section_first() -> None:
    # Yang and Lin (2024), note 2: section title, section context, page title, page context; no prefix.
    four = ("section_title", "context_section_description", "page_title", "context_page_description")

    for name, policy in [("", "truncate"), ("-chunk-mean", "chunk-mean"), ("-chunk-max", "chunk-max")]:
        settings = settings_of(f"clip-four-fields{name}")
        assert (settings.text_fields, settings.prompt, settings.long_text) == (four, "", policy)


def test_presets_and_orders_of_fields_make_different_judges() -> None:
    found = {settings_of(name).identity_sha256 for name in CLIP_PRESETS}
    turned = settings_of("clip-four-fields", text_fields=CLIP_PRESETS["clip-four-fields"].text_fields[::-1])

    assert len(found) == len(CLIP_PRESETS)
    assert turned.identity_sha256 not in found


COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "1.safetensors").write_bytes(b"\0\1")
    return tmp_path


def test_pinned_revision_of_a_hub_model_is_its_commit() -> None:
    assert pinned_revision("openai/clip-vit-large-patch14", COMMIT) == COMMIT


@pytest.mark.parametrize("revision", ["", "main", COMMIT[:12], COMMIT.upper(), f"{COMMIT}\n"])
def test_pinned_revision_of_a_hub_model_needs_the_full_commit(revision: str) -> None:
    with refused("model-revision-needed", match="40 hexadecimal digits"):
        pinned_revision("openai/clip-vit-large-patch14", revision)


def test_pinned_revision_of_a_folder_is_its_digest(folder: Path) -> None:
    found = pinned_revision(str(folder), "")

    assert found == folder_sha256(folder)
    assert pinned_revision(str(folder), found) == found


def test_pinned_revision_refuses_a_changed_folder(folder: Path) -> None:
    before = pinned_revision(str(folder), "")
    (folder / "config.json").write_text('{"x": 1}')

    with refused("model-changed", match="have changed"):
        pinned_revision(str(folder), before)


def test_folder_sha256_distinguishes_renamed_and_moved_files(folder: Path) -> None:
    before = folder_sha256(folder)
    (folder / "weights" / "1.safetensors").rename(folder / "1.safetensors")

    assert folder_sha256(folder) != before
