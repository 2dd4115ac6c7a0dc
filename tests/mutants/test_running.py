"""The tests that mutants run are collected without the plugins that the tool leaves out."""

import subprocess
import sys

import pytest

from tests.mutants.running import SITE
from tests.mutants.targets import ROOT

pytestmark = pytest.mark.whole


def test_every_quick_test_is_collected_without_xdist() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", *SITE, "-m", "not whole and not long"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-2000:]
