import pytest

from trackside.text.digest import make_digest
from trackside.text.roles import field_of, propose_roles, with_roles


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
