from pathlib import Path

import pytest

from trackside.cli.main import main
from trackside.files import Rankings

GOOD = "1 Q0 a 1 9 good\n1 Q0 b 2 8 good\n1 Q0 c 3 7 good\n"
BAD = "1 Q0 c 1 9 bad\n1 Q0 b 2 8 bad\n1 Q0 a 3 0 bad\n"


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    (tmp_path / "good.run").write_text(GOOD)
    (tmp_path / "bad.run").write_text(BAD)
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 c 0\n")
    return [str(tmp_path / "good.run"), str(tmp_path / "bad.run")]


def fused(capsys: pytest.CaptureFixture[str]) -> Rankings:
    return Rankings.from_file(capsys.readouterr().out.encode())


def test_fuse_writes_a_run_by_reciprocal_ranks(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuse", "--k", "0", "--tag", "both", *runs]) == 0
    run = fused(capsys)
    assert run.tag == "both"
    # a and c get 1 + 1/3, b 1/2 + 1/2; equal scores are ordered by docno, descending.
    assert list(run["1"]) == ["c", "a", "b"]
    assert list(run["1"].values()) == pytest.approx([4 / 3, 4 / 3, 1.0])


def test_fuse_keeps_every_digit_and_cuts_at_the_depth(
    runs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fuse", "--depth", "2", *runs]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[3] for line in lines] == ["1", "2"]
    assert float(lines[0].split()[4]) == 1 / 61 + 1 / 63


def test_fuse_weighs_runs(runs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuse", "--method", "wsum", "--weights", "0.9,0.1", *runs]) == 0
    assert fused(capsys).to_dict()["1"] == pytest.approx({"a": 0.9, "b": 0.45 + 0.8 / 9, "c": 0.1})


def test_fuse_tunes_its_weights_on_validation_qrels(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fuse", "--method", "wsum", "--tune", "RR", "--qrels", str(tmp_path / "qrels"), *runs]) == 0
    printed = capsys.readouterr()
    # a comes first from a weight of 0.6 on: 0.6 against 0.3 + 0.4 * 8 / 9 = 0.656 is second, 0.7 is first.
    assert "weights: good 0.7, bad 0.3; RR 1.0000" in printed.err
    assert Rankings.from_file(printed.out.encode()).top(1)["1"][0] == "a"


@pytest.mark.parametrize(("relevant", "k"), [("x", 0), ("y", 5)])
def test_fuse_tunes_the_constant_of_reciprocal_ranks(
    relevant: str, k: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ranks 1 and 9 (x) are better than 3 and 3 (y) up to a constant of 2, and worse from 5 on."""
    paths = [tmp_path / "one.run", tmp_path / "two.run"]
    for path, order in zip(paths, ("xaybcdefg", "hiyjklmnx"), strict=True):
        path.write_text(
            "".join(f"1 Q0 {each} {rank} {20 - rank} {path.stem}\n" for rank, each in enumerate(order))
        )
    qrels = tmp_path / "tune.qrels"
    qrels.write_text(f"1 0 {relevant} 1\n")
    assert main(["fuse", "--tune", "RR", "--qrels", str(qrels), *map(str, paths)]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith(f"k: {k}; RR 1.0000")
    assert Rankings.from_file(printed.out.encode()).top(1)["1"][0] == relevant
    assert main(["fuse", "--tune", "RR", *map(str, paths)]) == 2
    assert "add --qrels FILE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--weights", "0.5,0.5"], "--weights needs --method wsum"),
        (["--method", "wsum"], "either --weights W,W,… or --tune"),
        (["--method", "wsum", "--weights", "a,b"], "write numbers separated by commas"),
        (["--method", "wsum", "--weights", "1,2,3"], "3 weights for 2 runs"),
        (["--method", "wsum", "--tune", "RR"], "add --qrels FILE"),
        (["--method", "wsum", "--weights", "nan,1"], "give finite weights"),
        (["--method", "wsum", "--weights", "0,0"], "not all of them 0"),
        (["--tag", "two words"], "--tag 'two words': write letters"),
        (["--tag", ".hidden"], "not starting with a full stop"),
    ],
)
def test_fuse_names_what_is_wrong_with_its_options(
    runs: list[str], options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fuse", *options, *runs]) == 2
    assert words in capsys.readouterr().err
