import os
import pty
import re
import select
import shutil
import subprocess
from pathlib import Path

import pytest

from trackside.cli.commands import COMMANDS
from trackside.cli.main import main

PATIENCE = 20  # seconds without a sign from the shell until the test fails
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # sequences that move the cursor or change colours


@pytest.fixture
def script(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The file with the script for the shell of the test's parameter."""
    assert main(["completion", request.param]) == 0
    file = tmp_path / f"_trackside.{request.param}"
    file.write_text(capsys.readouterr().out)
    return file


def needed(shell: str) -> str:
    """The program of a shell; without it the test is skipped."""
    if program := shutil.which(shell):
        return program
    pytest.skip(f"{shell} is not installed")


def answer_of(command: list[str], folder: Path) -> list[str]:
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.splitlines()


@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash_completes_commands_options_choices_and_files(script: Path, tmp_path: Path) -> None:
    (tmp_path / "people.qrels").touch()

    def offered(*words: str) -> list[str]:
        line = (
            f"source {script}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; "
            '_shtab_trackside; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        return answer_of([needed("bash"), "-c", line], tmp_path)

    assert offered("trackside", "sc") == ["score"]
    assert "--max-per-topic" in offered("trackside", "check", "--max")
    assert offered("trackside", "score", "--format", "la") == ["latex"]
    assert offered("trackside", "score", "--qrels", "peo") == ["people.qrels"]


@pytest.mark.parametrize("script", ["fish"], indirect=True)
def test_fish_completes_commands_options_choices_and_files(script: Path, tmp_path: Path) -> None:
    (tmp_path / "people.qrels").touch()

    def offered(words: str) -> dict[str, str]:
        lines = answer_of(
            [needed("fish"), "--no-config", "-c", f"source {script}; complete -C '{words}'"], tmp_path
        )
        return dict((line + "\t").split("\t")[:2] for line in lines)

    # A description with an apostrophe is complete, as in `trackside --help`, and hides no later command.
    assert offered("trackside ") == {name: does for name, (_, does) in COMMANDS.items()}
    assert "--max-per-topic" in offered("trackside check --max")
    assert list(offered("trackside score --format la")) == ["latex"]
    assert list(offered("trackside score --qrels peo")) == ["people.qrels"]


@pytest.mark.parametrize("script", ["zsh"], indirect=True)
def test_zsh_completes_commands_options_choices_and_files(script: Path, tmp_path: Path) -> None:
    """Zsh completes in a terminal only, so words are typed into one, each with a tab."""
    (tmp_path / "people.qrels").touch()
    terminal, other_end = pty.openpty()
    env = {**os.environ, "TERM": "xterm"}
    shell = [needed("zsh"), "-f", "-i"]
    with subprocess.Popen(
        shell,
        stdin=other_end,
        stdout=other_end,
        stderr=other_end,
        cwd=tmp_path,
        env=env,
        start_new_session=True,
    ) as process:
        set_up = f'autoload -U compinit; compinit -u -D; eval "$(<{script})"; echo re""ady\n'
        try:
            type_keys(terminal, set_up, "ready")
            type_keys(terminal, "trackside sc\t", "score ")
            type_keys(terminal, "--format la\t", "latex ")
            type_keys(terminal, "--qrels peo\t", "people.qrels ")
            type_keys(terminal, "\x15trackside check --max-per\t", "--max-per-topic ")
        finally:
            process.kill()
            os.close(terminal)
            os.close(other_end)


def type_keys(terminal: int, keys: str, wanted: str) -> None:
    """Type the keys, and read until the terminal shows what is wanted."""
    os.write(terminal, keys.encode())
    shown = ""
    while wanted not in CONTROL.sub("", shown):
        assert select.select([terminal], [], [], PATIENCE)[0], shown
        shown += os.read(terminal, 4096).decode(errors="replace")
