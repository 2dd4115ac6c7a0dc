from dataclasses import replace

import pytest

from trackside.findings.plain import from_plain, to_plain
from trackside.findings.provenance import FieldSeen, TextsSeen
from trackside.judging.inputs import TextInput, text_input
from trackside.judging.settings import Settings
from trackside.judging.texts import (
    FieldReading,
    read_fields,
    sum_readings,
    sum_whole_texts,
    unseen_warnings,
)

SETTINGS = Settings(backend="clip", revision=1, model="openai/clip", model_revision="a" * 40)
FIELDS = [("title", "a b"), ("text", "c d e f g"), ("page", "h i j")]
COUNTS = [2, 5, 3]


def seen(long_text: str, room: int) -> list[int]:
    shown = text_input(replace(SETTINGS, long_text=long_text), FIELDS)
    assert isinstance(shown, TextInput)
    readings = read_fields(shown, COUNTS, room)
    assert [(each.field, each.tokens) for each in readings] == [("title", 2), ("text", 5), ("page", 3)]
    return [each.seen_tokens for each in readings]


@pytest.mark.parametrize(
    ("long_text", "room", "expected"),
    [
        ("truncate", 10, [2, 5, 3]),  # 2 + 5 + 3 = 10: all of it fits
        ("truncate", 9, [2, 5, 2]),
        ("truncate", 7, [2, 5, 0]),  # the third field begins at the eighth token
        ("truncate", 1, [1, 0, 0]),
        ("truncate", 0, [0, 0, 0]),
        ("truncate", -4, [0, 0, 0]),  # the prompt alone is longer than the model reads
        ("by-fields", 4, [2, 4, 3]),  # each field has four tokens to itself
        ("by-fields", 0, [0, 0, 0]),
        ("chunk-mean", 4, [2, 5, 3]),  # as many pieces as there must be
        ("chunk-max", 1, [2, 5, 3]),
        ("chunk-max", 0, [0, 0, 0]),  # no piece has room behind the prompt
    ],
)
def test_read_fields_follows_the_long_text_policy(long_text: str, room: int, expected: list[int]) -> None:
    assert seen(long_text, room) == expected


def test_sum_readings_counts_texts_tokens_and_what_was_never_seen() -> None:
    # Three texts; the second has no page, the third fits whole.
    texts = [
        [FieldReading("title", 2, 2), FieldReading("text", 5, 3), FieldReading("page", 3, 0)],
        [FieldReading("title", 4, 4), FieldReading("text", 6, 1)],
        [FieldReading("title", 1, 1), FieldReading("page", 2, 2)],
    ]

    found = sum_readings(texts)

    assert found == TextsSeen(
        count=3,
        cut_count=2,
        fields=(
            FieldSeen("title", texts=3, tokens=7, seen_tokens=7, never_seen_count=0),
            FieldSeen("text", texts=2, tokens=11, seen_tokens=4, never_seen_count=0),
            FieldSeen("page", texts=2, tokens=5, seen_tokens=2, never_seen_count=1),
        ),
    )
    assert [each.share for each in found.fields] == [1, 4 / 11, 2 / 5]


def test_sum_of_no_text_is_empty() -> None:
    assert sum_readings([]) == TextsSeen(0, 0, ())


def test_field_of_characters_that_are_no_token_has_no_share_and_is_not_unseen() -> None:
    (field,) = sum_readings([[FieldReading("title", 0, 0)]]).fields

    assert (field.share, field.never_seen_count) == (None, 0)


def test_texts_that_are_read_whole_have_no_counts_of_tokens() -> None:
    assert sum_whole_texts([["title", "text"], ["text"]]) == TextsSeen(
        2, 0, (FieldSeen("title", 1, None, None, 0), FieldSeen("text", 2, None, None, 0))
    )


def test_warning_names_a_field_that_was_never_seen_in_most_texts() -> None:
    def texts(never: int) -> TextsSeen:
        return TextsSeen(40, 40, (FieldSeen("text", 40, 4000, 100, never), FieldSeen("page", 9, 9, 9, 0)))

    (warning,) = unseen_warnings(texts(39))

    assert "field text in 39 of 40 texts" in warning
    assert len(unseen_warnings(texts(21))) == 1
    assert unseen_warnings(texts(20)) == []  # half of them is not most of them


def test_texts_survive_json() -> None:
    found = sum_readings([[FieldReading("title", 2, 1)]])

    assert from_plain(TextsSeen, to_plain(found)) == found
