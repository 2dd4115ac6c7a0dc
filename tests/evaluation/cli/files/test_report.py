"""`trackside report` on plain files and on a bundle: the tables of `build_report`, and the same twice."""

from __future__ import annotations

import csv
import gzip
import json
import re
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from evaluation.cli.main import main
from evaluation.core.report.writers.bundle import write_bundle
from tests.evaluation.core.report.study import (
    graded_set,
    model_set,
    ranking,
    run_list,
    second_set,
    small_study,
    true_grades,
)

if TYPE_CHECKING:
    from pathlib import Path

    from evaluation.core.report.design import GradedSet

TRUTH = true_grades()


def _qrels(folder: Path, graded: GradedSet) -> str:
    path = folder / f"{graded.name}.qrels"
    lines = [f"{topic} 0 {docno} {grade}\n" for topic, own in graded.qrels for docno, grade in own.items()]
    path.write_text("".join(lines))
    return f"{graded.name}={path}"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    runs = []
    for number in range(6):
        run = ranking(number, TRUTH)
        lines = [
            f"{topic} Q0 {docno} 1 {score!r} {run.tag}\n"
            for topic, docnos, scores in run
            for docno, score in zip(docnos, scores.tolist(), strict=True)
        ]
        (tmp_path / run.tag).write_text("".join(lines))
        runs.append(str(tmp_path / run.tag))
    about = ["tag,team,families,backbone\n"]
    about += [f"{run.tag},{run.team},{';'.join(run.families)},\n" for run in run_list()]
    (tmp_path / "about.csv").write_text("".join(about))
    model = model_set(TRUTH)
    scores = [f"{topic}\t{docno}\t{score!r}\n" for (topic, docno), score in model.raw_scores.items()]
    (tmp_path / "scores.tsv").write_text("topic\tdocno\traw_score\n" + "".join(scores))
    return [
        "report", "--reference", _qrels(tmp_path, graded_set("people", TRUTH, "human")),
        "--people", _qrels(tmp_path, second_set(TRUTH)), "--qrels", _qrels(tmp_path, model),
        "--raw-scores", f"clip={tmp_path / 'scores.tsv'}", "--about", str(tmp_path / "about.csv"),
        "--measure", "nDCG@10", "--measure", "AP", "--resamples", "200", "--runs", *runs,
    ]  # fmt: skip


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    study = small_study()
    path = tmp_path / "bundle.zip"
    rankings = (ranking(number, TRUTH) for number in range(6))
    sets = [graded_set("people", TRUTH, "human"), second_set(TRUTH), model_set(TRUTH)]
    write_bundle(path, design=study.design, runs=study.runs, rankings=rankings, sets=sets)
    return path


def test_report_prints_every_section(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(files) == 0
    printed = capsys.readouterr().out
    for title in ("Order of the runs", "Families of runs", "Less human work", "How it was made"):
        assert f"\n{title}\n" in printed
    assert "For comparison, the kappa among people: second" in printed
    assert not re.search(r"\bnan\b", printed.lower())


def test_report_writes_each_table_and_figure(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main([*files, "--out", str(out)]) == 0
    tables = {path.stem for path in (out / "tables").glob("*.csv")}
    assert {"order", "agreement", "bias", "decisions", "depths", "saving", "strata", "overview"} <= tables
    for ending in ("json", "tex"):
        assert {path.stem for path in (out / "tables").glob(f"*.{ending}")} == tables
    assert (out / "figures" / "ranks-ndcg-10.svg").read_text().startswith("<svg")
    assert "2,000" not in (out / "methods.txt").read_text()  # 200 resamples were asked for
    rows = list(csv.DictReader((out / "tables" / "order.csv").read_text().splitlines()))
    assert [row["judge"] for row in rows] == ["second", "clip"] * 2
    assert json.loads((out / "findings.json").read_text())["facts"]["judges"] == ["second", "clip"]


def test_report_of_a_bundle_is_that_of_the_files(
    files: list[str], bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run in a separate process without a database in its environment; equal byte for byte."""
    assert main([*files, "--out", str(tmp_path / "here")]) == 0
    code = "import sys; from evaluation.cli.main import main; sys.exit(main())"
    words = [sys.executable, "-c", code, "report", str(bundle), "--out", str(tmp_path / "there")]
    subprocess.run(words, check=True, env={}, capture_output=True)
    here, there = (
        {path.name: path for path in (tmp_path / name / "tables").iterdir()} for name in ("here", "there")
    )
    # Only the bundle has outcomes, mapping and backbone.
    known = {"circularity", "guardrails", "outcomes", "qrels", "raw-scores"}
    assert here.keys() == there.keys()
    for name in here:
        if name.partition(".")[0] not in known:
            assert (name, here[name].read_bytes()) == (name, there[name].read_bytes())


def test_report_prints_one_section_as_csv(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(bundle), "--section", "bias", "--format", "csv"]) == 0
    header = capsys.readouterr().out.splitlines()[0]
    assert header.startswith("measure,judge,family,runs in it,others,teams in it,other teams,")
    assert '"excess, points low","excess, points high","excess, points interval"' in header


def test_report_is_of_the_topics_named(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "topics.txt").write_text("T0\nT1\nT5\n")
    words = ["--topics", str(tmp_path / "topics.txt"), "--section", "order", "--format", "csv"]
    assert main([*files, *words]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()[:5]))
    # The second assessor graded T0 to T3, the model all.
    assert [(row["judge"], row["topics"]) for row in rows] == [("second", "2"), ("clip", "3")] * 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name --runs, --reference and --qrels, or a bundle"),
        (["no.zip"], "not a readable zip"),
        (["--section", "poetry"], "The report has no section poetry. Choose one of: in-short, order, grades"),
        (
            ["--section", "poetry", "--format", "csv"],
            "The report has no section poetry. Choose one of: in-short, order, grades",
        ),
        (["--measure", "GMAP"], "GMAP: a report compares means over topics"),
        (["--pdf"], "--pdf writes files: name a folder with --out too"),
        (["--out", "there", "--section", "bias"], "--section: --out writes every table in every form"),
        (["--out", "there", "--format", "tex"], "--format: --out writes every table in every form"),
        (["--scale", "0,x"], "--scale 0,x: write whole numbers"),
        (["--scale", "0,²"], "--scale 0,²: write whole numbers"),
        (["--raw-scores", "other=about.csv"], "about.csv: no such file. Check the path."),
        (["--out", "/proc/there"], "/proc/there: No such file or directory. Name another folder."),
    ],
)
def test_report_names_what_is_wrong(
    words: list[str], message: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    is_enough = words and words[0].startswith("--")
    assert main([*files, *words] if is_enough else ["report", *words]) == 2
    assert message in capsys.readouterr().err


def test_report_refuses_a_bundle_that_was_changed(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = tmp_path / "changed.zip"
    with zipfile.ZipFile(bundle) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) + (b"T9 0 d1 1\n" if name == "qrels/0.qrels" else b""))
    assert main(["report", str(changed)]) == 2
    assert "qrels/0.qrels in the bundle does not match the manifest" in capsys.readouterr().err


def test_two_qrels_of_the_same_grades_stay_two_columns(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By files and by a bundle: a hash must not identify a set."""
    truth = graded_set("people", TRUTH, "human")
    again, third = graded_set("one", TRUTH), graded_set("two", TRUTH)
    path, study = tmp_path / "twins.zip", small_study()
    rankings = (ranking(number, TRUTH) for number in range(6))
    write_bundle(path, design=study.design, runs=study.runs, rankings=rankings, sets=[truth, again, third])
    assert main(["report", str(path), "--section", "grades", "--format", "csv"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()[:3]))
    assert [row[0] for row in rows[1:]] == ["one", "two"]
    assert [row[3] for row in rows[1:]] == ["1", "1"]  # kappa with people


@pytest.mark.parametrize(
    "words",
    [
        ["--measure", "AP"], ["--level", "1"], ["--scale", "0,1"], ["--seed", "0"], ["--resamples", "50"],
        ["--topics", "t"], ["--strata", "page=s"], ["--about", "a"], ["--raw-scores", "clip=s"],
        ["--runs", "r"], ["--qrels", "q"],
    ],
)  # fmt: skip
def test_report_of_a_bundle_refuses_options_that_the_bundle_sets(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "bundle.zip", *words]) == 2
    assert f"{words[0]}: a bundle contains runs, qrels and the report's settings" in capsys.readouterr().err


def test_report_applies_the_level_to_measures_that_name_none(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--level", "2", "--measure", "RR(rel=1)", "--section", "runs", "--format", "csv"]
    assert main([*files, *words]) == 0
    rows = csv.DictReader(capsys.readouterr().out.splitlines())
    assert list(dict.fromkeys(row["measure"] for row in list(rows)[:18])) == ["nDCG@10", "AP(rel=2)", "RR"]


def test_report_of_some_topics_states_the_choice(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "topics.txt").write_text("T0\nT1\nT5\n")
    assert main([*files, "--topics", str(tmp_path / "topics.txt"), "--section", "methods"]) == 0
    assert "Chosen: 3 of 8 topics." in capsys.readouterr().out


def test_every_file_may_be_packed(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*files[:1], "--section", "bias", *files[1:]]
    assert main(words) == 0
    plain = capsys.readouterr().out
    for name in ("about.csv", "scores.tsv"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    assert main([word + ".gz" if word.endswith((".csv", ".tsv")) else word for word in words]) == 0
    assert capsys.readouterr().out == plain


def test_report_reads_a_list_of_runs_that_a_spreadsheet_wrote(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    about = tmp_path / "about.csv"
    about.write_bytes(b"\xef\xbb\xbf" + about.read_bytes())
    assert main([*files, "--section", "methods"]) == 0
    assert "6 runs of 3 teams" in capsys.readouterr().out


def test_report_clips_grades_to_the_scale_where_asked(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--scale", "0,1", "--section", "grades"]
    assert main([*files, *words]) == 2
    assert "are not on the scale (0, 1)" in capsys.readouterr().err
    assert main([*files, *words, "--clip", "--format", "csv"]) == 0
    assert "judge 2" not in capsys.readouterr().out
    assert main([*files, "--clip"]) == 2
    assert "--clip needs the scale to clip to" in capsys.readouterr().err
