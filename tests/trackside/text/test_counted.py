from trackside.text.counted import counted


def test_counts_have_a_noun_in_singular_or_plural() -> None:
    assert [counted(count, "topic") for count in (0, 1, 2, 1200)] == [
        "0 topics",
        "1 topic",
        "2 topics",
        "1,200 topics",
    ]
