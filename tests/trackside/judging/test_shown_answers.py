import pytest

from trackside.judging.forms import FORMS, answer_form
from trackside.judging.shown_answers import marked_parts


@pytest.mark.parametrize(
    ("form", "text", "marked"),
    [
        ("grade-0-2", "Two locks and 3 boats.\n**Grade:** 2", [("2", "read")]),
        (
            "grade-0-2",
            "Grade: 1\nGrade: 2 would need the lock.",
            [("1", "candidate"), ("2", "candidate")],
        ),
        ("grade-0-2", "So Grade: 1 at first.\nGrade: 2", [("1", "candidate"), ("2", "read")]),
        ("relevance-1-100", "85", [("85", "read")]),
        ("relevance-1-100", "Score: 70", [("70", "read")]),
        ("relevance-1-100-json", '{"relevance": 62, "confidence": 90}', [("62", "read")]),
        ("relevance-1-100", "There are 3 barns.", []),
        ("labels:no=0, yes=1", "Grade: yes\nIt is no harbour.", [("yes", "read")]),
    ],
)
def test_number_that_was_read_and_other_candidates_are_marked(
    form: str, text: str, marked: list[tuple[str, str]]
) -> None:
    parts = marked_parts(text, FORMS.get(form) or answer_form(form))

    assert "".join(part.text for part in parts) == text
    assert [tuple(part) for part in parts if part.kind] == marked
