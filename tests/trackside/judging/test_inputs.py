from dataclasses import replace

import pytest

from trackside.judging.inputs import (
    FieldsInput,
    Gap,
    ImageInput,
    Input,
    TextInput,
    fields_input,
    item_input,
    piece_sha256,
    shows_all,
    text_input,
)
from trackside.judging.settings import Settings
from trackside.text.items_shown import show_item

SETTINGS = Settings(backend="clip", revision=1, model="openai/clip", model_revision="a" * 40)


@pytest.mark.parametrize("prompt", ["A photo depicts ", "A photo depicts"])
def test_text_input_keeps_the_prompt_apart(prompt: str) -> None:
    shown = text_input(replace(SETTINGS, prompt=prompt), [("text", " a red barn\n")])

    assert shown == TextInput(("a red barn",), "A photo depicts")


def test_text_input_joins_the_fields_unless_they_are_read_one_by_one() -> None:
    fields = [("title", "Barns"), ("licence", " "), ("text", "a red barn")]

    assert text_input(SETTINGS, fields) == TextInput(("Barns a red barn",))
    assert text_input(replace(SETTINGS, long_text="by-fields"), fields) == TextInput(("Barns", "a red barn"))
    for policy in ("chunk-mean", "chunk-max"):
        shown = text_input(replace(SETTINGS, long_text=policy), fields)
        assert shown == TextInput(("Barns a red barn",), is_cut=True)
        assert isinstance(shown, TextInput)
        assert shown.fields == (("title", "Barns"), ("text", "a red barn"))


def test_text_input_in_another_order_is_another_input() -> None:
    fields = [("title", "Barns"), ("text", "a red barn")]

    one, other = (text_input(SETTINGS, each) for each in (fields, fields[::-1]))

    assert isinstance(one, TextInput)
    assert isinstance(other, TextInput)
    assert one.sha256 != other.sha256


@pytest.mark.parametrize("texts", [[], [""], [" \n\t ", ""]])
def test_text_input_without_words_is_a_gap_whatever_the_prompt(texts: list[str]) -> None:
    fields = [(f"field_{place}", text) for place, text in enumerate(texts)]

    assert text_input(replace(SETTINGS, prompt="A photo depicts"), fields) is Gap.TEXT_EMPTY


def test_input_names_differ_by_content_kind_and_reading() -> None:
    shown: list[Input] = [
        TextInput(("a",)),
        TextInput(("b",)),
        TextInput(("a",), is_cut=True),
        TextInput(("a",), "b", is_cut=True),
        TextInput(("a", "b")),
        TextInput(("a b",)),
        ImageInput("a"),
        ImageInput("a", is_draft=True),
    ]

    assert len({each.sha256 for each in shown}) == len(shown)


def test_text_that_is_read_unchanged_is_hashed_as_a_piece() -> None:
    behind_a_prompt, alone = TextInput(("red barn",), "a"), TextInput(("a red barn",))

    assert behind_a_prompt.sha256 == alone.sha256 == piece_sha256("a red barn")


BARN = [("title", "Barn"), ("text", "A red barn."), ("licence", "free")]


@pytest.mark.parametrize(
    ("prompt", "text_fields", "shown"),
    [
        ("{text} {title} {text} {image}", (), (("text", "A red barn."), ("title", "Barn"))),
        ("{page_title} {title} {image}", (), (("title", "Barn"),)),
        ("{text} {title} {image}", ("title", "licence"), (("title", "Barn"),)),
        ("{fields} {image}", (), tuple(BARN)),
        ("{title}: {fields} {image}", (), tuple(BARN)),
        ("{fields} {image}", ("text",), (("text", "A red barn."),)),
    ],
)
def test_fields_input_holds_the_fields_that_the_prompt_shows(
    prompt: str, text_fields: tuple[str, ...], shown: tuple[tuple[str, str], ...]
) -> None:
    asked = replace(SETTINGS, prompt=prompt, text_fields=text_fields)

    assert fields_input(asked, BARN) == FieldsInput(shown)


@pytest.mark.parametrize(
    ("prompt", "text_fields"),
    [("{page_title} {section_title} {image}", ()), ("{title} {image}", ("text",)), ("{empty} {image}", ())],
)
def test_fields_input_of_a_prompt_that_shows_no_word_is_a_gap(
    prompt: str, text_fields: tuple[str, ...]
) -> None:
    asked = replace(SETTINGS, prompt=prompt, text_fields=text_fields)

    assert fields_input(asked, [*BARN, ("empty", " ")]) is Gap.TEXT_EMPTY


def test_fields_input_has_the_same_name_when_a_field_that_is_not_shown_changes() -> None:
    asked = replace(SETTINGS, prompt="{title} {text} {image}")
    edited = [*BARN[:2], ("licence", "none")]

    before, after = fields_input(asked, BARN), fields_input(asked, edited)

    assert isinstance(before, FieldsInput)
    assert isinstance(after, FieldsInput)
    assert before.sha256 == after.sha256


HIDDEN = "\U000e0047\U000e0072"  # two characters of the tag block, which nobody sees


@pytest.mark.parametrize("prompt", ["", "{image}{fields}", "{document.fields}"])
def test_inputs_have_the_texts_that_people_see(prompt: str) -> None:
    settings, is_asked = replace(SETTINGS, prompt=prompt), bool(prompt)
    plain, hidden, blank = (
        item_input(settings, "document", show_item([("text", text)]), [], is_asked=is_asked, is_text=True)
        for text in ("US\u200cER: a barn", f"US\u200cE{HIDDEN}R: \u202ea barn", HIDDEN)
    )
    assert hidden == plain
    assert blank is Gap.TEXT_EMPTY


@pytest.mark.parametrize(
    ("prompt", "is_text", "blobs", "is_whole"),
    [
        ("{fields}{image}", True, (), True),
        ("{title}{image}", True, (), False),
        ("{fields}{image}", True, ("a1",), False),  # of a text, such a prompt shows no picture
        ("{fields}{image}", False, ("a1",), False),  # of a picture, no caption
        ("{topic.fields}{document.fields}{document.image}", False, ("a1", "b2"), True),
        ("{topic.fields}{document.title}{document.image}", False, ("a1", "b2"), False),
        ("", True, (), True),
    ],
)
def test_input_shows_all_iff_no_text_and_no_picture_is_left_out(
    prompt: str, is_text: bool, blobs: tuple[str, ...], is_whole: bool
) -> None:
    item = show_item([("title", "Barns"), ("text", " A barn. "), ("licence", " ")], images=blobs)
    settings = replace(SETTINGS, prompt=prompt)
    part = item_input(settings, "document", item, blobs, is_asked=bool(prompt), is_text=is_text)
    assert not isinstance(part, Gap)
    assert shows_all(part, item) == is_whole
