import json
from pathlib import Path

import pytest

from tests.trackside.cli.files.loop.loop_files import Track
from trackside.cli.main import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def track(tmp_path: Path) -> Track:
    """A plan with two graded batches."""
    track = Track(tmp_path)
    main(track.new)
    main(["plan", "next", track.plan])
    main(["plan", "next", track.plan, "--qrels", track.graded(1)])
    track.graded(1, 2)
    return track


def test_everything_is_in_the_json(track: Track, capsys: Capture) -> None:
    capsys.readouterr()
    assert (
        main(["estimate", track.plan, "--qrels", str(track.folder / "graded.qrels"), "--format", "json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["graded"], found["look"], found["left"], found["stop"]) == (80, 1, 40, False)
    (measure,) = found["measures"]
    assert measure["runs"] == ["run0", "run1", "run2", "run3"]
    assert len(measure["covariance"]) == len(measure["above"]) == 4
    assert sum(measure["weights"]) == pytest.approx(1.0)
    assert len(found["calibration"]) == 2
    assert found["calibration"][0]["bins"]


def test_calibration_is_printed_by_grade(track: Track, capsys: Capture) -> None:
    capsys.readouterr()
    main(["estimate", track.plan, "--qrels", str(track.folder / "graded.qrels"), "--calibration"])
    printed = capsys.readouterr().out
    assert "chance of grade 1 or more: ECE 0." in printed
    assert "chance of grade 2 or more: ECE 0." in printed
    assert ["predicted", "observed", "low", "high", "pairs"] in [
        line.split() for line in printed.splitlines()
    ]


def test_hybrid_qrels_are_scored_with_the_flag_alone(track: Track, capsys: Capture) -> None:
    hybrid = str(track.folder / "hybrid.qrels")
    assert (
        main(["estimate", track.plan, "--qrels", str(track.folder / "graded.qrels"), "--hybrid", hybrid]) == 0
    )
    capsys.readouterr()
    for option in ("--qrels", "--prels"):
        assert main(["score", option, hybrid, *track.runs]) == 2
        assert "hybrid qrels, which hold a model's chances" in capsys.readouterr().err
    assert main(["score", "--hybrid", hybrid, "-m", "nDCG@5", *track.runs]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "80 graded by people" in lines[0]
    assert lines[1].split()[:3] == ["run", "nDCG@5", "corrected"]
    assert "Expected values, not people's." in lines[-1]
    assert main(["score", "--hybrid", hybrid, "-m", "nDCG@5", "--format", "json", *track.runs]) == 0
    values = json.loads(capsys.readouterr().out)["values"]
    assert {value["tag"] for value in values} == {"run0", "run1", "run2", "run3"}


def test_hybrid_files_of_other_kinds_are_refused(track: Track, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["score", "--hybrid", track.people, *track.runs]) == 2
    assert "no hybrid qrels" in capsys.readouterr().err
    broken = track.folder / "broken"
    broken.write_text("hybrid-qrels 1 2 x\nt00\td00\tpeople\n")
    assert main(["score", "--hybrid", str(broken), *track.runs]) == 2
    assert "Write the file again" in capsys.readouterr().err
    assert main(["score", "--hybrid", str(broken), "--qrels", track.people, *track.runs]) == 2
    assert "do not mix" in capsys.readouterr().err


def test_differences_alone_are_printed_of_reciprocal_rank(tmp_path: Path, capsys: Capture) -> None:
    track = Track(tmp_path)
    main(
        ["plan", "new", track.plan, "-m", "RR", "--depth", "5", "--highest", "2", "--size", "60", *track.runs]
    )
    main(["plan", "next", track.plan])
    capsys.readouterr()
    assert main(["estimate", track.plan, "--qrels", track.graded(1)]) == 0
    lines = capsys.readouterr().out.splitlines()
    head = next(line for line in lines if line.startswith("run "))
    assert head.split()[:5] == ["run", "RR", "less", "the", "first"]
    assert lines[lines.index(head) + 1].split()[1:3] == ["0.0000", "0.0000"]


def test_recipes_without_chances_say_that_they_have_no_interval(tmp_path: Path, capsys: Capture) -> None:
    track = Track(tmp_path)
    main([*track.new[:3], "--recipe", "mtf", *track.new[3:]])
    main(["plan", "next", track.plan])
    capsys.readouterr()
    assert main(["estimate", track.plan, "--qrels", track.graded(1)]) == 0
    assert "No intervals: mtf draws without chances." in capsys.readouterr().out
    assert main(["estimate", track.plan, "--qrels", track.graded(1), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["measures"][0]["covariance"][0][0] is None


def test_a_run_of_the_plan_is_no_new_run(track: Track, capsys: Capture) -> None:
    capsys.readouterr()
    assert main(["estimate", track.plan, "--qrels", track.people, "--new-run", track.runs[0]]) == 2
    assert "a run of the plan has that tag" in capsys.readouterr().err
