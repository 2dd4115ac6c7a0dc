"""What `trackside report` refuses, with the reason, and the forms of files that it reads."""

import gzip
import zipfile
from pathlib import Path

import pytest

from trackside.cli.main import main


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name --runs and --reference"),
        (["no.zip"], "not a readable zip"),
        (["--section", "poetry"], "The report has no section poetry. Choose one of: "),
        (["--section", "poetry", "--format", "csv"], "The report has no section poetry. Choose one of: "),
        (["--family", "poetry"], "The report has no family poetry. Choose one of: CLIP, text."),
        (["--measure", "GMAP"], "GMAP: a report compares means over topics"),
        (["--pdf"], "--pdf writes files: name a folder with --out too"),
        (["--out", "there", "--section", "bias"], "--section prints, and --out writes every section"),
        (["--out", "there", "--all"], "--all prints, and --out writes every section"),
        (["--margin", "kappa"], "kappa: write NAME=kappa"),
        (["--margin", "kappa=x"], "--margin kappa=x: give a number"),
        (["--margin", "kappa=-1"], "margin kappa=-1.0: give a number from 0 up"),
        (["--margin", "poetry=1"], "margin poetry: there is none. Choose one of order, "),
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


@pytest.mark.parametrize(
    "words",
    [
        ["--measure", "AP"], ["--level", "1"], ["--scale", "0,1"], ["--seed", "0"], ["--resamples", "50"],
        ["--topics", "t"], ["--strata", "page=s"], ["--about", "a"], ["--raw-scores", "clip=s"],
        ["--runs", "r"], ["--qrels", "q"], ["--margin", "kappa=0.1"],
    ],
)  # fmt: skip
def test_report_of_a_bundle_refuses_options_that_the_bundle_sets(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", "bundle.zip", *words]) == 2
    assert f"{words[0]}: a bundle contains runs, qrels and the report's settings" in capsys.readouterr().err


def test_every_file_may_be_packed(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(files) == 0
    plain = capsys.readouterr().out
    for name in ("about.csv", "scores.tsv"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    assert main([word + ".gz" if word.endswith((".csv", ".tsv")) else word for word in files]) == 0
    assert capsys.readouterr().out == plain


def test_report_reads_a_list_of_runs_that_a_spreadsheet_wrote(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    about = tmp_path / "about.csv"
    about.write_bytes(b"\xef\xbb\xbf" + about.read_bytes())
    assert main(files) == 0
    assert "6 runs of 3 teams" in capsys.readouterr().out
