import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from evaluation.models import TaskKind
from judges.backends.clip.encoder import ClipEncoder
from judges.registry import BACKENDS, encoder_class, loaded_encoder
from tests.judges.counting_encoder import CountingEncoder
from tests.judges.pictures import file_of, picture, pinned
from tests.refusals import refused
from trackside.judging.inputs import Gap
from trackside.judging.judge import Encoder, encode_files
from trackside.judging.settings import Settings

SETTINGS = Settings(backend="loads", revision=1, model="m", model_revision="1")


class LoadCounter(CountingEncoder):
    loads: ClassVar[list[Settings]] = []

    def __init__(self, settings: Settings) -> None:
        self.loads.append(settings)


def test_registry_finds_clip() -> None:
    assert encoder_class("clip") is ClipEncoder


def test_registry_lists_its_backends_if_a_name_is_unknown() -> None:
    with refused("backend-unknown", match=r'no backend "umbrela".*clip'):
        encoder_class("umbrela")


@pytest.mark.parametrize("backend", list(BACKENDS))
def test_registered_backends_name_task_kinds_that_exist(backend: str) -> None:
    assert encoder_class(backend).task_kinds <= set(TaskKind)


@pytest.mark.parametrize("module", ["llava", "clip.encoder"])
def test_modules_of_models_import_neither_torch_nor_transformers(module: str) -> None:
    code = f"import sys, judges.backends.{module}; print(*{{'torch', 'transformers'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_loaded_encoder_is_kept_until_another_one_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "loads", "tests.judges.test_registry:LoadCounter")
    monkeypatch.setattr(LoadCounter, "loads", [])

    first = loaded_encoder(SETTINGS)
    assert loaded_encoder(replace(SETTINGS, prompt="another prompt")) is first
    other = loaded_encoder(replace(SETTINGS, model="another model"))
    again = loaded_encoder(SETTINGS)

    assert other is not first
    assert again is not first
    assert [settings.model for settings in LoadCounter.loads] == ["m", "another model", "m"]


def encoders(tiny_clip: Path) -> list[Encoder]:
    return [ClipEncoder(pinned(tiny_clip)), CountingEncoder(SETTINGS)]


def test_fake_encoder_keeps_the_protocol_as_clip_does(tiny_clip: Path) -> None:
    for encoder in encoders(tiny_clip):
        texts = encoder.encode_texts(["a red barn", "a lighthouse", "a red barn"])
        image, gap = encode_files(encoder, [file_of(picture(1)), b"broken"])

        assert [vector.dtype for vector in texts] == [np.float32] * 3
        assert [np.linalg.norm(vector) for vector in texts] == pytest.approx([1, 1, 1], abs=1e-5)
        np.testing.assert_allclose(texts[0], texts[2], atol=1e-6)
        assert not np.allclose(texts[0], texts[1], atol=1e-3)
        assert not isinstance(image, Gap)
        assert image.shape == texts[0].shape
        assert gap is Gap.IMAGE_UNREADABLE
        assert encoder.raw_scores(np.array([0.5], np.float32)).dtype == np.float64
