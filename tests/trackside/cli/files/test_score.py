import csv
import io
import json
from pathlib import Path

import pytest

from trackside.cli.main import main
from trackside.measuring.families import FAMILIES

pytestmark = pytest.mark.usefixtures("folder")

# RR is 1/2 for t1 and 0 for t2, which has no results: mean 1/4.
RUN = "t1 Q0 a 1 2 kestrel\nt1 Q0 b 2 1 kestrel\n"
QRELS = "t1 0 b 1\nt2 0 c 2\n"
STRICT = "t1 0 a 1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "human.qrels").write_text(QRELS)
    (tmp_path / "strict.qrels").write_text(STRICT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["score", *words]) == 0
    return capsys.readouterr().out


def test_score_prints_a_table_and_why_it_has_no_intervals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = score(capsys, "run", "--qrels", "human.qrels", "--measure", "RR", "--measure", "NumRel")
    assert table.splitlines()[0].startswith("human.qrels: 2 topics, 2 judgments, sha256 ")
    assert table.splitlines()[2].split() == ["kestrel", "0.2500", "2"]
    assert table.splitlines()[-1] == "No interval for 1 of 1 means: fewer than ten topics."


def test_score_prints_intervals_from_ten_topics_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        f"t{topic:02d} Q0 {docno} 1 {score} kestrel"
        for topic in range(12)
        for docno, score in (("a", 2), ("b", 1))
    ]
    Path("run").write_text("\n".join(lines) + "\n")
    # The relevant document is first on four topics and second on eight: RR is 8/12.
    qrels = [f"t{topic:02d} 0 {'a' if topic < 4 else 'b'} 1" for topic in range(12)]
    Path("people.qrels").write_text("\n".join(qrels) + "\n")
    table = score(capsys, "run", "--qrels", "people.qrels", "--measure", "RR")
    tag, mean, low, high = table.splitlines()[2].split()
    assert (tag, mean) == ("kestrel", "0.6667")
    assert 0 < float(low.strip("[,")) < 0.6667 < float(high.strip("]")) < 1
    assert table.splitlines()[-1].startswith("In brackets: 95 % interval of the mean on new topics")


def test_score_prints_several_qrels_by_name_topic_by_topic(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("run", "--qrels", "human.qrels", "--qrels", "s=strict.qrels", "--measure", "RR", "--per-topic")
    rows = list(csv.DictReader(io.StringIO(score(capsys, *words, "--format", "tsv")), delimiter="\t"))
    assert [(row["qrels"], row["topic"], row["value"]) for row in rows] == [
        ("human.qrels", "t1", "0.5000"),
        ("human.qrels", "t2", "0.0000"),
        ("human.qrels", "all", "0.2500"),
        ("s", "t1", "1.0000"),
        ("s", "all", "1.0000"),
    ]


def test_score_gives_the_reason_a_value_is_undefined(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("run", "--qrels", "human.qrels", "--measure", "meanRbest", "--per-topic")
    assert "t2,undefined (no relevant document was retrieved)" in score(capsys, *words, "--format", "csv")
    values = json.loads(score(capsys, *words, "--format", "json"))["values"]
    assert [(each["topic"], each["value"], each.get("undefined")) for each in values] == [
        ("t1", 2.0, None),
        ("t2", None, "no_relevant_retrieved"),
        ("all", 2.0, None),
    ]


def test_score_prints_what_trec_eval_prints(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("runid", "relstring", "recip_rank", "num_q", "gm_map", "P.5")
    words = [word for name in names for word in ("--measure", name)]
    words += ["run", "--qrels", "human.qrels", "--format", "trec_eval"]
    summary = (
        "runid                 \tall\tkestrel\n"
        "num_q                 \tall\t2\n"
        # exp((ln 0.5 + ln 0.00001) / 2)
        "gm_map                \tall\t0.0022\n"
        "recip_rank            \tall\t0.2500\n"
        "P_5                   \tall\t0.1000\n"
    )
    assert score(capsys, *words, "--no-per-topic") == summary
    assert score(capsys, *words) == (
        "recip_rank            \tt1\t0.5000\n"
        "P_5                   \tt1\t0.2000\n"
        "relstring             \tt1\t'-1'\n"
        "recip_rank            \tt2\t0.0000\n"
        "P_5                   \tt2\t0.0000\n"
        "relstring             \tt2\t''\n" + summary
    )


def test_score_prints_a_measure_that_is_not_a_number_alone(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("run", "--qrels", "human.qrels", "--format", "trec_eval", "--measure")
    assert score(capsys, *words, "relstring.1") == (
        "relstring_1           \tt1\t'-'\nrelstring_1           \tt2\t''\n"
    )
    assert score(capsys, *words, "runid") == "runid                 \tall\tkestrel\n"


def test_score_prints_0_by_0_as_trec_eval_does(capsys: pytest.CaptureFixture[str]) -> None:
    # printf("%6.4f", 0.0 / 0.0) fills six places with "  -nan" on x86-64.
    Path("odd").write_text("t1 Q0 x 1 1 kestrel\n")
    words = ["odd", "--qrels", "strict.qrels", "--judged-only", "--measure", "11pt_avg", "--allow-empty"]
    assert score(capsys, *words, "--format", "trec_eval") == (
        "11pt_avg              \tt1\t  -nan\n11pt_avg              \tall\t  -nan\n"
    )
    assert "undefined (no topic has a value)" in score(capsys, *words)


def test_score_writes_latex_with_the_best_in_bold(capsys: pytest.CaptureFixture[str]) -> None:
    Path("weak").write_text("t1 Q0 a 1 2 weak_one\n")
    words = ["run", "weak", "--qrels", "human.qrels", "--format", "latex"]
    latex = score(capsys, *words, "--measure", "RR", "--measure", "unj@5")
    assert "kestrel & \\textbf{0.2500} & 0.1000 \\\\" in latex
    assert "weak\\_one & 0.0000 & 0.1000 \\\\" in latex


@pytest.mark.parametrize(
    ("options", "value"),
    [
        (["--level", "2"], "0.0000"),
        (["--max-results", "1"], "0.0000"),
        (["--judged-only"], "0.5000"),
        (["--decimals", "2"], "0.25"),
    ],
)
def test_score_applies_its_options(
    options: list[str], value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("run", "--qrels", "human.qrels", "--measure", "RR", "--format", "tsv")
    assert score(capsys, *words, *options).splitlines()[1].split("\t")[-1] == value


def test_score_takes_gains_prels_single_scores_and_strata(capsys: pytest.CaptureFixture[str]) -> None:
    Path("prels").write_text("t1 0 a 1 1\nt1 0 b 2 0\n")
    Path("close").write_text("t1 Q0 b 1 1.00000000001 x\nt1 Q0 c 2 1 x\n")
    Path("strata").write_text("t1 one\nt2 two\n")
    tsv = ("--format", "tsv", "--measure")
    assert "\t1.0000\n" in score(capsys, "run", "--prels", "prels", *tsv, "infNDCG")
    # The scores are equal as 32-bit floats, so c comes before b.
    assert "\t0.2500\n" in score(capsys, "close", "--qrels", "human.qrels", "--scores", "single", *tsv, "RR")
    assert "\t0.5000\n" in score(capsys, "close", "--qrels", "human.qrels", *tsv, "RR")
    # gains 1 -> 3: 3 / log2 3 over 3
    gains = ("--gains", "1=3", "--per-topic")
    assert "\t0.6309\n" in score(capsys, "run", "--qrels", "x=human.qrels", *gains, *tsv, "nDCG")
    by_stratum = ("run", "--qrels", "human.qrels", "--strata", "strata")
    assert "\thm\t0.0000\n" in score(capsys, *by_stratum, *tsv, "RR")
    assert "harmonic mean  0.0000" in score(capsys, *by_stratum, "--measure", "RR")
    Path("strata").write_text("t1 one\nt9 two\n")
    assert "\thm\tundefined (a stratum has no topic)" in score(capsys, *by_stratum, *tsv, "RR")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run"], "no qrels"),
        (["run", "--qrels", "none"], "none: no such file"),
        (["none", "--qrels", "human.qrels"], "none: no such file"),
        (["run", "--qrels", "human.qrels", "--measure", "nDGC"], "no such measure"),
        (["run", "--qrels", "human.qrels", "--measure", "AP(rel=2)", "--level", "2"], "Give it once"),
        (["run", "--qrels", "human.qrels", "--no-complete"], "topic t2 is judged but has no results"),
        (["run", "--qrels", "human.qrels", "--qrels", "human.qrels"], "two qrels are called human.qrels"),
        (["run", "--qrels", "human.qrels", "--gains", "1"], "not a grade and a gain"),
        (["run", "--qrels", "human.qrels", "--gains", "1=nan"], "not a grade and a gain"),
        (["run", "--qrels", "human.qrels", "--gains=--1=2"], "not a grade and a gain"),
        (["run", "--qrels", "human.qrels", "--measure", "relstring"], "Print it with --format trec_eval"),
        (["run", "--qrels", "human.qrels", "--measure", "P.5,5"], "the same cutoff twice"),
        (
            ["run", "--qrels", "human.qrels", "--format", "trec_eval", "--measure", "relstring.x"],
            "whole number",
        ),
    ],
)
def test_score_states_in_one_sentence_what_is_wrong(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("trackside score: ")
    assert says in error
    assert error.count("\n") == 1


def test_score_warns_of_oddities_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd").write_bytes(b"\xef\xbb\xbft1 Q0 b 1 1,5 x\r\n")
    assert main(["score", "odd", "--qrels", "human.qrels"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "warning: odd: Windows line ends read as plain ones (1, line 1)",
        "warning: odd: scores that are not finite decimals, such as 0.5x, read as trec_eval reads them "
        "(1, line 1)",
        "warning: odd: byte order mark left out (1, line 1)",
    ]


def test_help_of_score_lists_all_measures(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["score", "--help"])
    words = capsys.readouterr().out.replace(",", " ").split()
    assert {family.full_name for family in FAMILIES} <= set(words)


@pytest.mark.parametrize(("form", "mark"), [("csv", ","), ("tsv", "\t")])
def test_tables_run_no_formula_in_a_spreadsheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, mark: str
) -> None:
    (tmp_path / "run").write_text("=T1 Q0 D1 1 1 @SUM(A1)\n")
    (tmp_path / "people").write_text("=T1 0 D1 1\n")
    words = [str(tmp_path / "run"), "--qrels", f"+people={tmp_path / 'people'}", "--per-topic"]
    rows = list(csv.reader(io.StringIO(score(capsys, *words, "--format", form, "-m", "P@1")), delimiter=mark))
    assert rows[1] == ["'@SUM(A1)", "'+people", "P@1", "'=T1", "1.0000"]
