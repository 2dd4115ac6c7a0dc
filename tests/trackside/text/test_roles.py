import pytest

from trackside.text.roles import (
    Digest,
    field_of,
    heading_of,
    make_digest,
    propose_roles,
    split_lead,
    with_roles,
)


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        (["title", "section_context"], {"title": "title", "description": "section_context"}),
        (
            ["page_title", "section_title", "context_page_description", "context_section_description"],
            {
                "title": "section_title",
                "description": "context_section_description",
                "context": "context_page_description",
            },
        ),
        (["Photo Title", "image-caption"], {"title": "Photo Title", "caption": "image-caption"}),
        (["desc", "narr", "title"], {"title": "title", "description": "desc", "context": "narr"}),
        (["a", "b"], {}),
        ([], {}),
    ],
)
def test_roles_are_proposed_by_name(names: list[str], roles: dict[str, str]) -> None:
    assert propose_roles(names) == roles


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("section_title", "heading"),
        ("title", "heading"),
        ("context_section_description", "words"),
        ("page_title", "page_title"),  # no role stands in for it
        ("caption", "caption"),  # no field has the role
        ("words", "words"),
    ],
)
def test_name_means_its_field_or_else_the_field_of_its_role(name: str, field: str) -> None:
    texts = {"heading": "Tarn", "words": "A lake."}
    assert field_of(name, texts, {"title": "heading", "description": "words"}) == field


def test_field_of_the_very_name_goes_before_its_role() -> None:
    fields = [("title", "Tarn"), ("heading", "Lakes")]
    assert with_roles(fields, ["title", "section_title"], {"title": "heading"}) == [
        *fields,
        ("section_title", "Lakes"),
    ]
    assert with_roles(fields, ["title", "section_title"], {}) == fields


def test_digest_reads_title_and_main_text_by_their_roles() -> None:
    fields = [["url", "u1"], ["subtitle", "Sub"], ["label", "Tarn"], ["words", "A lake."]]
    plain = make_digest(fields)
    assert (plain.title, plain.lead) == ("Sub", "u1")
    digest = make_digest(fields, {"title": "label", "caption": "words"})
    assert (digest.over, digest.title, digest.lead) == ("Sub", "Tarn", "A lake.")
    assert digest.others == (("Url", "u1"),)
    assert make_digest(fields, {"title": "absent", "description": "absent"}) == plain


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
