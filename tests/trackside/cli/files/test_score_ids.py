"""`trackside score` where ids do not meet, where a topic is in the collection, and with negative grades."""

import json
import math
from pathlib import Path

import pytest

from trackside.cli.main import main


@pytest.fixture
def qrels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run").write_text("t1 Q0 a 1 2 kestrel\nt1 Q0 b 2 1 kestrel\n")
    (tmp_path / "human.qrels").write_text("t1 0 b 1\nt2 0 c 2\n")
    monkeypatch.chdir(tmp_path)


def score(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["score", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("qrels")
@pytest.mark.parametrize("form", ["table", "trec_eval", "json"])
def test_score_says_in_one_line_that_nothing_meets_and_exits_with_1(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    Path("odd").write_text("t1 Q0 B 1 2 k\nt2 Q0 C 1 1 k\n")
    line = "0 of 2 documents are judged; the run has B; did you mean b?"
    words = ["score", "odd", "--qrels", "human.qrels", "--format", form]

    assert main(words) == 1
    warned, refused = capsys.readouterr().err.splitlines()
    assert warned == f"warning: k under human.qrels: {line}"
    assert "--allow-empty" in refused

    assert main([*words, "--allow-empty"]) == 0
    assert capsys.readouterr().err == f"{warned}\n"


@pytest.mark.usefixtures("qrels")
def test_score_is_0_if_one_of_the_runs_meets_the_qrels(capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd").write_text("t1 Q0 B 1 2 other\nt2 Q0 C 1 1 other\n")

    assert main(["score", "run", "odd", "--qrels", "human.qrels"]) == 0
    assert capsys.readouterr().err.startswith("warning: other under human.qrels: 0 of 2 documents")


def test_score_drops_results_that_are_the_topic_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("q1 Q0 q1 1 9 r\nq1 Q0 d5 2 8 r\nq2 Q0 d6 1 8 r\nq2 Q0 q1 2 7 r\nq3 Q0 q3 1 1 r\n")
    Path("qrels").write_text("q1 0 d5 1\nq2 0 q1 1\nq3 0 d7 1\n")
    words = ["run", "--qrels", "qrels", "--measure", "RR", "--measure", "NumRet", "--format", "json"]

    def values(*more: str) -> list[float]:
        found = json.loads(score(capsys, *words, *more))["values"]
        return [value["value"] for value in found if value["topic"] == "all"]

    assert values() == [pytest.approx((1 / 2 + 1 / 2 + 0) / 3), 5]
    assert values("--skip-self") == [pytest.approx((1 + 1 / 2 + 0) / 3), 3]


def test_score_gives_gains_to_negative_grades(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("".join(f"i Q0 w{w} 1 {5 - place} r\n" for place, w in enumerate((2, 3, 1, 5, 4))))
    Path("qrels").write_text("i 0 w1 -3\ni 0 w2 0\ni 0 w3 3\ni 0 w4 -1\ni 0 w5 2\n")
    # Gains 2^(g + 3) - 1 of 0, 3, -3, 2, -1 in the run's order, and of 3, 2, 0, -1, -3 in the ideal one.
    run, ideal = ([7, 63, 0, 31, 3], [63, 31, 7, 3, 0])
    dcg = [sum(gain / math.log2(place + 2) for place, gain in enumerate(gains)) for gains in (run, ideal)]
    gains = ",".join(f"{grade}={2 ** (grade + 3) - 1}" for grade in range(-3, 4))
    for words in (["-m", "nDCG@5", f"--gains={gains}"], ["-m", f"nDCG({gains})@5"]):
        table = score(capsys, "run", "--qrels", "qrels", "--decimals", "9", *words)
        assert f"{dcg[0] / dcg[1]:.9f}" in table


def test_score_of_negative_grades_without_gains_is_that_of_documents_without_a_grade(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run").write_text("".join(f"t Q0 {docno} 1 {-place} r\n" for place, docno in enumerate("abcde")))
    tables = []
    for grades in ((-1, -1), (-3, -9_223_372_036_854_775_808)):
        Path("qrels").write_text(f"t 0 a {grades[0]}\nt 0 b 0\nt 0 c {grades[1]}\nt 0 d 2\n")
        words = ["--qrels", "qrels", "--format", "trec_eval", "-m", "all_trec"]
        tables.append(score(capsys, "run", *words))
    assert tables[0] == tables[1]
