"""Unit tests of the judging screen's scripts, in Node.js."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SCRIPTS = Path(__file__).parents[3] / "assessment" / "static" / "assessment"
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="needs Node.js: sudo apt-get install nodejs")
@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, marks=pytest.mark.whole) if file.name == "two_clients.test.js" else file
        for file in sorted(HERE.glob("*.test.js"))
    ],
    ids=lambda file: file.name,
)
def test_scripts(file: Path, tmp_path: Path) -> None:
    shutil.copytree(SCRIPTS, tmp_path, dirs_exist_ok=True)
    shutil.copy(file, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')  # as browsers load them
    assert NODE
    ended = subprocess.run(
        [NODE, "--test", file.name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout
