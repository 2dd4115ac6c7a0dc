"""The library: each function equals its command."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.conf import settings

import trackside
from tests.trackside.library.input_forms import GRADES, QRELS_FILE, RUN_COLUMNS, RUN_FILE, SCORES
from trackside.cli.main import main
from trackside.library import public
from trackside.library.inputs import IdsDoNotMeet

ROOT = Path(settings.ROOT)


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
    with pytest.warns(IdsDoNotMeet):
        absent = trackside.evaluate({"1": {"a": 1.0}}, {"1": {"b": 1}}, "meanRbest")
    assert absent.topic_frame().select("value", "reason").row(0) == (None, "no_relevant_retrieved")
    assert absent.mean_frame().select("value", "reason").row(0) == (None, "no_topics")


def test_ids_that_do_not_meet_are_a_warning_with_the_spelling_probably_meant() -> None:
    run = {"web-1": {"d7.jpg": 1.0}, "web-2": {"d8.jpg": 1.0}}
    qrels = {"1": {"d7": 1}, "2": {"d8": 0}}
    words = r"run under qrels: 2 of 2 .* 0 of 2 .*; the run has web-1 and d7.jpg; did you mean 1 and d7\?"
    with pytest.warns(IdsDoNotMeet, match=words):
        evaluation = trackside.evaluate(run, qrels, "RR")
    assert evaluation.meetings[0][0].is_empty
    with pytest.warns(IdsDoNotMeet, match="other under qrels: 2 of 2 judged topics"):
        trackside.compare({"own": {"1": {"d7": 1.0}, "2": {"d8": 1.0}}, "other": run}, qrels, "P@1")


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
    tau = findings.judges[0].order("AP").tau
    assert json.loads((tmp_path / "written" / "findings.json").read_text())["judges"][0]["order"]["tau"] == (
        tau and round(tau, 10)
    )


def test_report_without_judges_has_the_leaders() -> None:
    (leader,) = trackside.report(SCORES, GRADES, measures=["AP"], resamples=50).leaders
    assert leader.first == ("run",)


def test_margins_are_typed_and_checked() -> None:
    report = trackside.report(
        SCORES, GRADES, {"clip": GRADES}, measures=["AP"], margins=trackside.Margins(kappa=0.1)
    )
    assert report.facts.margins.kappa == 0.1
    with pytest.raises(trackside.InputError, match="margin tau=-1"):
        trackside.report(SCORES, GRADES, {"clip": GRADES}, margins=trackside.Margins(tau=-1))


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
        trackside.evalute  # type: ignore[attr-defined] # noqa: B018
