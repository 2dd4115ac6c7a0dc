import pytest

from trackside.text.digest import Digest, heading_of, make_digest, split_lead


def test_digest_reads_atomic_fields_in_the_order_of_interest() -> None:
    digest = make_digest(
        [
            ["page_title", "Tarn"],
            ["section_title", "Formation"],
            ["hierarchy", "Geology | Formation"],
            ["context_page_description", "A small lake."],
            ["context_section_description", "A glacier melts."],
        ]
    )
    assert digest == Digest(
        over="Tarn",
        title="Formation",
        path="Geology › Formation",
        lead="A glacier melts.",
        rest="",
        others=(("Page description", "A small lake."),),
    )


def test_digest_keeps_the_order_of_other_names() -> None:
    digest = make_digest(
        [["title", "foreign minorities"], ["description", "Who are they?"], ["narrative", "Any."]]
    )
    assert (digest.over, digest.title, digest.lead) == ("", "foreign minorities", "Who are they?")
    assert digest.others == (("Narrative", "Any."),)


def test_digest_of_a_topic_without_text_is_empty() -> None:
    assert make_digest([["section_title", "  "]]) == Digest("", "", "", "", "", ())


@pytest.mark.parametrize(
    ("text", "length", "parts"),
    [
        ("One is. Two is! Three is not short.", 16, ("One is. Two is!", "Three is not short.")),
        ("One. Two.", 9, ("One. Two.", "")),
        ("alpha beta gamma delta", 12, ("alpha beta", "gamma delta")),
        ("湖は深い。氷は厚い。水は青い。", 11, ("湖は深い。氷は厚い。", "水は青い。")),
        ("湖" * 30, 10, ("湖" * 10, "湖" * 20)),
    ],
    ids=["sentence", "short text", "word", "no blanks", "endless word"],
)
def test_lead_ends_with_a_sentence_or_else_a_word(text: str, length: int, parts: tuple[str, str]) -> None:
    assert split_lead(text, length) == parts


def test_heading_is_the_name_in_words() -> None:
    assert heading_of("caption_alt_text_description") == "Caption alt text description"
