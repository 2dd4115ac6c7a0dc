"""A backend that does not wait long."""

import pytest

from judges.backends.openai_chat import OpenAIChat


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits between tries."""
    monkeypatch.setattr(OpenAIChat, "first_wait", 0.01)
    monkeypatch.setattr("trackside.judging.endpoints.breaker.LONGEST_BACKOFF", 0.05)
