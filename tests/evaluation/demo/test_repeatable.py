"""One seed gives one world, in every process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.whole


def test_seed_gives_the_same_in_every_process(clip: Path, tmp_path: Path) -> None:
    """The order of sets and hash tables differs between the two processes."""
    command = [sys.executable, "-m", "tests.evaluation.demo.fingerprint", str(clip)]
    both = [
        subprocess.Popen(
            [*command, str(tmp_path / hash_seed)],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            stdout=subprocess.PIPE,
        )
        for hash_seed in ("1", "2")
    ]
    first, second = (json.loads(process.communicate()[0]) for process in both)
    assert first.keys() == {"world", "images", "runs", "grades", "weights"}
    assert first == second
