"""`trackside report` on plain files and on a bundle: its first page, its files, its tables."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.trackside.cli.files.report_inputs import TRUTH, named_qrels
from tests.trackside.reporting.study import (
    graded_set,
    ranking,
    small_study,
)
from trackside.cli.main import main
from trackside.reporting.findings import Findings
from trackside.reporting.study import Study
from trackside.reporting.tables import Column, Figure, Section, Selector, Table
from trackside.reporting.writers.bundle import write_bundle


def _section(study: Study, findings: Findings) -> Section:
    """A section with a table by measure and family, one without rows, and a figure for each measure."""
    columns = (Column("measure", selector=Selector.MEASURE), Column("family", selector=Selector.FAMILY))
    rows = tuple((measure, family) for measure in study.measures for family in study.families)
    tables = Table("means", "Means.", columns, rows), Table("empty", "Empty.", columns, ())
    figures = tuple(
        Figure(f"means-{at}", "Means", "Means.", '<svg viewBox="0 0 8 8"></svg>', "means", measure=measure)
        for at, measure in enumerate(study.measures)
    )
    return Section("order", "Order of the runs", ("One sentence.",), tables, figures)


@pytest.fixture
def section(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trackside.reporting.build.SECTIONS", (_section,))


@pytest.mark.usefixtures("section")
def test_first_page_has_forty_lines_at_most(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(files) == 0
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert len(lines) <= 40
    table = lines[lines.index("") + 2 :]
    assert [line.split()[0] for line in table[:3]] == ["grades", "second", "clip"]
    assert "One sentence." not in printed
    assert not re.search(r"\bnan\b", printed.lower())


def test_many_judges_fit_forty_lines(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judges = [named_qrels(tmp_path, graded_set(f"judge-with-a-name-{number}", TRUTH)) for number in range(30)]
    assert main([*files, *(word for judge in judges for word in ("--qrels", judge))]) == 0
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) <= 40
    assert "and 17 more judges: see findings.json" in printed


@pytest.mark.usefixtures("section")
def test_all_and_section_print_tables(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--all"], ["--section", "order"]):
        assert main([*files, *words]) == 0
        printed = capsys.readouterr().out
        assert "\nOrder of the runs\n" in printed
        assert "[means]" in printed
        assert "[empty]" not in printed


@pytest.mark.usefixtures("section")
def test_rows_are_of_the_family_named(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--family", "text"], ["--all", "--family", "text"]):
        assert main([*files, *words]) == 0
        rows = [line.split()[-1] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
        assert rows == ["family", "text", "text"]


@pytest.mark.usefixtures("section")
def test_format_prints_the_tables(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files, "--format", "csv"]) == 0
    assert capsys.readouterr().out.split() == [
        "measure,family", "nDCG@10,CLIP", "nDCG@10,text", "AP,CLIP", "AP,text",
    ]  # fmt: skip


@pytest.mark.usefixtures("section")
def test_a_file_is_written_for_each_table_with_rows_and_figure_of_the_first_measure(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main([*files, "--out", str(out)]) == 0
    written = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    texts = {"findings.json", "methods.txt", "paragraph.txt", "judges.tex"}
    assert written == {*texts, "tables/means.csv", "figures/means-0.svg"}
    assert f"6 files in {out}" in capsys.readouterr().out
    assert [judge["name"] for judge in json.loads((out / "findings.json").read_text())["judges"]] == ["clip"]
    assert main([*files, "--out", str(out), "--format", "json"]) == 0
    assert json.loads((out / "tables/means.json").read_text())["rows"][0] == ["nDCG@10", "CLIP"]


def test_report_of_a_bundle_is_that_of_the_files(files: list[str], bundle: Path, tmp_path: Path) -> None:
    """Run in a separate process without a database in its environment; equal to the last digit.

    Tables on provenance differ: only a bundle has it.
    """
    assert main([*files, "--out", str(tmp_path / "here")]) == 0
    code = "import sys; from trackside.cli.main import main; sys.exit(main())"
    words = [sys.executable, "-c", code, "report", str(bundle), "--out", str(tmp_path / "there")]
    subprocess.run(words, check=True, env={}, capture_output=True)
    here, there = (json.loads((tmp_path / name / "findings.json").read_text()) for name in ("here", "there"))
    for part in ("judges", "yardsticks", "leaders", "facts"):
        assert here[part] == there[part]
    for name in ("judges.tex", "paragraph.txt", "tables/means.csv"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_report_is_of_the_topics_named(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "topics.txt").write_text("T0\nT1\nT5\n")
    report = _findings([*files, "--topics", str(tmp_path / "topics.txt")], tmp_path)
    # The second assessor graded T0 to T3, the model all.
    assert [report[kind][0]["order"]["topics"] for kind in ("yardsticks", "judges")] == [2, 3]
    assert report["facts"]["chosen"] == "3 of 8 topics"


def _findings(words: list[str], folder: Path) -> Any:
    assert main([*words, "--out", str(folder / "out")]) == 0
    return json.loads((folder / "out" / "findings.json").read_text())


def test_margins_are_carried_to_the_findings(files: list[str], tmp_path: Path) -> None:
    report = _findings([*files, "--margin", "kappa=0.2", "--margin", "points=3"], tmp_path)
    margins = report["facts"]["margins"]
    assert (margins["kappa"], margins["points"], margins["order"]) == (0.2, 3.0, 0.8)


def test_report_without_judges_names_the_best_run(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    people = files.index("--people")
    assert main([*files[:people], *files[people + 6 :]]) == 0
    assert "run5" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["--topics", "one-topic.txt"],
        ["--about", "no-family.csv"],
        ["--runs", "run1"],
        ["--qrels", "same=same.qrels"],
        ["--reference", "people=same.qrels", "--qrels", "same=same.qrels", "--scale", "0,1,2"],
    ],
)
def test_degenerate_input_has_a_page(
    words: list[str],
    files: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One topic, no family, one run, and equal grades of a judge or of people."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one-topic.txt").write_text("T1\n")
    (tmp_path / "no-family.csv").write_text("tag\n" + "".join(f"run{number}\n" for number in range(6)))
    same = {topic: dict.fromkeys(grades, 1) for topic, grades in TRUTH.items()}
    named_qrels(tmp_path, graded_set("same", same))
    assert main([*files, *words, "--out", "out"]) == 0
    printed = capsys.readouterr().out
    assert 5 < len(printed.splitlines()) <= 40
    assert not re.search(r"\b(nan|None)\b", printed)


def test_two_qrels_of_the_same_grades_stay_two_judges(tmp_path: Path) -> None:
    """A hash must not identify a set."""
    sets = [graded_set("people", TRUTH, "human"), graded_set("one", TRUTH), graded_set("two", TRUTH)]
    path, study = tmp_path / "twins.zip", small_study()
    rankings = (ranking(number, TRUTH) for number in range(6))
    write_bundle(path, design=study.design, runs=study.runs, rankings=rankings, sets=sets)
    judges = _findings(["report", str(path)], tmp_path)["judges"]
    assert [(judge["name"], judge["grades"]["kappa"]) for judge in judges] == [("one", 1.0), ("two", 1.0)]


def test_report_applies_the_level_to_measures_that_name_none(files: list[str], tmp_path: Path) -> None:
    report = _findings([*files, "--level", "2", "--measure", "RR(rel=1)"], tmp_path)
    assert report["facts"]["measures"] == ["nDCG@10", "AP(rel=2)", "RR"]


def test_report_clips_grades_to_the_scale_where_asked(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--scale", "0,1"]
    assert main([*files, *words]) == 2
    assert "are not on people's scale 0, 1" in capsys.readouterr().err
    assert _findings([*files, *words, "--clip"], tmp_path)["facts"]["scale"] == [0, 1]
    assert main([*files, "--clip"]) == 2
    assert "--clip needs the scale to clip to" in capsys.readouterr().err
