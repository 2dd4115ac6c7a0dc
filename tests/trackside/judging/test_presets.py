from typing import Any

from trackside.judging.presets import CLIP_PRESETS
from trackside.judging.settings import Settings


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
