import io
from collections.abc import Callable
from pathlib import Path

import pytest

from trackside.cli.progress import open_with_progress, with_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def stderr(monkeypatch: pytest.MonkeyPatch) -> Callable[[io.StringIO], io.StringIO]:
    """Replaces standard error by a stream, and makes all work count as slow."""

    def put(stream: io.StringIO) -> io.StringIO:
        monkeypatch.setattr("sys.stderr", stream)
        monkeypatch.setattr("trackside.cli.progress._QUIET_SECONDS", -1.0)
        monkeypatch.setattr("trackside.cli.progress._SECONDS_APART", -1.0)
        return stream

    return put


def test_with_progress_counts_on_a_terminal(stderr: Callable[[io.StringIO], io.StringIO]) -> None:
    terminal = stderr(Terminal())
    assert list(with_progress("ab", 2, "runs")) == ["a", "b"]
    assert terminal.getvalue() == "\rruns: 0 of 2\rruns: 1 of 2\rruns: 2 of 2\n"


def test_open_with_progress_shows_how_much_is_read(
    stderr: Callable[[io.StringIO], io.StringIO], tmp_path: Path
) -> None:
    terminal, path = stderr(Terminal()), tmp_path / "run"
    path.write_bytes(b"0123456789")
    with open_with_progress(str(path)) as file:
        assert not isinstance(file, str)
        assert file.read(5) + file.read() == b"0123456789"
    assert terminal.getvalue() == f"\r{path}:  50% read\r{path}: 100% read\r{path}: 100% read\n"


def test_progress_is_hidden_without_a_terminal(
    stderr: Callable[[io.StringIO], io.StringIO], tmp_path: Path
) -> None:
    log, path = stderr(io.StringIO()), tmp_path / "run"
    path.write_bytes(b"")
    with open_with_progress(str(path)) as file:
        assert not isinstance(file, str)
        assert file.read() == b""
    assert list(with_progress("ab", 2, "runs")) == ["a", "b"]
    assert log.getvalue() == ""


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("trackside.cli.progress._QUIET_SECONDS", 3600.0)
    assert list(with_progress("ab", 2, "runs")) == ["a", "b"]
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("path", ["-", "/dev/null", "none"])
def test_open_with_progress_ignores_all_but_plain_files(path: str) -> None:
    with open_with_progress(path) as source:
        assert source == path
