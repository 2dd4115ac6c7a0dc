"""One seed gives one world, in every process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def fingerprints(clip: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The results of two processes from one seed; the order of their sets and hash tables differs."""
    command = [sys.executable, "-m", "tests.evaluation.demo.fingerprint", str(clip)]
    both = [
        subprocess.Popen(
            [*command, str(tmp_path_factory.mktemp("elsewhere"))],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            stdout=subprocess.PIPE,
        )
        for hash_seed in ("1", "2")
    ]
    return [json.loads(process.communicate()[0]) for process in both]


@pytest.mark.parametrize("what", ["world", "images", "runs", "grades", "weights"])
def test_seed_gives_the_same_in_every_process(what: str, fingerprints: list[dict[str, str]]) -> None:
    first, second = fingerprints
    assert first[what] == second[what]
