"""The journal of a folder: what a crash, an editor and a reader leave of it."""

from pathlib import Path

from trackside.grading.journal import Journal

SENT, ENDED = '{"sent": "a", "bound": 100}\n', '{"key": "a", "outcome": "ok", "cost": 70}'


def test_request_that_a_crash_interrupted_costs_its_bound_besides_the_second_one(tmp_path: Path) -> None:
    """The server may bill both: 100 for the lost answer, then 100 until the second answer costs 70."""
    (tmp_path / "journal.jsonl").write_text(SENT)
    with Journal(tmp_path) as journal:
        journal.send("a", 100)
        assert journal.spent == 200
        journal.end("a", "ok", cost=70)
        assert journal.spent == 170
    with Journal(tmp_path) as journal:
        assert (journal.spent, journal.request_count) == (170, 2)


def test_last_line_without_its_end_counts(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text(SENT + ENDED)  # as an editor saves it
    with Journal(tmp_path) as journal:
        journal.send("b", 5)
    with Journal(tmp_path) as journal:
        assert (list(journal.answers), journal.spent) == (["a"], 75)


def test_reader_changes_nothing_beside_a_writer(tmp_path: Path) -> None:
    folder = tmp_path / "judged"
    with Journal(folder, is_read_only=True) as journal:
        assert journal.answers == {}
    assert not folder.exists()
    with Journal(folder):
        (folder / "journal.jsonl").write_text(SENT + ENDED[:9])
        with Journal(folder, is_read_only=True) as journal:
            assert journal.spent == 100
    assert (folder / "journal.jsonl").read_text() == SENT + ENDED[:9]


def test_pair_that_is_asked_again_has_all_its_tries(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        for _ in range(2):
            journal.retry("a", 0, "server_error")
        journal.end("a", "server_error")
        journal.retry("b", 0, "server_error")
    with Journal(tmp_path, is_retrying=True) as journal:
        assert journal.answers == {}
        assert +journal.tries == {"b": 1}
