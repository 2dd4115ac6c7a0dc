import pytest

from trackside.judging.parsing.completions import undecorated, visible_texts
from trackside.judging.parsing.thoughts import behind_thoughts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "a"),
        ("<think>a</think>b", "b"),
        ("a</think>b", "b"),  # some servers take the opening tag away
        ("<think>a</think>b<think>c</think>d", "d"),
        ("<think>a", None),
        ("<think>a</think>b<think>c", None),
    ],
)
def test_behind_thoughts_is_what_follows_the_last_of_them(text: str, expected: str | None) -> None:
    assert behind_thoughts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Relevance:** `85`", "Relevance: 85"),
        ("8(1)", "8 1"),
        ("<85>", "85"),
        ("<50", "<50"),
        ("<50, as a -> b", "<50, as a -> b"),
        ("<b>85</b>", "85"),
        ("I can’t say '85'", "I can't say 85"),
        ("a \t b \n\n c", "a b\nc"),
    ],
)
def test_undecorated_keeps_the_words_and_what_they_mean(text: str, expected: str) -> None:
    assert undecorated(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b\n", ("a b\n",)),
        ("a\u200bb", ("ab", "a b")),
        ("\ufeffa", ("a", " a")),
        ("a \u202e12\u202c b", ("a 12 b", "a  12  b", "a 21 b")),
    ],
)
def test_visible_texts_are_what_a_text_with_hidden_characters_may_mean(
    text: str, expected: tuple[str, ...]
) -> None:
    assert visible_texts(text) == expected
