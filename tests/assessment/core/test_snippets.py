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


SENTENCES = {
    "Chinese": (
        "气候变化对农业的影响",
        "中国是世界上人口最多的国家之一，拥有悠久的历史和灿烂的文化。",
        "近年来，气候变化导致干旱频发，农业生产受到严重影响。",
        ["气候变化", "农业", "影响"],
    ),
    "Japanese": (
        "気候変動とりんごの栽培",
        "日本は四季がはっきりしている国であり、春には桜が咲き、秋には紅葉が美しいことで知られています。",
        "しかし近年の気候変動により、りんごの栽培は大きな影響を受けている。",
        ["気候変動", "りんごの栽培"],
    ),
    "Thai": (
        "ผลกระทบของการเปลี่ยนแปลงสภาพภูมิอากาศ",
        "ประเทศไทยมีอาหารอร่อยและวัดสวยงามมากมายที่นักท่องเที่ยวนิยมไปเยือน ",
        "การเปลี่ยนแปลงสภาพภูมิอากาศส่งผลกระทบต่อชาวนาอย่างมาก ",
        ["การเปลี่ยนแปลงสภาพภูมิอากาศ", "ผลกระทบ"],
    ),
    "one sign": ("猫", "犬は庭で遊んでいます。", "猫は寝ている。", ["猫"]),
    "mixed": (
        "SLAMと医療",
        "天気がとても良い一日でした。",
        "The clinic uses SLAMと医療 data.",
        ["SLAMと医療"],
    ),
}


@pytest.mark.parametrize(("topic", "other", "sentence", "marked"), SENTENCES.values(), ids=SENTENCES)
def test_snippet_of_a_script_without_spaces_is_where_the_topic_is(
    topic: str, other: str, sentence: str, marked: list[str]
) -> None:
    parts = make_snippet(other * 8 + sentence + other * 8, words_of(topic))
    shown = "".join(f"{' ' * part.has_gap}{part.text}" for part in parts)
    assert sentence.strip() in shown
    assert shown.strip().startswith("…")
    assert shown.endswith("…")
    assert [part.text for part in parts if part.is_marked] == marked
    assert (
        sum(2 if "\u3000" < sign < "\uffff" else 1 for sign in shown) <= 28 * 8
    )  # two lines, with marks on signs
