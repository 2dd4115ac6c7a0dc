from pathlib import Path

import pytest

from evaluation.models import Task, User
from tests.factories import make_organizer, make_staff, make_task
from tests.judges.factories import ScriptedGenerator


@pytest.fixture
def task() -> Task:
    return make_task()


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


@pytest.fixture
def staff() -> User:
    return make_staff()


@pytest.fixture(scope="session")
def tiny_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a CLIP with random weights."""
    from tests.judges.tiny_clip import save_tiny_clip  # imports torch, as the next one does

    return save_tiny_clip(tmp_path_factory.mktemp("models") / "tiny-clip")


@pytest.fixture(scope="session")
def tiny_llava(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a LLaVA that answers "Relevance: 42" to everything."""
    from tests.judges.tiny_llava import save_tiny_llava

    return save_tiny_llava(tmp_path_factory.mktemp("models") / "tiny-llava", answer="Relevance: 42")


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Register the backend ``counting``; return the list of texts and images that it receives."""
    from tests.judges.counting_encoder import CountingEncoder
    from trackside.backends.registry import BACKENDS

    monkeypatch.setitem(BACKENDS, "counting", "tests.judges.counting_encoder:CountingEncoder")
    monkeypatch.setattr(CountingEncoder, "seen", [])
    return CountingEncoder.seen


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> type[ScriptedGenerator]:
    """Register the backend ``scripted``, which answers everything and has no requests yet."""
    from tests.judges.factories import ScriptedGenerator, scripted_response
    from trackside.backends.registry import BACKENDS

    monkeypatch.setitem(BACKENDS, "scripted", "tests.judges.factories:ScriptedGenerator")
    monkeypatch.setattr(ScriptedGenerator, "asked", [])
    monkeypatch.setattr(ScriptedGenerator, "before", [])
    monkeypatch.setattr(ScriptedGenerator, "script", staticmethod(scripted_response), raising=False)
    return ScriptedGenerator


@pytest.fixture(autouse=True)
def canaries(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """No canaries in jobs: tests count a judge's inputs. ``with_canaries`` keeps canaries."""
    if "with_canaries" not in request.fixturenames:
        monkeypatch.setattr("judges.jobs.canaries.CANARIES", ())
        monkeypatch.setattr("judges.jobs.estimates.CANARIES", ())


@pytest.fixture
def with_canaries() -> None:
    """Jobs have their canaries."""


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Messages (task name, id), recorded at once instead of sent to a queue after the commit."""
    from celery import Celery
    from django.db import transaction

    sent: list[tuple[str, int]] = []
    monkeypatch.setattr(transaction, "on_commit", lambda send, robust: send())
    monkeypatch.setattr(Celery, "send_task", lambda _, name, args: sent.append((name, *args)))
    return sent
