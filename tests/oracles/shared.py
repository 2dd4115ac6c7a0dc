"""Where the shared cases are. They stay outside the project, so tests on them skip plainly without them."""

import os
from pathlib import Path

import pytest


def shared_folder(*parts: str) -> Path:
    """A folder below TRACKSIDE_CASES; skips the test when that is not set or has no such folder."""
    root = os.environ.get("TRACKSIDE_CASES")
    if not root:
        pytest.skip("TRACKSIDE_CASES is not set: the shared cases are not here")
    folder = Path(root).joinpath(*parts)
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here")
    return folder


def real_runs() -> Path:
    """Real runs and qrels, with what trec_eval 10.0 prints for them."""
    return shared_folder("real")
