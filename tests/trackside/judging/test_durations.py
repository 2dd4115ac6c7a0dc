from datetime import timedelta

import pytest

from trackside.judging.durations import duration_words


@pytest.mark.parametrize(
    ("duration", "words"),
    [
        (timedelta(), "0 s"),
        (timedelta(seconds=8), "8 s"),
        (timedelta(minutes=4, seconds=10), "4 min 10 s"),
        (timedelta(hours=3, minutes=20, seconds=5), "3 h 20 min"),
        (timedelta(days=2, hours=5), "2 d 5 h"),
        (timedelta(hours=1), "1 h"),
        (timedelta(seconds=-5), "0 s"),
    ],
)
def test_duration_is_formatted_in_its_two_largest_units(duration: timedelta, words: str) -> None:
    assert duration_words(duration) == words
