import shutil
import subprocess
from pathlib import Path

import pytest

from evaluation.cli.commands import COMMANDS
from evaluation.cli.main import main


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def completed(words: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Bash's completions of the last of the given words."""
    ask = f'COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _trackside; echo "${{COMPREPLY[@]}}"'
    run = subprocess.run(
        ["bash", "-c", script("bash", capsys) + ask], capture_output=True, text=True, check=True
    )
    return run.stdout.split()


def test_bash_completes_commands_options_and_choices(capsys: pytest.CaptureFixture[str]) -> None:
    assert completed("trackside sc", capsys) == ["score"]
    assert "--max-per-topic" in completed("trackside check --max", capsys)
    assert completed("trackside score --format la", capsys) == ["latex"]


def needed(shell: str) -> str:
    """The program of a shell; without it the test is skipped."""
    if program := shutil.which(shell):
        return program
    pytest.skip(f"{shell} is not installed")


def answer_of(command: list[str]) -> str:
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


def test_fish_sources_the_script_and_completes_commands_options_and_choices(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fish = needed("fish")
    file = tmp_path / "trackside.fish"
    file.write_text(script("fish", capsys))

    def offered(words: str) -> dict[str, str]:
        text = answer_of([fish, "--no-config", "-c", f"source {file}; complete -C '{words}'"])
        return dict((line + "\t").split("\t")[:2] for line in text.splitlines())

    # A description with an apostrophe is complete, as in `trackside --help`, and hides no later command.
    assert offered("trackside ") == {name: does for name, (_, does) in COMMANDS.items()}
    assert "--max-per-topic" in offered("trackside check --max")
    assert list(offered("trackside score --format la")) == ["latex"]


def test_zsh_sources_the_script_and_completes_commands_options_and_choices(
    capsys: pytest.CaptureFixture[str],
) -> None:
    zsh = needed("zsh")
    made = script("zsh", capsys)

    def offered(*words: str) -> list[str]:
        """What zsh's own `compgen` takes from the script; zsh matches it with the word being typed."""
        set_up = (
            f"words=({' '.join(words)}); COMP_WORDS=($words); CURRENT=$#words; COMP_CWORD={len(words) - 1}"
        )
        lines = [
            "autoload -U compinit && compinit -u -D",
            made,
            set_up,
            f"compgen -F _trackside -- {words[-1]}",
        ]
        return answer_of([zsh, "-f", "-c", "\n".join(lines)]).split()

    assert set(offered("trackside", "sc")) == set(COMMANDS)
    assert "--max-per-topic" in offered("trackside", "check", "--max")
    assert "latex" in offered("trackside", "score", "--format", "la")
