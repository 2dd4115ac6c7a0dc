import shutil
import subprocess
from pathlib import Path

import pytest

from trackside.cli.main import main


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
