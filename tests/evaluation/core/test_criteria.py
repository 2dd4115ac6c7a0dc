from evaluation.core.criteria import DEFAULT_GRADES


def test_default_grades_rise_and_have_a_name_and_a_text() -> None:
    assert [each["grade"] for each in DEFAULT_GRADES] == [0, 1, 2]
    assert [each["name"] for each in DEFAULT_GRADES] == ["Non-relevant", "Related", "Relevant"]
    assert all(each["text"] for each in DEFAULT_GRADES)
