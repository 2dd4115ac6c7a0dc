"""Grade scales: the default one, and what is refused."""

from typing import Any

import pytest

from tests.trackside.malformed_criteria import GOOD, JUNK, MALFORMED, UNSTORABLE, other
from trackside.criteria import (
    DEFAULT_GRADES,
    CriteriaMalformed,
    check_grades,
    gains_of,
    numbers_in_files,
    sound_grades,
)


def test_default_grades_rise_and_have_a_name_and_a_text() -> None:
    assert [each["grade"] for each in DEFAULT_GRADES] == [0, 1, 2]
    assert [each["name"] for each in DEFAULT_GRADES] == ["Non-relevant", "Related", "Relevant"]
    assert all(each["text"] for each in DEFAULT_GRADES)


@pytest.mark.parametrize(
    "grades",
    [DEFAULT_GRADES, GOOD, JUNK, other(1, grade=100), other(1, text="t" * 2000), other(0, written=-100)],
)
def test_scales_of_rising_grades_with_words_are_accepted(grades: Any) -> None:
    check_grades(grades)
    assert sound_grades(grades) == grades


@pytest.mark.parametrize("grades", (MALFORMED | UNSTORABLE).values(), ids=(MALFORMED | UNSTORABLE).keys())
def test_everything_else_is_refused_with_an_example(grades: Any) -> None:
    with pytest.raises(CriteriaMalformed, match="Write the grades as in"):
        check_grades(grades)
    assert sound_grades(grades) == []


def test_gain_is_the_number_in_files_and_0_if_that_is_negative() -> None:
    assert numbers_in_files(JUNK) == {0: -2, 1: 0, 2: 1}
    assert gains_of(JUNK) == {1: 0, 2: 1}
    assert gains_of(DEFAULT_GRADES) == {}


def test_the_fault_is_named_by_its_place() -> None:
    with pytest.raises(
        CriteriaMalformed, match=r'^Grade number 2 in the list has a "grade" that is not a whole'
    ):
        check_grades(other(1, grade="3"))
