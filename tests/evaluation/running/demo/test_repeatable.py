"""One seed gives one world, in every process."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.whole


def test_seed_gives_the_same_in_every_process() -> None:
    """The order of sets and hash tables differs between the two processes."""
    command = [sys.executable, "-m", "tests.evaluation.running.demo.fingerprint"]
    both = [
        subprocess.Popen(
            command,
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            stdout=subprocess.PIPE,
        )
        for hash_seed in ("1", "2")
    ]
    first, second = (json.loads(process.communicate()[0]) for process in both)
    assert first.keys() == {"world", "images", "runs", "grades"}
    assert first == second
