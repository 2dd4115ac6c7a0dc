"""Which site and which token the commands use, and what they do if the site does not answer."""

import socket
import sys
from pathlib import Path

import pytest

from trackside.cli.main import main
from trackside.cli.remote import client
from trackside.cli.remote.login import address_of, signed_in, store_token
from trackside.errors import InputError


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TRACKSIDE_SITE", "TRACKSIDE_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(client, "PAUSES", (0,))


def test_environment_precedes_stored_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no site is known"):
        signed_in()
    store_token("https://one.example.org", "first")
    store_token("https://two.example.org", "second")
    assert signed_in() == ("https://two.example.org", "second")
    monkeypatch.setenv("TRACKSIDE_SITE", "https://one.example.org/")
    assert signed_in() == ("https://one.example.org", "first")
    monkeypatch.setenv("TRACKSIDE_TOKEN", "third")
    assert signed_in() == ("https://one.example.org", "third")
    monkeypatch.delenv("TRACKSIDE_TOKEN")
    monkeypatch.setenv("TRACKSIDE_SITE", "https://three.example.org")
    with pytest.raises(InputError, match="no token for https://three"):
        signed_in()


@pytest.mark.parametrize("words", [["login", "https://one.example.org"], ["status"]])
def test_missing_library_is_named_before_signing_in(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    assert main(words) == 2
    assert "pip install 'trackside[remote]'" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["example.org", "ftp://example.org", "https://", "https://me@example.org"])
def test_invalid_url_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        address_of(text)


def test_site_that_does_not_answer_is_tried_again_and_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACKSIDE_TOKEN", "secret")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setenv("TRACKSIDE_SITE", address)
        assert main(["status"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].endswith("again in 0 s")
    assert lines[1].startswith(f"trackside status: {address}: ")
    assert "2 times" in lines[1]


def test_task_and_file_are_checked_before_the_site_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store_token("https://one.example.org", "secret")
    assert main(["submit", str(tmp_path / "none.run"), "--task", "atomic"]) == 2
    assert "as in atomic-2026/suggestion" in capsys.readouterr().err
    (tmp_path / "answers.json").write_text("[]")
    answers = ["--task", "a/b", "--answers", str(tmp_path / "answers.json")]
    assert main(["submit", str(tmp_path / "none.run"), *answers]) == 2
    assert "not a JSON object" in capsys.readouterr().err
