from trackside.figures.svg.elements import fitted, text_width


def test_fitted_text_is_cut_to_its_width() -> None:
    assert fitted("short", 100) == "short"
    cut = fitted("a-very-long-name-of-a-judge", 60)
    assert cut.endswith("…")
    assert text_width(cut) <= 60
    assert fitted("anything", 0) == ""
