"""Values within corpora, through the command and the public function."""

import csv
import io
import warnings
from pathlib import Path

import numpy as np
import pytest

import trackside
from tests.refusals import refused
from trackside.cli.main import main
from trackside.files.corpora import Corpus
from trackside.retrieval.ranking import vector_rankings

# T1 ranks a, b, c, d; T2 ranks c, a.
RUN = {"T1": {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0}, "T2": {"c": 2.0, "a": 1.0}}
QRELS = {"T1": {"b": 1, "d": 2}, "T2": {"a": 1}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    trackside.write_run(trackside.read_run(RUN, tag="kestrel"), "run")
    trackside.write_qrels(trackside.read_qrels(QRELS), "people.qrels")
    Path("small").write_text("b\nd\n")
    Path("base").write_text("a\nb\nd\n")
    return tmp_path


def scored(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[dict[tuple[str, str], str], str]:
    command = ["score", "run", "--qrels", "people.qrels", "--format", "csv", "--per-topic", "--measure", "RR"]
    assert main([*command, *words]) == 0
    out, err = capsys.readouterr()
    return {(row["qrels"], row["topic"]): row["value"] for row in csv.DictReader(io.StringIO(out))}, err


@pytest.mark.usefixtures("folder")
def test_score_has_values_within_each_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    # In base T1 ranks a, b, d and T2 ranks a: 1/2 and 1. In small T1 ranks b, d, and T2 has no grade.
    values, said = scored(capsys, "--corpus", "small", "--corpus", "all=base")
    assert values == {
        ("people.qrels/small", "T1"): "1.0000",
        ("people.qrels/small", "all"): "1.0000",
        ("people.qrels/all", "T1"): "0.5000",
        ("people.qrels/all", "T2"): "1.0000",
        ("people.qrels/all", "all"): "0.7500",
    }
    assert "people.qrels/small: 1 of 2 topics have no relevant document" in said
    assert "not in" not in said


@pytest.mark.usefixtures("folder")
def test_score_says_where_a_corpus_leaves_too_few_results(capsys: pytest.CaptureFixture[str]) -> None:
    # Of base, T1 lists all three documents; T2 has one of two results left, fewer than 2.
    _, said = scored(capsys, "--corpus", "base", "--measure", "P@2", "--measure", "P@1")
    assert "of 2 rankings, 1 have fewer than 2 results" in said
    assert "fewer than 1 result" not in said


@pytest.mark.usefixtures("folder")
def test_score_says_what_is_odd_about_lists(capsys: pytest.CaptureFixture[str]) -> None:
    Path("other").write_text("b\nb\nz\n")
    _, said = scored(capsys, "--corpus", "other", "--corpus", "base")
    assert "other: 1 repeated docno, each counted once" in said
    assert "other: 1 of 2 documents are not in base" in said


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "no-docnos"),
        (b"T1 0 b 1\nT2 0 a 1\n", "not-a-list"),
        (b"b\nd e\n", "not-a-list"),
        (b"b\n\xff\n", "not-a-list"),
        (b"y\nz\n", "corpus-not-judged"),
    ],
)
def test_a_list_that_is_none_is_refused(content: bytes, code: str) -> None:
    Path("bad").write_bytes(content)
    with refused(code):
        trackside.evaluate("run", "people.qrels", corpora={"bad": "bad"})


@pytest.mark.usefixtures("folder")
def test_trec_output_is_within_the_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    # In base the first result of T1 is a, without a grade, the next b (1) and d (2).
    words = ["--corpus", "base", "--format", "trec_eval", "--measure", "relstring", "--measure", "num_ret"]
    assert main(["score", "run", "--qrels", "people.qrels", *words]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["relstring", "T1", "'-12'"] in lines
    assert ["num_ret", "T1", "3"] in lines


def test_a_filtered_exact_search_equals_a_search_in_the_corpus() -> None:
    rng = np.random.default_rng(3)
    documents, topics = rng.standard_normal((300, 8)), rng.standard_normal((12, 8))
    docnos = [f"doc{number:0{1 + number % 30}d}" for number in range(300)]
    docnos = [f"{docno}-{number}" for number, docno in enumerate(docnos)]
    inside = np.flatnonzero(rng.random(300) < 0.3)
    small = [docnos[row] for row in inside]
    whole = run_of(vector_rankings(topics, docnos, documents, depth=300))
    alone = run_of(vector_rankings(topics, small, documents[inside], depth=300))
    qrels = {topic: {docno: int(rng.integers(0, 3)) for docno in docnos[::3]} for topic in whole}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        within = trackside.evaluate(whole, qrels, ["nDCG@10", "AP", "bpref"], corpora={"small": small})
    judged = {
        topic: {docno: grades[docno] for docno in grades if docno in small} for topic, grades in qrels.items()
    }
    expected = trackside.evaluate(alone, judged, ["nDCG@10", "AP", "bpref"])
    np.testing.assert_array_equal(within.values, expected.values)


def run_of(rankings: list[list[tuple[str, float]]]) -> dict[str, dict[str, float]]:
    return {f"T{number}": dict(ranked) for number, ranked in enumerate(rankings)}


def test_corpora_stand_beside_each_other_in_any_order() -> None:
    people, other = (
        trackside.read_qrels(QRELS, name="people"),
        trackside.read_qrels({"T1": {"c": 1}}, name="c"),
    )
    small = Corpus.of(["d", "c"], name="small")
    parts = [other, people.within(small), people, other.within(small)]
    evaluation = trackside.evaluate(RUN, parts, ["RR"])
    # c is third of T1; in small d follows c, and T2 has no grade; b is second of T1 and a of T2.
    assert evaluation.means()[0, :, 0].tolist() == [1 / 3, 1 / 2, 1 / 2, 1]
