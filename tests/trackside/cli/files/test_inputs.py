from pathlib import Path

import pytest

from trackside.cli.files.inputs import read_qrels, read_runs
from trackside.errors import InputError

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("first.run", "second.run"):
        (tmp_path / name).write_text("t1 Q0 a 1 2 same\n")
    (tmp_path / "odd=name.run").write_text("t1 Q0 a 1 2 other\n")
    (tmp_path / "qrels").write_text("t1 0 a 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_runs_are_called_by_the_name_given_else_by_their_tag() -> None:
    runs = read_runs(["mine=first.run", "second.run", "odd=name.run"])
    assert [run.tag for run in runs] == ["mine", "same", "other"]


def test_run_with_the_tag_of_an_earlier_one_is_called_by_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert [run.tag for run in read_runs(["first.run", "second.run"])] == ["same", "second.run"]
    assert "second.run: an earlier run has the tag same; named by its file" in capsys.readouterr().err


def test_same_name_twice_is_refused_with_a_fix() -> None:
    with pytest.raises(InputError, match=r"two runs are called x. Tell them apart with NAME=second.run"):
        list(read_runs(["x=first.run", "x=second.run"]))
    with pytest.raises(InputError, match="two qrels are called x"):
        read_qrels(["x=qrels", "x=qrels"])
