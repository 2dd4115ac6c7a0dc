from trackside.reporting.design import Choice

TAGS, TOPICS = ("a", "b", "c"), ("T1", "T10", "T2")


def _choice(tags: list[str], topics: list[str]) -> Choice:
    return Choice.among(tags, topics, all_tags=TAGS, all_topics=TOPICS)


def test_choice_keeps_existing_names_in_byte_order() -> None:
    choice = _choice(["c", "a", "gone"], ["T2", "T10"])
    assert choice == Choice(("a", "c"), ("T10", "T2"))
    assert choice.words(run_count=3, topic_count=3) == "2 of 3 runs, 2 of 3 topics"


def test_choice_of_all_is_that_of_none() -> None:
    choice = _choice(["b", "a", "c"], list(TOPICS))
    assert choice.is_all
    assert choice.sha256 == Choice().sha256 != _choice(["a"], []).sha256
    assert (choice.to_json(), choice.words(run_count=3, topic_count=3)) == ({}, "")


def test_choice_survives_json() -> None:
    choice = _choice(["a"], ["T1"])
    assert Choice.from_json(choice.to_json()) == choice
