"""Examples in documents show what our commands print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents.markdown import ROOT, Document, documents

NOT_RUN = "not-run"
SHIM = f"""#!{sys.executable}
import sys
from trackside.cli.main import main
sys.exit(main())
"""


def examples_of(shown: Document) -> list[str]:
    """Each command of the console blocks with its output; a block marked not-run has none."""
    blocks = [block for block in shown.blocks("console") if NOT_RUN not in block.marks]
    return [each for block in blocks for each in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]]


WITH_EXAMPLES = [each for each in documents() if examples_of(each)]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A shell's environment in which `trackside` is this working copy's."""
    shim = tmp_path / "bin" / "trackside"
    shim.parent.mkdir()
    shim.write_text(SHIM)
    shim.chmod(0o755)
    return {**os.environ, "PATH": f"{shim.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("shown", WITH_EXAMPLES, ids=str)
def test_examples_print_what_the_document_shows(
    shown: Document, environment: dict[str, str], tmp_path: Path
) -> None:
    """The blocks of a file are one session in one folder; output goes up to the next ``$``."""
    for example in examples_of(shown):
        command, output = _parted(example)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout + done.stderr == output


def test_console_blocks_begin_with_a_command() -> None:
    for shown in documents():
        for block in shown.blocks("console"):
            assert block.text.startswith("$ ")
            assert set(block.marks) <= {"console", NOT_RUN}


def _parted(example: str) -> tuple[str, str]:
    """The command, with the lines that it is fed up to END, and the output."""
    ends = r"\A[^\n]*<<END\n.*?^END\n" if "<<END" in example else r"\A[^\n]*\n"
    found = re.match(ends, example, re.DOTALL | re.MULTILINE)
    assert found
    return found[0], example[found.end() :]
