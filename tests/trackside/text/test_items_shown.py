"""The hash of an item as it is shown."""

import hashlib
from collections.abc import Sequence

import pytest

from trackside.text.items_shown import show_item

FIELDS = [("heading", "Tarn"), ("words", "A tarn\nforms."), ("page", "Lakes")]
ROLES = {"title": "heading", "description": "words"}


def test_hash_is_that_of_texts_by_role_and_images() -> None:
    """JSON of over, title, path, main text, then heading and text of each other field; and of the images."""
    plain = '[["", "Tarn", "", "Atarnforms.", "Page", "Lakes"], ["a1", "b2"]]'
    item = show_item(FIELDS, ROLES, ["a1", "b2"])
    assert item.sha256 == hashlib.sha256(plain.encode()).hexdigest()


@pytest.mark.parametrize(
    ("fields", "roles", "images", "is_equal"),
    [
        (
            [("heading", "Tarn"), ("words", "A ta\u200brn forms. "), ("page", "Lakes")],
            ROLES,
            ["a1", "b2"],
            True,
        ),
        (FIELDS[::-1], ROLES, ["a1", "b2"], True),  # the same reading order
        (FIELDS, {"title": "page", "description": "words"}, ["a1", "b2"], False),
        (FIELDS, ROLES, ["b2", "a1"], False),
        (FIELDS, ROLES, ["a1"], False),
        (FIELDS[:2], ROLES, ["a1", "b2"], False),
    ],
)
def test_equal_hash_iff_equally_shown(
    fields: Sequence[Sequence[str]], roles: dict[str, str], images: Sequence[str], is_equal: bool
) -> None:
    assert (
        show_item(fields, roles, images).sha256 == show_item(FIELDS, ROLES, ["a1", "b2"]).sha256
    ) == is_equal


def test_one_picture_is_all_there_is() -> None:
    assert show_item([("caption", " ")], images=["a1"]).is_one_picture
    assert not show_item([("caption", "A tarn.")], images=["a1"]).is_one_picture
    assert not show_item([], images=["a1", "b2"]).is_one_picture
