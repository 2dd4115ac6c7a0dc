import gzip
import io
import json
from pathlib import Path

import pytest

from trackside.cli.main import main

RUN = b"t1 Q0 a 1 2 tag\nt2 Q0 b 1 1 tag\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "run.gz").write_bytes(gzip.compress(RUN))
    (tmp_path / "topics.jsonl").write_text('{"id": "t1"}\n{"id": "t2"}\n')
    (tmp_path / "docnos.txt").write_text("a\nb\n")
    return tmp_path


def check(folder: Path, *options: str) -> int:
    return main(["check", str(folder / "run.gz"), "--topics", str(folder / "topics.jsonl"), *options])


def test_check_accepts_with_status_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(folder, "--docnos", str(folder / "docnos.txt"), "--tag", "tag") == 0
    assert capsys.readouterr().out.startswith("Accepted: ")


def test_check_rejects_with_status_1_and_a_reason(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "docnos.txt").write_text("a\nB\n")
    assert check(folder, "--docnos", str(folder / "docnos.txt")) == 1
    assert "did you mean B" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content",
    [
        b'{"docno": "a", "caption": "x y"}\n{"docno": "b"}\n',
        b'{"_id": "a"}\n{"_id": "b"}\n',
        b'[{"id": "a"}, {"id": "b"}]',
        b"id,caption\na,x y\nb,z\n",
        b"docno\na\nb\n",
        b"a,b\nc,d\n",  # docnos may have commas
        b"a x y\nb z\n",
        gzip.compress(b'{"docno": "a"}\n{"docno": "b"}\n', mtime=0),
    ],
)
def test_check_reads_documents_as_imports_do(
    folder: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "documents").write_bytes(content)
    (folder / "run.gz").write_bytes(b"t1 Q0 a,b 1 2 tag\nt2 Q0 c,d 1 1 tag\n" if b"a,b" in content else RUN)
    assert check(folder, "--docnos", str(folder / "documents")) == 0
    (folder / "run.gz").write_bytes(RUN + b"t2 Q0 other 2 0.5 tag\n")
    assert check(folder, "--docnos", str(folder / "documents")) == 1
    assert "other" in capsys.readouterr().out


def test_check_says_which_field_of_documents_has_no_known_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "documents").write_text('{"code": "a", "title": "b"}\n')
    assert check(folder, "--docnos", str(folder / "documents")) == 2
    assert "code, title. Rename the field with the docnos to id" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--tag", "other"], ["--max-bytes", "9"], ["--tag-max", "2"]])
def test_check_applies_the_given_bounds(folder: Path, option: list[str]) -> None:
    assert check(folder, *option) == 1


def test_check_prints_the_verdict_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(folder, "--format", "json")
    assert json.loads(capsys.readouterr().out)["summary"]["results"] == [["t1", 1], ["t2", 1]]


def test_check_of_no_file_is_an_error_and_no_verdict(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, topics, none = folder / "run.gz", folder / "topics.jsonl", folder / "none"
    for path, listed, says in (
        (none, topics, "no such file"),
        (folder, topics, "this is a folder"),
        (run, none, "none: no such file"),
    ):
        assert main(["check", str(path), "--topics", str(listed)]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert says in printed.err


def test_check_reads_standard_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RUN)))
    assert main(["check", "-", "--topics", str(folder / "topics.jsonl")]) == 0
    assert capsys.readouterr().out.startswith("Accepted: standard input\n")
