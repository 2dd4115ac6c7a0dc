"""Numbers of records, by hand."""

from trackside.auditing.numbers import FieldNumbers, describe, in_bars


def test_numbers_of_three_records_by_hand() -> None:
    records = [
        ((("title", "A red fox"), ("text", "one two  three\nfour")), 1),
        ((("title", "Kestrel"), ("text", "  ")), 0),
        ((("text", "five"), ("text", "six seven")), 3),
    ]
    found = describe(records)
    assert (found.count, found.lengths, found.pictures) == (3, (7, 1, 3), {0: 1, 1: 1, 3: 1})
    assert (found.pictured_count, found.picture_count) == (2, 4)
    title = FieldNumbers("title", count=2, mean=2.0, median=1, high=3, most=3, characters=7)
    text = FieldNumbers("text", count=2, mean=3.5, median=3, high=4, most=4, characters=13)
    assert found.fields == (title, text)  # two fields of one name are one text; blanks are none


def test_high_is_the_number_that_95_of_100_do_not_exceed() -> None:
    [field] = describe(((("text", "word " * length),), 0) for length in range(1, 101)).fields
    assert (field.median, field.high, field.most, field.mean) == (50, 95, 100, 50.5)


def test_nothing_has_no_numbers() -> None:
    found = describe([])
    assert (found.count, found.fields, found.picture_count) == (0, (), 0)
    assert in_bars([], (0, 1, 5)) == [("0", 0)]


def test_bars_hold_their_least_number_and_go_from_the_first_to_the_last() -> None:
    assert in_bars([0, 1, 4, 5, 9], (0, 1, 5, 10, 20)) == [("0", 1), ("1 to 4", 2), ("5 to 9", 2)]
    assert in_bars([25, 20, 6], (0, 1, 5, 10, 20)) == [("5 to 9", 1), ("10 to 19", 0), ("20 or more", 2)]
