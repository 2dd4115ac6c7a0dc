"""The examples of README: what they print is what our commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.ROOT)
SHIM = f"""#!{sys.executable}
import sys
from evaluation.cli.main import main
sys.exit(main())
"""


def test_examples_print_what_readme_shows(tmp_path: Path) -> None:
    """The blocks are one session in one folder; a command's output goes to where the next ``$`` stands."""
    shim = tmp_path / "bin" / "trackside"
    shim.parent.mkdir()
    shim.write_text(SHIM)
    shim.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{shim.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    examples = [each for block in blocks for each in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    assert len(examples) > 8
    for example in examples:
        command, shown = _parted(example)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout + done.stderr == shown


def _parted(example: str) -> tuple[str, str]:
    """The command, with the lines that it is fed up to END, and the output."""
    ends = r"\A[^\n]*<<END\n.*?^END\n" if "<<END" in example else r"\A[^\n]*\n"
    found = re.match(ends, example, re.DOTALL | re.MULTILINE)
    assert found
    return found[0], example[found.end() :]
