import pytest

from trackside.statistics.estimate import Estimate, IntervalMethod, Reason


def test_an_estimate_has_either_a_value_or_a_reason() -> None:
    for value, reason in ((None, None), (1.0, Reason.EMPTY), (float("nan"), None)):
        with pytest.raises(ValueError, match="estimate"):
            Estimate(value, reason)


def test_text_rounds_or_gives_the_reason_there_is_no_value() -> None:
    assert Estimate.of(0.12345).text(2) == "0.12"
    assert Estimate.undefined(Reason.CONSTANT).text() == "undefined (all values are equal)"


def test_every_reason_has_words() -> None:
    assert all(reason.words for reason in Reason)


def test_codes_in_files_are_the_names() -> None:
    assert [reason.value for reason in Reason] == [reason.name.lower() for reason in Reason]
    assert [method.value for method in IntervalMethod] == [
        "t",
        "hall",
        "two-part",
        "jackknife-t",
        "resampling-t",
        "regression-t",
    ]
