"""Leaderboards in each form that people have: what they hold, and how alike the orders of their runs are."""

import json
from pathlib import Path

import pytest
from scipy.stats import kendalltau

import trackside
from trackside.cli.main import main
from trackside.errors import InputError
from trackside.files.leaderboards import Leaderboard

# Two runs, one measure, two topics, with the value over all.
VALUES = {"a": {"t1": 0.5, "t2": 1.0, "all": 0.75}, "b": {"t1": 0.25, "t2": 0.0, "all": 0.125}}
ROWS = [(run, topic, value) for run, topics in VALUES.items() for topic, value in topics.items()]
FORMS = {
    "tot": "".join(f"{run}\tm\t{topic}\t{value}\n" for run, topic, value in ROWS),
    "ir_measures": "".join(f"{run} {topic} m {value}\n" for run, topic, value in ROWS),
    "ranking": "".join(f"{topic} Q0 {run} 0 {value} m\n" for run, topic, value in ROWS),
    "jsonl": "".join(
        json.dumps({"run_id": run, "topic_id": topic, "measure": "m", "value": value}) + "\n"
        for run, topic, value in ROWS
    ),
    "named": "measure,run_id,topic_id,value\n".replace(",", "\t")
    + "".join(f"m\t{run}\t{topic}\t{value}\n" for run, topic, value in ROWS),
    "trec_eval -q": "".join(
        f"m                     \tt1\t{of['t1']}\nm                     \tt2\t{of['t2']}\n"
        f"runid                 \tall\t{run}\nm                     \tall\t{of['all']}\n"
        for run, of in VALUES.items()
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_holds_the_same(form: str, tmp_path: Path) -> None:
    (tmp_path / "board").write_text(FORMS[form])
    assert Leaderboard.from_file(str(tmp_path / "board")).values == {"m": VALUES}


def test_folder_has_a_file_for_each_run(tmp_path: Path) -> None:
    for run, topics in VALUES.items():
        (tmp_path / run).write_text("".join(f"m\t{topic}\t{value}\n" for topic, value in topics.items()))
    (tmp_path / ".DS_Store").write_bytes(b"\0\1")
    assert Leaderboard.from_file(str(tmp_path)).values == {"m": VALUES}


def test_verdicts_on_whole_answers_are_means_of_the_topics_that_every_run_has(tmp_path: Path) -> None:
    (tmp_path / "verdicts").write_text("t1 0 a 2\nt2 0 a 1\nt1 0 b 0\nt2 0 b 1\nt3 0 b 2\n")
    assert Leaderboard.from_file(str(tmp_path / "verdicts")).totals("grade") == ({"a": 1.5, "b": 0.5}, 1)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "no values in it"),
        ("a m all 1\na m all 2\n", "line 2: a second value of m for run a, topic all"),
        ("a m all nan\n", "line 1: 'nan' is no value"),
        ("a m all 1\nb m all\n", "line 2: 3 columns, where other lines have 4"),
        ("a t1 m 1\nb t1 m 2\n", "nothing tells its topics from its measures"),
        ("a b c d 1\n", "5 columns in its first line"),
        ('{"run_id": "a", "value": 1}\n', "line 1: not an object with run_id"),
    ],
)
def test_what_is_no_leaderboard_is_refused_with_its_place(content: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "board").write_text(content)
    with pytest.raises(InputError, match=problem):
        Leaderboard.from_file(str(tmp_path / "board"))


def test_no_topic_of_every_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "board").write_text("run measure topic value\na m t1 1\nb m t2 1\n")
    with pytest.raises(InputError, match="no topic has a value of m for every run"):
        Leaderboard.from_file(str(tmp_path / "board")).totals("m")


def test_orders_of_runs_equal_scipy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = {"a": 0.9, "b": 0.7, "c": 0.7, "d": 0.2, "only": 1.0}
    judge = {"a": 0.6, "b": 0.8, "c": 0.5, "d": 0.5}
    for name, values in (("people", people), ("judge", judge)):
        lines = "".join(f"{run} {name} all {value}\n" for run, value in values.items())
        (tmp_path / name).write_text(lines)
    expected = kendalltau([people[run] for run in judge], list(judge.values())).statistic
    boards = [str(tmp_path / name) for name in ("people", "judge")]
    found = trackside.correlate_leaderboards(*map(trackside.Leaderboard.from_file, boards))
    assert [(row.name, row.shared) for row in found.rows] == [("people / judge", 4)]
    assert found.tau_b == pytest.approx(expected)
    words = ["correlate", "--leaderboard", boards[0], "--leaderboard", boards[1]]
    assert main(words) == 0
    shown = capsys.readouterr()
    assert shown.out.split()[-3:] == [f"{expected:g}", "–", "0.9"]  # no tau_AP: people have ties
    assert "1 run only in people left out: only" in shown.err
    assert main([*words, "--measure", "AP"]) == 2
    assert "AP: neither leaderboard has it. They have people, judge." in capsys.readouterr().err


def test_leaderboard_that_score_writes_is_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "qrels").write_text("t1 0 d1 1\nt2 0 d2 1\n")
    (tmp_path / "run").write_text("t1 Q0 d1 1 2 r\nt2 Q0 d1 1 2 r\nt2 Q0 d2 2 1 r\n")
    words = ["score", "--qrels", str(tmp_path / "qrels"), "-m", "RR", "--per-topic", str(tmp_path / "run")]
    for form in ("tot", "tsv", "trec_eval"):
        assert main([*words, "--format", form]) == 0
        board = tmp_path / form / "r"  # trec_eval's output has no run
        board.parent.mkdir()
        board.write_text(capsys.readouterr().out)
        (values,) = Leaderboard.from_file(str(board)).values.values()
        assert values == {"r": {"t1": 1.0, "t2": 0.5, "all": 0.75}}
    assert main([*words, "--format", "tot", "--qrels", f"b={tmp_path / 'qrels'}"]) == 2
