"""A backend that does not wait long, and tiny models."""

import pytest

from tests.judges.conftest import tiny_clip, tiny_llava
from trackside.backends.openai_chat import OpenAIChat

__all__ = ["hasty", "tiny_clip", "tiny_llava"]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits between tries."""
    monkeypatch.setattr(OpenAIChat, "first_wait", 0.01)
    monkeypatch.setattr("trackside.judging.endpoints.breaker.LONGEST_BACKOFF", 0.05)
