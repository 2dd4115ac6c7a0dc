import pytest

from tests.refusals import refused
from trackside.text.counted import counted
from trackside.text.csv_cells import escape_formula
from trackside.text.latex import bibtex
from trackside.text.replies import LONGEST, Asked, check_replies

TRAINING = Asked("training", "What was it trained on?")
OPEN = Asked("open", "Is the code open?", ("yes", "no"), is_required=True)


def test_check_replies_trims_and_leaves_empty_ones_out() -> None:
    assert check_replies([TRAINING, OPEN], {"training": "  ", "open": " yes "}) == {"open": "yes"}


def test_check_replies_needs_required_replies() -> None:
    with refused("reply-missing", match=r"Is the code open\? This needs a reply \(open\)"):
        check_replies([TRAINING, OPEN], {"training": "COCO"})


@pytest.mark.parametrize(
    ("replies", "words"),
    [
        ({"open": "maybe"}, "Choose one of: yes, no"),
        ({"open": "yes", "colour": "red"}, "Its questions: training, open"),
        ({"open": "yes", "training": "x" * (LONGEST + 1)}, r"\(4,001 characters\) to 4,000"),
    ],
)
def test_check_replies_refuses_what_was_not_asked(replies: dict[str, str], words: str) -> None:
    with refused("reply-unknown", match=words):
        check_replies([TRAINING, OPEN], replies)


def test_counts_have_a_noun_in_singular_or_plural() -> None:
    assert [counted(count, "topic") for count in (0, 1, 2, 1200)] == [
        "0 topics",
        "1 topic",
        "2 topics",
        "1,200 topics",
    ]


@pytest.mark.parametrize(
    "text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", "＠A1"]
)
def test_text_that_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert escape_formula(text) == "'" + text


@pytest.mark.parametrize("value", ["kestrel-1", "", " =1", -0.25, None, 3])
def test_other_values_stay_as_they_are(value: object) -> None:
    assert escape_formula(value) is value


@pytest.mark.parametrize("text", ["-1", "+0.25", "-3.5e-07", "-12.0"])
def test_numbers_in_text_have_no_apostrophe(text: str) -> None:
    assert escape_formula(text) == text


@pytest.mark.parametrize("text", ["-1+1", "+1-2", "-1.", "-e5", "--1", "-1 ", "-１"])
def test_what_only_looks_like_a_number_is_escaped(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


def test_bibtex_keeps_capitals_and_escapes_what_tex_reads() -> None:
    entry = bibtex(
        key="atomic-2026", title="R&D: 5 % of AToMiC_1", year=2026, address="https://e.org", doi="10.5281/z.1"
    )
    assert entry == (
        "@misc{atomic-2026,\n"
        "  title = {{R\\&D: 5 \\% of AToMiC\\_1}},\n"
        "  year = {2026},\n"
        "  url = {https://e.org},\n"
        "  doi = {10.5281/z.1},\n"
        "}"
    )


def test_bibtex_keeps_no_backslash_that_tex_would_read() -> None:
    entry = bibtex(key="k", title=r"a\b~c^d", year=2026, address="https://e.org")
    assert r"title = {{a\textbackslash{}b\textasciitilde{}c\textasciicircum{}d}}" in entry


def test_bibtex_counts_as_many_opening_braces_as_closing_ones() -> None:
    """BibTeX counts escaped braces too."""
    for title in ("Sets {a", "a} and b", "{}", "}{"):
        entry = bibtex(key="k", title=title, year=2026, address="https://e.org")
        depths = [entry[:end].count("{") - entry[:end].count("}") for end in range(1, len(entry))]
        assert min(depths[5:]) > 0 == entry.count("{") - entry.count("}")


def test_bibtex_leaves_out_a_missing_doi() -> None:
    assert "doi" not in bibtex(key="k", title="T", year=2026, address="https://e.org")
