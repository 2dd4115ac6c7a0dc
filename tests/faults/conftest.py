import pytest


@pytest.fixture(autouse=True)
def canaries(monkeypatch: pytest.MonkeyPatch) -> None:
    """No canaries in jobs: these tests count pairs, requests and vectors."""
    monkeypatch.setattr("judges.jobs.canaries.CANARIES", ())
