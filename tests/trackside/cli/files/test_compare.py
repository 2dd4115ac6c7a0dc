import json
from pathlib import Path
from typing import get_args

import pytest
from scipy import stats

from trackside.cli.files.compare import TESTS
from trackside.cli.main import main
from trackside.statistics.comparison.pairs import TABLE_TESTS, PairTest, TableTest

TOPICS = range(1, 9)
# Rank of the one relevant document in each topic.
RANKS = {
    "first": [1, 1, 1, 1, 1, 1, 2, 1],
    "second": [2, 4, 2, 2, 5, 2, 1, 2],
    "third": [5, 4, 5, 5, 5, 4, 5, 5],
}


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 r 1\n" for topic in TOPICS))
    for tag, ranks in RANKS.items():
        lines = [
            f"{topic} Q0 {'r' if place == rank else f'n{place}'} {place} {10 - place} {tag}\n"
            for topic, rank in zip(TOPICS, ranks, strict=True)
            for place in range(1, 7)
        ]
        (tmp_path / tag).write_text("".join(lines))
    return ["--qrels", str(tmp_path / "qrels"), "--measure", "RR", *(str(tmp_path / tag) for tag in RANKS)]


def test_compare_offers_every_test_there_is() -> None:
    assert get_args(TableTest) == TABLE_TESTS
    assert get_args(PairTest) + TABLE_TESTS == TESTS


def values(tag: str) -> list[float]:
    return [1 / rank for rank in RANKS[tag]]


def test_compare_prints_letters_and_pairs(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *given]) == 0
    printed = capsys.readouterr().out
    # The hash is that of "1 0 r 1" to "8 0 r 1", a line each.
    assert printed.startswith(
        "RR on 8 topics of qrels (sha256 de55f64d7641); t, holm; "
        "letters: significantly better than these runs at 0.05\n"
    )
    lines = [line.split() for line in printed.splitlines()]
    assert ["a", "first", "0.9375", "bc"] in lines
    assert ["c", "third", "0.2125"] in lines
    (pair,) = [line for line in lines if line[:2] == ["first", "third"]]
    assert pair[2] == "0.7250"
    assert pair[-3:] == ["8", "0", "0"]


def test_compare_as_json_has_every_figure(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--correct", "bonferroni", "--format", "json", *given]) == 0
    found = json.loads(capsys.readouterr().out)
    pair = next(each for each in found["pairs"] if (each["better"], each["worse"]) == ("first", "second"))
    theirs = stats.ttest_rel(values("first"), values("second"))
    interval = theirs.confidence_interval()
    assert pair["p"] == pytest.approx(theirs.pvalue)
    assert pair["adjusted_p"] == pytest.approx(3 * theirs.pvalue)
    assert pair["interval"] == pytest.approx([interval.low, interval.high])
    assert (found["topics"], found["topics_left_out"], found["correction"]) == (8, 0, "bonferroni")


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "randomisation", "tukey", "randomised-tukey"])
def test_compare_takes_every_test(given: list[str], test: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--test", test, "--correct", "none", "--format", "json", *given]) == 0
    found = json.loads(capsys.readouterr().out)
    best = next(each for each in found["pairs"] if (each["better"], each["worse"]) == ("first", "third"))
    assert best["is_significant"]
    assert found["runs"][2] == {"run": "third", "mean": 0.2125, "better_than": ""}


def test_compare_with_a_baseline_shows_its_pairs_alone(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", "--baseline", "third", "--format", "tsv", *given]) == 0
    rows = [line.split("\t")[:2] for line in capsys.readouterr().out.splitlines()]
    assert rows == [["better", "worse"], ["first", "third"], ["second", "third"]]


def test_compare_as_latex_prints_superscripts(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--format", "latex", *given]) == 0
    printed = capsys.readouterr().out
    assert "a & first & 0.9375$^{bc}$ \\\\" in printed
    assert "c & third & 0.2125 \\\\" in printed


def test_compare_states_infinite_effects_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text("1 0 r 1\n2 0 r 1\n")
    for tag, place in (("one", "r"), ("two", "n")):
        lines = "".join(f"{topic} Q0 {place} 1 1 {tag}\n" for topic in (1, 2))
        (tmp_path / tag).write_text(lines)
    runs = [str(tmp_path / "one"), str(tmp_path / "two")]
    assert (
        main(["compare", "--qrels", str(tmp_path / "qrels"), "--measure", "RR", "--format", "json", *runs])
        == 0
    )
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert (pair["d_z"], pair["p"], pair["undefined"]) == ("inf", None, "no_spread")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--alpha", "5"], "between 0 and 1"),
        (["--baseline", "bm25"], "the baseline bm25 is not a run"),
        (["--measure", "meanRbest"], "higher is not better"),
    ],
)
def test_compare_names_what_is_wrong_with_its_options(
    given: list[str], options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *given, *options]) == 2
    assert words in capsys.readouterr().err


def test_compare_needs_two_runs(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *given[:5]]) == 2
    assert "1 run with values on 8 common topics: a comparison needs two of each" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["table", "json", "latex", "tsv"])
def test_compare_says_that_the_worse_run_has_other_ids(
    given: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    other = tmp_path / "other"
    other.write_text("".join(f"q{topic} Q0 r 1 1 other\n" for topic in TOPICS))
    line = "8 of 8 judged topics have no result; the run has q1; did you mean 1?"

    assert main(["compare", "--format", form, *given, str(other)]) == 0
    printed = capsys.readouterr()
    assert f"warning: other under qrels: {line}\n" in printed.err
    assert (f"other: {line}" in printed.out) == (form != "tsv")
    assert main(["compare", "--format", form, *given]) == 0
    assert "judged topics" not in capsys.readouterr().out
