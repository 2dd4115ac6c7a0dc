from dataclasses import replace

import pytest

from trackside.findings.provenance import ReadingOrder
from trackside.judging.repeats import order_of, repeat_sha256
from trackside.judging.settings import Settings
from trackside.judging.shipped_prompts import BUILT_IN

CLIP = Settings(backend="clip", revision=1, model="m", model_revision="1", text_fields=("title", "text"))
PROMPTS = {prompt.name: prompt for prompt in BUILT_IN}
TEXT_FIRST, IMAGE_FIRST = (
    replace(CLIP, backend="llava", text_fields=(), prompt=PROMPTS[f"own-words-{order}-first"].template)
    for order in ("text", "image")
)


def test_judges_that_differ_in_the_place_of_the_image_repeat_each_other() -> None:
    assert TEXT_FIRST.identity_sha256 != IMAGE_FIRST.identity_sha256
    assert repeat_sha256(TEXT_FIRST) == repeat_sha256(IMAGE_FIRST)
    fields = ("section_title", "context_section_description", "page_title", "context_page_description")
    assert order_of(TEXT_FIRST) == ReadingOrder(image="last", fields=fields)
    assert order_of(IMAGE_FIRST) == ReadingOrder(image="first", fields=fields)


def test_judges_that_differ_in_the_order_of_fields_repeat_each_other() -> None:
    turned = replace(CLIP, text_fields=("text", "title"))

    assert repeat_sha256(turned) == repeat_sha256(CLIP)
    assert (order_of(CLIP), order_of(turned)) == (
        ReadingOrder(image=None, fields=("title", "text")),
        ReadingOrder(image=None, fields=("text", "title")),
    )


def test_judge_with_another_seed_is_a_retest_in_the_same_order() -> None:
    again = replace(TEXT_FIRST, seed=7)

    assert again.identity_sha256 != TEXT_FIRST.identity_sha256
    assert (repeat_sha256(again), order_of(again)) == (repeat_sha256(TEXT_FIRST), order_of(TEXT_FIRST))


@pytest.mark.parametrize(
    "changes",
    [{"model": "n"}, {"text_fields": ("title",)}, {"prompt": "A photo depicts"}, {"long_text": "chunk-max"}],
)
def test_judges_that_differ_in_anything_else_do_not(changes: dict[str, str]) -> None:
    assert repeat_sha256(replace(CLIP, **changes)) != repeat_sha256(CLIP)  # type: ignore[arg-type]


def test_image_between_words_is_an_order_of_its_own() -> None:
    between = replace(TEXT_FIRST, prompt="Look: {title}\n{image}\nGrade it.")

    assert order_of(between) == ReadingOrder(image="between", fields=("title",))
    assert repeat_sha256(between) == repeat_sha256(
        replace(between, prompt="{image}\nLook: {title}\nGrade it.")
    )
