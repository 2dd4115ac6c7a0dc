"""A tiny CLIP learns which caption fits a picture."""

from pathlib import Path

import numpy as np
import pytest

from evaluation.demo.drawing import picture_jpeg
from evaluation.demo.models.train import whole
from evaluation.demo.models.training import END, START, make_tokenizer
from evaluation.demo.scenes import VALUES, Scene
from judges.backends.clip.encoder import ClipEncoder
from trackside.judging.judge import encode_files
from trackside.judging.settings import Settings

pytestmark = pytest.mark.whole


def test_tiny_clip_answers_through_the_sites_own_backend(clip: Path) -> None:
    """Eighty steps suffice to recognise settings better than by chance, which is 1 in 8."""
    names = list(VALUES["setting"])
    asked = Settings(backend="clip", revision=0, model=str(clip), model_revision="")
    encoder = ClipEncoder(ClipEncoder.pinned(asked))
    scenes = [Scene("castle", name, "photo", "red") for name in names for _ in range(10)]
    files = [picture_jpeg(scene, str(place)) for place, scene in enumerate(scenes)]
    texts = encoder.encode_texts([f"A castle {VALUES['setting'][name]['phrases'][0]}" for name in names])
    best = np.argmax(np.array(encode_files(encoder, files)) @ np.array(texts).T, axis=1)
    assert np.mean([names[place] == scene.setting for place, scene in zip(best, scenes, strict=True)]) > 0.25


def test_make_tokenizer_keeps_the_end_token_of_a_long_text() -> None:
    tokenizer = make_tokenizer(["Red mill, 12"], length=8, wraps=True)
    assert tokenizer.tokenize("red mill, 12") == ["▁red", "▁mill", ",", "▁", "1", "2"]
    tokens = tokenizer.convert_ids_to_tokens(tokenizer("red mill " * 9, truncation=True)["input_ids"])
    assert (len(tokens), tokens[0], tokens[-1]) == (8, START, END)


def test_whole_leaves_no_folder_of_a_training_that_is_cut_short(tmp_path: Path) -> None:
    def train(folder: Path) -> None:
        (folder / "half").touch()
        raise InterruptedError

    with pytest.raises(InterruptedError):
        whole(tmp_path / "model", train)
    assert not (tmp_path / "model").exists()
    whole(tmp_path / "model", lambda folder: (folder / "weights").touch())
    assert [path.name for path in (tmp_path / "model").iterdir()] == ["weights"]
    whole(tmp_path / "model", train)  # trained once
