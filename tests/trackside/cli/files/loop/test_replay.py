import json
from pathlib import Path

import pytest

from tests.trackside.cli.files.loop.loop_files import Track
from trackside.cli.main import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def track(tmp_path: Path) -> Track:
    return Track(tmp_path)


def words(track: Track, *options: str) -> list[str]:
    return [
        "replay",
        "--qrels",
        track.people,
        "-m",
        "nDCG@5",
        "--times",
        "2",
        "--batches",
        "2",
        *options,
        *track.runs,
    ]


def test_replay_prints_a_table_and_writes_json_and_figures(track: Track, capsys: Capture) -> None:
    facts, figures = track.folder / "facts.json", track.folder / "figures"
    options = [
        "--judge",
        f"model={track.judge}",
        "--budget",
        "100",
        "--json",
        str(facts),
        "--figures",
        str(figures),
    ]
    assert main(words(track, *options)) == 0
    printed = capsys.readouterr().out
    assert "graded pairs of 25 topics, 4 runs to depth 5" in printed
    for name in (
        "influence, model",
        "influence, no judge",
        "uniform",
        "depth",
        "mtf",
        "maxmean",
        "rrf",
        "mnz",
        "rbp",
    ):
        assert sum(line.startswith(f"{name} ") for line in printed.splitlines()) >= 3
    found = json.loads(facts.read_text())
    assert [row["name"] for row in found["recipes"]][:2] == ["influence, model", "influence, no judge"]
    assert {"cover", "half_width"} <= set(found["recipes"][0]["points"][0])
    assert "cover" not in found["recipes"][3]["points"][0]
    assert sorted(path.name for path in figures.iterdir()) == ["half-width.svg", "tau.svg"]
    assert (figures / "tau.svg").read_text().startswith("<svg")


def test_depth_needs_a_share_of_all_judgments(track: Track, capsys: Capture) -> None:
    assert (
        main(words(track, "--recipe", "depth", "--recipe", "uniform", "--budget", "100", "--tau", "1")) == 0
    )
    last = capsys.readouterr().out.splitlines()[-3:]
    assert last[0].split() == [
        "recipe",
        "judgments",
        "for",
        "tau",
        "1",
        "of",
        "the",
        "pairs",
        "of",
        "depth's",
    ]
    assert last[1].split()[0] == "depth"
    assert last[1].split()[-1] == "1.00"


def test_the_same_seed_prints_the_same(track: Track, capsys: Capture) -> None:
    printed = []
    for seed in ("1", "1", "2"):
        main(words(track, "--recipe", "influence", "--budget", "80", "--seed", seed))
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--recipe", "guess"], "no such recipe"),
        (["--budget", "50"], "a batch needs 30 at least"),
        (["--judge", "nothing"], "nothing"),
        (["-m", "ERR@5"], "the loop estimates"),
        (["--depth", "3"], "it needs more than the depth of 3"),
    ],
)
def test_bad_input_is_a_sentence(track: Track, options: list[str], sentence: str, capsys: Capture) -> None:
    assert main(words(track, *options)) == 2
    assert sentence in capsys.readouterr().err


def test_grades_of_other_documents_are_refused(track: Track, capsys: Capture) -> None:
    track.people = track.write("other.qrels", {("x", "y"): 1})
    assert main(words(track)) == 2
    assert "no pair of topic and document in common" in capsys.readouterr().err


def test_constant_judges_gaps_and_single_runs_are_said(track: Track, capsys: Capture) -> None:
    constant = track.write("constant", dict.fromkeys(track.grades, 1))
    gaps = track.write("gaps", {pair: grade for pair, grade in track.grades.items() if pair[1] != "d00"})
    track.runs = track.runs[:1]
    options = [
        "--judge",
        constant,
        "--judge",
        gaps,
        "--recipe",
        "influence",
        "--budget",
        "60",
        "--times",
        "1",
    ]
    assert main(words(track, *options)) == 0
    printed = capsys.readouterr().out
    assert "judge constant: every score is the same, so it tells nothing and is not used" in printed
    assert "pairs without a score, drawn without its help" in printed
    row = next(line.split() for line in printed.splitlines() if line.startswith("influence, no judge"))
    assert row[5] == "1.000"  # tau of one run
    assert row[8] == "–"  # no differences
