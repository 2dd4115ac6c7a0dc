import shutil
import subprocess

import pytest

from evaluation.cli.main import main


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def completed(words: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What bash offers after the given words, of which the last is being typed."""
    ask = f'COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _trackside; echo "${{COMPREPLY[@]}}"'
    run = subprocess.run(
        ["bash", "-c", script("bash", capsys) + ask], capture_output=True, text=True, check=True
    )
    return run.stdout.split()


def test_bash_completes_commands_options_and_choices(capsys: pytest.CaptureFixture[str]) -> None:
    assert completed("trackside sc", capsys) == ["score"]
    assert "--max-per-topic" in completed("trackside check --max", capsys)
    assert completed("trackside score --format la", capsys) == ["latex"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_they_can_read(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(shell, capsys)
    assert "trackside" in text
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True)
