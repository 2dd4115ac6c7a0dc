from pathlib import Path

import pytest

from judges.backends.clip.encoder import ClipEncoder
from judges.catalogue.actions import create_judge
from tests.factories import make_staff
from tests.judges.counting_encoder import CountingEncoder
from tests.judges.factories import make_judge
from tests.refusals import refused
from trackside.judging.checkpoint import folder_sha256
from trackside.judging.settings import Settings

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


@pytest.mark.whole
def test_create_judge_fixes_the_revisions_of_backend_and_model(tiny_clip: Path) -> None:
    settings = Settings(backend="clip", revision=0, model=str(tiny_clip), model_revision="")

    judge = create_judge(name="clip-s", settings=settings, by=make_staff())

    assert judge.revision == ClipEncoder.revision
    assert judge.model_revision == folder_sha256(tiny_clip)
    assert judge.identity_sha256 == judge.settings.identity_sha256 != settings.identity_sha256
    assert judge.task_kinds == ["image-to-text", "text-to-image"]


def test_create_judge_refuses_equal_settings() -> None:
    judge = make_judge(model="the-model")

    with refused("judge-exists", match=judge.name):
        make_judge(name=judge.name)
    with refused("judge-exists", match=judge.name):
        make_judge(name="another-name", model="the-model")


def test_create_judge_accepts_some_of_the_backends_task_kinds_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CountingEncoder, "task_kinds", {"text-to-image", "image-to-text"})
    assert make_judge(task_kinds=["text-to-image"]).task_kinds == ["text-to-image"]
    with refused("task-kind-refused"):
        make_judge(task_kinds=["text-to-text"])


def test_create_judge_needs_a_backend_that_exists() -> None:
    with refused("backend-unknown"):
        make_judge(backend="umbrela")
