"""The library: all forms of input give equal runs and qrels; each function equals its command."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest
from django.conf import settings

import trackside
from evaluation.cli.main import main
from evaluation.core.trec_files.frames import ColumnUnfit
from trackside import public
from trackside.inputs import FormUnknown, OddLines
from trackside.outputs import NameNotWritable

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(settings.ROOT)
SCORES = {"301": {"a": 3.0, "b": 2.0, "c": 2.0}, "302": {"b": 1.5}}
GRADES = {"301": {"a": 0, "b": 1, "c": 2}, "302": {"b": 1, "z": -1}}
RUN_ROWS = [("301", "a", 3.0), ("301", "b", 2.0), ("301", "c", 2.0), ("302", "b", 1.5)]
QREL_ROWS = [("301", "a", 0), ("301", "b", 1), ("301", "c", 2), ("302", "b", 1), ("302", "z", -1)]
# trec_eval's order: equal scores by docno descending.
TOPS = {"301": ["a", "c", "b"], "302": ["b"]}


class TrecQrel(NamedTuple):
    """As ir_datasets has them."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class ScoredDoc(NamedTuple):
    """As ir_measures and ir_datasets have them."""

    query_id: str
    doc_id: str
    score: float


def columns(rows: list[tuple[Any, ...]], *names: str) -> dict[str, list[Any]]:
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


RUN_FILE = "".join(f"{topic} Q0 {docno} 1 {score} own\n" for topic, docno, score in RUN_ROWS).encode()
QRELS_FILE = "".join(f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in QREL_ROWS).encode()
RUN_COLUMNS = columns(RUN_ROWS, "topic", "docno", "score")
RUN_FORMS: dict[str, Any] = {
    "bytes": RUN_FILE,
    "packed bytes": gzip.compress(RUN_FILE),
    "dictionary": SCORES,
    "lists": RUN_COLUMNS,
    "arrays": {name: np.array(values) for name, values in RUN_COLUMNS.items()},
    "whole numbers for topics": RUN_COLUMNS | {"topic": np.array([301, 301, 301, 302])},
    "polars": pl.DataFrame(RUN_COLUMNS),
    "pandas": pd.DataFrame(RUN_COLUMNS),
    "pandas of PyTerrier": pd.DataFrame(columns(RUN_ROWS, "qid", "docno", "score") | {"docid": [9, 8, 7, 6]}),
    "pandas of ir_measures": pd.DataFrame(columns(RUN_ROWS, "query_id", "doc_id", "score")),
    "named tuples": [ScoredDoc(*row) for row in RUN_ROWS],
    "generator of named tuples": (ScoredDoc(*row) for row in RUN_ROWS),
}
QREL_COLUMNS = columns(QREL_ROWS, "topic", "docno", "grade")
QRELS_FORMS: dict[str, Any] = {
    "bytes": QRELS_FILE,
    "dictionary": GRADES,
    "lists": QREL_COLUMNS,
    "arrays": {name: np.array(values) for name, values in QREL_COLUMNS.items()},
    "whole numbers as floats": QREL_COLUMNS | {"grade": np.array([0.0, 1.0, 2.0, 1.0, -1.0])},
    "polars": pl.DataFrame(QREL_COLUMNS),
    "pandas of PyTerrier": pd.DataFrame(columns(QREL_ROWS, "qid", "docno", "label")),
    "pandas of ir_measures": pd.DataFrame(columns(QREL_ROWS, "query_id", "doc_id", "relevance")),
    "named tuples": [TrecQrel(*row, iteration="0") for row in QREL_ROWS],
}


@pytest.mark.parametrize("form", list(RUN_FORMS))
def test_runs_of_every_form_are_the_same(form: str) -> None:
    run = trackside.read_run(RUN_FORMS[form], tag="own")
    assert (run.tag, run.to_dict(), run.top(9)) == ("own", SCORES, TOPS)


@pytest.mark.parametrize("form", list(QRELS_FORMS))
def test_qrels_of_every_form_are_the_same(form: str) -> None:
    qrels = trackside.read_qrels(QRELS_FORMS[form], name="people")
    assert (qrels.name, qrels.to_dict()) == ("people", GRADES)


def test_files_are_read_by_path_and_stream(tmp_path: Path) -> None:
    (tmp_path / "own.run.gz").write_bytes(gzip.compress(RUN_FILE))
    (tmp_path / "people.qrels").write_bytes(QRELS_FILE)
    assert trackside.read_run(tmp_path / "own.run.gz").to_dict() == SCORES
    assert trackside.read_run(str(tmp_path / "own.run.gz")).tag == "own"
    assert trackside.read_run(BytesIO(RUN_FILE)).to_dict() == SCORES
    qrels = trackside.read_qrels(tmp_path / "people.qrels")
    assert (qrels.name, qrels.to_dict()) == ("people.qrels", GRADES)


def test_one_run_under_another_tag_leaves_the_first_as_it_is() -> None:
    run = trackside.read_run(SCORES, tag="one")
    assert trackside.read_run(run) is run
    assert (trackside.read_run(run, tag="two").tag, run.tag) == ("two", "one")


def test_frames_of_runs_and_qrels_lead_back() -> None:
    run, qrels = trackside.read_run(SCORES), trackside.read_qrels(GRADES)
    assert run.to_frame()["rank"].to_list() == [1, 2, 3, 1]
    assert trackside.read_run(run.to_frame()).to_dict() == SCORES
    assert trackside.read_qrels(qrels.to_frame()).to_dict() == GRADES


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"grade": [0, 1, None, 1, 0]}, "column grade, row 2: no value"),
        ({"grade": [0.5, 1, 2, 1, 0]}, "column grade, row 0: 0.5 is no whole number"),
        ({"grade": ["x", "1", "2", "1", "0"]}, "column grade: its values are no whole numbers"),
        ({"topic": [301.0, 301.0, 301.0, 302.0, 302.0]}, "column topic: numbers with a decimal point"),
        ({"docno": ["a", None, "c", "b", "z"]}, "column docno, row 1: no value"),
    ],
)
def test_malformed_columns_are_refused(values: dict[str, Any], fault: str) -> None:
    """None of them may silently become another topic or grade."""
    for frame in (pl.DataFrame(QREL_COLUMNS | values, strict=False), QREL_COLUMNS | values):
        with pytest.raises(ColumnUnfit) as caught:
            trackside.read_qrels(frame)
        assert fault in str(caught.value)
    with pytest.raises(ColumnUnfit):
        trackside.read_qrels(pd.DataFrame(QREL_COLUMNS | values))


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (17, "a int is no run"),
        ([1, 2], "a list is no run"),
        (pl.DataFrame({"docno": ["a"], "score": [1.0]}), "no column topic (or qid, query_id"),
        ({"topic": ["1"], "docno": ["a", "b"], "score": [1.0, 2.0]}, "not equally long"),
        ({"topic": ["1"], "docno": ["a"]}, "no column score"),
    ],
)
def test_input_without_a_run_is_refused(source: Any, fault: str) -> None:
    with pytest.raises(FormUnknown) as caught:
        trackside.read_run(source)
    assert fault in str(caught.value)


def test_malformed_lines_that_trec_eval_accepts_give_a_warning() -> None:
    with pytest.warns(OddLines, match="score"):
        run = trackside.read_run(b"1 Q0 a 1 0.5x own\n")
    assert run.to_dict() == {"1": {"a": 0.5}}


def test_evaluation_has_the_numbers_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.run").write_bytes(RUN_FILE)
    (tmp_path / "people.qrels").write_bytes(QRELS_FILE)
    words = ["--qrels", f"people={tmp_path}/people.qrels", "-m", "nDCG@10", "-m", "AP(rel=2)", "--per-topic"]
    assert main(["score", *words, f"{tmp_path}/own.run", "--format", "tsv", "--decimals", "17"]) == 0
    printed = capsys.readouterr().out
    evaluation = trackside.evaluate(SCORES, {"people": GRADES}, ["nDCG@10", "AP(rel=2)"])
    values = evaluation.topic_frame()["value"].to_list() + evaluation.mean_frame()["value"].to_list()
    # AP(rel=2) on 301: the one document of grade 2 is second.
    assert evaluation.topic_frame()["value"].to_list()[1] == 0.5
    assert all(f"{value:.17f}" in printed for value in values)


def test_evaluation_takes_several_runs_and_qrels_of_any_form() -> None:
    runs: Mapping[str, Any] = {"one": SCORES, "two": pl.DataFrame(RUN_COLUMNS), "three": RUN_FILE}
    evaluation = trackside.evaluate(runs, {"people": GRADES, "again": QRELS_FILE}, "P@1")
    assert (evaluation.runs, evaluation.qrels) == (("one", "two", "three"), ("people", "again"))
    assert evaluation.means()[:, :, 0].tolist() == [[0.5, 0.5]] * 3
    assert trackside.evaluate([trackside.read_run(SCORES), RUN_FILE], GRADES, ["P@1"]).runs == ("run", "own")
    generated = (trackside.read_run(SCORES, tag=f"run{number}") for number in range(3))
    assert trackside.evaluate(generated, GRADES, ["P@1"]).runs == ("run0", "run1", "run2")


def test_runs_of_one_tag_are_named_by_their_files_or_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(RUN_FILE)
    paths = [tmp_path / "one", tmp_path / "two"]
    assert trackside.evaluate(paths, GRADES, ["P@1"]).runs == ("own", "two")
    with pytest.raises(trackside.InputError, match="two runs are called run"):
        trackside.evaluate([SCORES, SCORES], GRADES, ["P@1"])
    with pytest.raises(trackside.InputError, match="two qrels are called qrels"):
        trackside.evaluate(SCORES, [GRADES, GRADES], ["P@1"])


def test_single_compares_scores_as_pytrec_eval_does() -> None:
    """Equal as 32-bit numbers, so the docno decides; as doubles a is first."""
    run = {"1": {"a": 1.00000001, "b": 1.0}}
    assert trackside.evaluate(run, {"1": {"b": 1}}, "RR").means().item() == 0.5
    assert trackside.evaluate(run, {"1": {"b": 1}}, "RR", single=True).means().item() == 1.0


def test_means_have_intervals_and_reasons() -> None:
    """Rows by run, qrels, measure; ten topics are the fewest with an interval."""
    run = {f"{topic}": {"a": 2.0, "b": 1.0} for topic in range(12)}
    qrels = {f"{topic}": {"ab"[topic % 2]: 1} for topic in range(12)}
    frame = trackside.evaluate(run, qrels, ["RR", "NumRet", "meanRbest"]).mean_frame()
    assert frame["value"].to_list() == [0.75, 24, 1.5]  # six of 1, six of 1/2; the best at rank 1 or 2
    low, high = frame["low"].to_list(), frame["high"].to_list()
    assert low[0] < 0.75 < high[0] <= 1
    assert (low[1], high[1], frame["no_interval"][1], frame["topics"][1]) == (None, None, None, 12)
    few = trackside.evaluate({"1": {"a": 1.0}}, {"1": {"a": 1}}, "RR").mean_frame()
    assert few.select("low", "high", "no_interval").row(0) == (None, None, "too_few_topics")
    absent = trackside.evaluate({"1": {"a": 1.0}}, {"1": {"b": 1}}, "meanRbest")
    assert absent.topic_frame().select("value", "reason").row(0) == (None, "no_relevant_retrieved")
    assert absent.mean_frame().select("value", "reason").row(0) == (None, "no_topics")


def test_comparison_has_the_numbers_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels = {f"{topic}": {"a": 1} for topic in range(6)}
    runs = {
        "one": {f"{topic}": {"a": 2.0, "b": 1.0} for topic in range(6)},
        "two": {f"{topic}": {"a": float(topic > 3), "b": 0.5} for topic in range(6)},
    }
    for name, run in runs.items():
        trackside.write_run(run, tmp_path / f"{name}.run", tag=name)
    trackside.write_qrels(qrels, tmp_path / "people.qrels")
    comparison = trackside.compare(runs, qrels, "RR", test="randomisation", seed=3)
    assert comparison.means == {"one": 1.0, "two": pytest.approx((4 * 0.5 + 2) / 6)}
    row = comparison.to_frame().row(0, named=True)
    assert (row["better"], row["worse"], row["wins"], row["ties"]) == ("one", "two", 4, 2)
    assert row["p"] == 2 / 2**4  # of the 16 signs of four equal differences two are as extreme
    words = ["--measure", "RR", "--test", "randomisation", "--seed", "3", "--format", "json"]
    words += ["--qrels", f"{tmp_path}/people.qrels"]
    assert main(["compare", *words, *(f"{tmp_path}/{name}.run" for name in runs)]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    names = ("difference", "p", "adjusted_p", "d_z", "wins", "ties", "losses", "is_significant")
    assert {name: pair[name] for name in names} == {name: row[name] for name in names}


def test_comparison_refuses_measures_that_rank_no_run() -> None:
    with pytest.raises(trackside.InputError, match="higher is not better"):
        trackside.compare({"a": SCORES, "b": SCORES}, GRADES, "NumRet")
    with pytest.raises(trackside.InputError, match="alpha 5: give a level"):
        trackside.compare({"a": SCORES, "b": SCORES}, GRADES, alpha=5)


def test_pool_is_that_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = {"one": SCORES, "two": {"301": {"d": 2.0, "a": 1.0}}}
    pool = trackside.pool(runs, 2, depths={"two": 1})
    assert pool.topics == {"301": ("a", "c", "d"), "302": ("b",)}
    for name, run in runs.items():
        trackside.write_run(run, tmp_path / name, tag=name)
    words = ["--depth", "2", "--depth", "two=1", "--seed", "7", "--out", str(tmp_path / "pool.tsv")]
    assert main(["pool", *words, str(tmp_path / "one"), str(tmp_path / "two")]) == 0
    written = [tuple(line.split("\t")) for line in (tmp_path / "pool.tsv").read_text().splitlines()]
    assert pool.to_frame(seed=7).rows() == written
    with pytest.raises(trackside.InputError, match="no run has the tag three"):
        trackside.pool(runs, 2, depths={"three": 1})


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("rrf", {"k": 10}, ["--k", "10"]),
        ("wsum", {"weights": [0.3, 0.7]}, ["--weights", "0.3,0.7"]),
        ("combsum", {"norm": "none"}, ["--norm", "none"]),
        ("combmnz", {}, []),
    ],
)
def test_fusion_is_that_of_the_command(
    method: str, options: dict[str, Any], words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = {"one": SCORES, "two": {"301": {"d": 2.0, "a": 1.0}, "303": {"e": 1.0}}}
    for name, run in runs.items():
        trackside.write_run(run, tmp_path / name, tag=name)
    fused = trackside.fuse(runs, method, **options)
    assert main(["fuse", "--method", method, *words, str(tmp_path / "one"), str(tmp_path / "two")]) == 0
    trackside.write_run(fused, tmp_path / "fused")
    assert (tmp_path / "fused").read_text() == capsys.readouterr().out


def test_fusion_refuses_options_that_do_not_combine() -> None:
    runs = {"one": SCORES, "two": SCORES}
    for method, options in (
        ("wsum", {}),
        ("rrf", {"weights": [1, 1]}),
        ("rff", {}),
        ("rrf", {"norm": "rank"}),
    ):
        with pytest.raises(trackside.InputError):
            trackside.fuse(runs, method, **options)
    with pytest.raises(trackside.InputError, match="ranx has no method rff"):
        trackside.fuse(runs, "ranx:rff")


def test_tuned_weights_are_those_of_the_best_mean() -> None:
    """The first run alone finds the relevant document first, at any weight above the second's."""
    runs = {"one": {"1": {"a": 1.0, "b": 0.0}}, "two": {"1": {"a": 0.0, "b": 1.0}}}
    tuned = trackside.tune_weights(runs, {"1": {"a": 1}}, "P@1", step=0.25)
    assert (tuned.weights, tuned.value) == ((0.75, 0.25), 1.0)


def test_agreement_is_that_of_the_confusion_matrix() -> None:
    """Four shared pairs; kappa by hand: observed 3/4, by chance (2 x 1 + 1 x 2 + 1 x 1) / 16 = 5/16."""
    people = {"1": {"a": 0, "b": 0, "c": 1, "d": 2, "only people": 1}}
    judge = {"1": {"a": 0, "b": 1, "c": 1, "d": 2, "e": 2, "z": -1}}
    found = trackside.agreement(people, judge)
    assert (found.scale, found.pair_count, found.topic_count) == ((0, 1, 2), 4, 1)
    assert found.matrix.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert found.coefficients["kappa"].value == pytest.approx((3 / 4 - 5 / 16) / (1 - 5 / 16))
    assert found.coefficients["leniency"].value == 1 / 4
    row = found.to_frame().filter(pl.col("coefficient") == "kappa").row(0, named=True)
    assert (row["low"], row["no_interval"]) == (None, "too_few_topics")
    with pytest.raises(trackside.InputError, match="not on the scale"):
        trackside.agreement(people, judge, scale=[0, 1])
    with pytest.raises(trackside.InputError, match="no pair of topic and docno"):
        trackside.agreement(people, {"1": {"x": 1}})


def test_check_returns_what_the_command_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.run"
    path.write_text("301 Q0 a 1 0.5 own\n301 Q0 a 2 0.4 own\n301 Q0 nowhere 3 0.3 own\n")
    (tmp_path / "topics").write_text("301\n302\n")
    (tmp_path / "docnos").write_text("a\nb\n")
    words = ["--topics", f"{tmp_path}/topics", "--docnos", f"{tmp_path}/docnos", "--format", "json"]
    assert main(["check", str(path), *words]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert trackside.check(path, ["301", "302"], docnos=["a", "b"]).to_json() == printed
    assert trackside.check(path, tmp_path / "topics", docnos=tmp_path / "docnos").to_json() == printed


def test_check_accepts_runs_that_are_not_files() -> None:
    assert trackside.check(SCORES, ["301", "302"], docnos=["a", "b", "c"], tag="own").is_accepted
    verdict = trackside.check(pl.DataFrame(RUN_COLUMNS), ["301", "302"], docnos=["a", "B"])
    assert [str(fault.code) for fault in verdict.faults] == ["unknown_docno"]
    with pytest.raises(trackside.InputError, match="no such file"):
        trackside.check("nowhere.run", ["301"])


def test_report_has_the_findings_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels = {f"{topic}": {"a": 1, "b": 0, "c": topic % 3} for topic in range(5)}
    clip = {topic: {**grades, "b": 1} for topic, grades in qrels.items()}
    runs = {
        name: {topic: {docno: float(place) for place, docno in enumerate(order)} for topic in qrels}
        for name, order in (("one", "abc"), ("two", "bca"), ("three", "cab"))
    }
    findings = trackside.report(runs, {**qrels}, {"clip": clip}, measures=["AP"], resamples=50)
    for name, run in runs.items():
        trackside.write_run(run, tmp_path / name, tag=name)
    trackside.write_qrels(qrels, tmp_path / "people")
    trackside.write_qrels(clip, tmp_path / "clip")
    words = ["--reference", f"qrels={tmp_path}/people", "--qrels", f"clip={tmp_path}/clip"]
    words += ["--measure", "AP", "--resamples", "50", "--out", str(tmp_path / "printed")]
    assert main(["report", "--runs", *(f"{tmp_path}/{name}" for name in runs), *words]) == 0
    written = trackside.write_report(findings, tmp_path / "written")
    assert {path.relative_to(tmp_path / "written") for path in written} == {
        path.relative_to(tmp_path / "printed") for path in (tmp_path / "printed").rglob("*") if path.is_file()
    }
    for path in written:
        assert (
            path.read_bytes() == (tmp_path / "printed" / path.relative_to(tmp_path / "written")).read_bytes()
        )
    with pytest.raises(trackside.InputError, match="name qrels to compare"):
        trackside.report(runs, qrels)


@pytest.mark.parametrize(
    ("scores", "fault"),
    [
        ({"1 2": {"a": 1.0}}, "topic '1 2'"),
        ({"#1": {"a": 1.0}}, "topic '#1'"),
        ({"1": {"": 1.0}}, "docno ''"),
    ],
)
def test_names_that_no_file_can_hold_are_not_written(
    scores: dict[str, dict[str, float]], fault: str, tmp_path: Path
) -> None:
    with pytest.raises(NameNotWritable, match=fault):
        trackside.write_run(scores, tmp_path / "own.run")
    with pytest.raises(NameNotWritable, match="tag 'my run'"):
        trackside.write_run(SCORES, tmp_path / "own.run", tag="my run")
    assert not (tmp_path / "own.run").exists()


def test_written_files_read_back_to_the_last_bit(tmp_path: Path) -> None:
    scores = {"é": {"ü#": 0.1 + 0.2, "b": 1e-300, "c": -7.0}, "1": {"a": 1 / 3}}
    trackside.write_run(scores, tmp_path / "own.run", tag="own")
    trackside.write_qrels(GRADES, tmp_path / "own.qrels")
    assert trackside.read_run(tmp_path / "own.run").to_dict() == scores
    assert trackside.read_qrels(tmp_path / "own.qrels").to_dict() == GRADES
    trackside.write_run(SCORES, tmp_path / "short.run", depth=1)
    assert trackside.read_run(tmp_path / "short.run").to_dict() == {"301": {"a": 3.0}, "302": {"b": 1.5}}


def test_import_loads_nothing_before_the_first_name_is_used() -> None:
    code = """
import sys, trackside
slow = {"polars", "numpy", "scipy", "pandas", "django", "ranx", "ir_measures"}
print(sorted(slow & set(sys.modules)))
trackside.evaluate({"1": {"a": 1.0}}, {"1": {"a": 1}}, "RR")
print(sorted((slow - {"numpy", "polars"}) & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "[]"]


def test_all_public_names_exist() -> None:
    assert trackside.__all__ == public.__all__ == sorted(public.__all__)
    assert dir(trackside) == trackside.__all__
    assert all(getattr(trackside, name).__doc__ for name in trackside.__all__)
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        trackside.evalute  # noqa: B018
