import json
from pathlib import Path

import pytest

from trackside.cli.main import main

NORTH = "1 Q0 a 1 9 north\n1 Q0 b 2 8 north\n1 Q0 c 3 7 north\n2 Q0 u 1 5 north\n"
SOUTH = "1 Q0 b 1 9 south\n1 Q0 d 2 8 south\n"


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    (tmp_path / "north.run").write_text(NORTH)
    (tmp_path / "south.run").write_text(SOUTH)
    return [str(tmp_path / "north.run"), str(tmp_path / "south.run")]


def test_pool_prints_sizes_overlap_and_what_is_unique(
    runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    # Topic 1: a b, b d; topic 2: u. Four items of five places.
    assert main(["pool", "--depth", "2", *runs]) == 0
    printed = capsys.readouterr().out
    assert "4 items on 2 topics" in printed
    assert "per topic: least 1, median 2, most 3" in printed
    assert "5 contributed results, 20.0 % of them add no item" in printed
    lines = [line.split() for line in printed.splitlines()]
    assert ["north", "north", "2", "3", "2"] in lines
    assert ["south", "south", "2", "2", "1"] in lines


def test_pool_takes_a_depth_for_each_run_and_teams(
    runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--depth", "1", "--depth", "north=3", "--team", "north=Poles", "--team", "south=Poles"]
    assert main(["pool", *arguments, "--format", "json", *runs]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["topics"] == {"1": 3, "2": 1}
    assert found["runs"]["north"] == {"team": "Poles", "depth": 3, "contributed": 4, "unique": 3}
    # b is unique to the team, though both of its runs gave it.
    assert found["teams"] == {"Poles": {"unique": 4}}


def test_pool_writes_its_items_in_an_order_of_the_seed(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = []
    for seed in ("1", "1", "2", "3", "4"):
        out = tmp_path / f"pool{seed}"
        assert (
            main(["pool", "--depth", "3", "--seed", seed, "--out", str(out), "--format", "tsv", *runs]) == 0
        )
        written.append(out.read_text())
    assert written[0] == written[1]
    assert len(set(written)) > 1
    assert sorted(written[0].splitlines()) == ["1\ta", "1\tb", "1\tc", "1\td", "2\tu"]
    assert capsys.readouterr().out.splitlines()[:3] == ["topic\titems", "1\t4", "2\t1"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--depth", "north=2"], "no depth for south"),
        (["--depth", "2", "--depth", "west=3"], "--depth: no run has the tag west; there are north, south"),
        (["--depth", "deep"], "the depth is a whole number"),
        (["--depth", "2", "--team", "west=W"], "--team: no run has the tag west"),
    ],
)
def test_pool_names_what_is_wrong_with_its_options(
    runs: list[str], options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pool", *options, *runs]) == 2
    assert words in capsys.readouterr().err


def test_pool_reports_that_its_file_cannot_be_written(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pool", "--depth", "2", "--out", str(tmp_path / "none" / "pool"), *runs]) == 2
    assert "No such file or directory. Name another file." in capsys.readouterr().err
