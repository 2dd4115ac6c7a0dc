"""A snippet shows the topic's words."""

import pytest

from assessment.core.snippets import Part, make_snippet, words_of

FILL = " ".join(f"w{number}" for number in range(40))


def test_words_of_a_topic_are_those_worth_looking_for() -> None:
    assert words_of("Alpine LAKES, of a moraine", "lakes") == {"alpine", "lakes", "moraine"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", []),
        ("a short text", [Part("a short text")]),
        ("one two three four five six", [Part("one two three four five …")]),
        ("Lakes: blue", [Part("Lakes:", is_marked=True), Part("blue")]),
        # "lake" and "ice" stand together at the end: two words are better than one twice.
        (
            f"lake lake {FILL} big lake ice",
            [Part("… w38 w39 big"), Part("lake ice", is_marked=True)],
        ),
    ],
)
def test_snippet_is_where_most_topic_words_are(text: str, shown: list[Part]) -> None:
    assert make_snippet(text, {"lakes", "lake", "ice"}, most=5) == shown


def test_snippet_has_some_words_before_the_first_topic_word() -> None:
    text = f"{FILL} glacier {FILL}"
    [before, marked, after] = make_snippet(text, {"glacier"}, most=10)
    assert before == Part("… w36 w37 w38 w39")
    assert marked == Part("glacier", is_marked=True)
    assert after == Part("w0 w1 w2 w3 w4 …")
