"""A sandbox has none of the site's secrets, and says how it ended."""

import io
import os
import signal
from pathlib import Path

import pytest

from evaluation.work.sandbox import SandboxCrashed, sandbox
from tests.evaluation.runs.checking import SOUND
from trackside.sandbox.limits import Limits


def test_sandbox_gets_nothing_of_the_site_s_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_SITE", "sentinel")
    with sandbox("check", io.BytesIO(SOUND), limits=Limits(256_000_000, 60, 60.0)) as running:
        environment = Path(f"/proc/{running.process_id}/environ").read_bytes()
    assert b"sentinel" not in environment


def test_killed_sandbox_is_distinguished_from_one_that_reached_a_limit() -> None:
    values = {"max_per_topic": 9, "tag_max": 9, "seed": 1}
    limits = Limits(256_000_000, 60, 60.0)
    with sandbox("check", io.BytesIO(SOUND), limits=limits, values=values, content=b'["T1"]') as running:
        messages = running.messages()
        assert next(messages).kind == "unknown"  # it waits for the reply
        os.kill(running.process_id, signal.SIGKILL)
        with pytest.raises(SandboxCrashed, match="exit code -9"):
            next(messages)
