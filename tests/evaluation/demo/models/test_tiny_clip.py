"""A tiny CLIP is trained unless it is stored already."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoProcessor, CLIPModel, CLIPProcessor

from evaluation.demo.drawing.pictures import draw
from evaluation.demo.models.tiny_clip import train_tiny_clip
from evaluation.demo.scenes import COLOURS, Scene
from evaluation.demo.seeds import rng_of
from tests.evaluation.demo.quiet import silent
from tests.evaluation.demo.recipes import LEAST, SHORT

pytestmark = pytest.mark.whole


class Stopped(Exception):
    """The training was interrupted."""


def test_train_tiny_clip_is_done_once(clip: Path, models: Path) -> None:
    def never(_done: int, _total: int, _text: str) -> None:
        pytest.fail("trained again")

    assert train_tiny_clip(models, 1, never, recipe=SHORT) == clip


def test_train_tiny_clip_keeps_seeds_and_recipes_apart(clip: Path, models: Path) -> None:
    kept = {
        clip,
        train_tiny_clip(models, 1, silent, recipe=LEAST),
        train_tiny_clip(models, 2, silent, recipe=LEAST),
    }
    assert len(kept) == 3


def test_train_tiny_clip_leaves_nothing_behind_when_stopped(tmp_path: Path) -> None:
    def stop(_done: int, _total: int, text: str) -> None:
        if text.startswith("training"):
            raise Stopped

    with pytest.raises(Stopped):
        train_tiny_clip(tmp_path, 1, stop, recipe=LEAST)
    assert list(tmp_path.iterdir()) == []


def test_train_tiny_clip_reports_every_step_to_its_end(tmp_path: Path) -> None:
    seen: dict[str, tuple[int, int]] = {}
    train_tiny_clip(tmp_path, 1, lambda done, total, text: seen.update({text: (done, total)}), recipe=LEAST)
    assert seen == {"drawing pictures to learn from": (16, 16), "training the tiny CLIP": (2, 2)}


def test_train_tiny_clip_gives_torch_its_threads_back(tmp_path: Path) -> None:
    before = torch.get_num_threads()
    train_tiny_clip(tmp_path, 1, silent, recipe=LEAST)
    assert torch.get_num_threads() == before


def test_tiny_clip_loads_like_any_other(clip: Path) -> None:
    processor = AutoProcessor.from_pretrained(clip)
    assert isinstance(processor, CLIPProcessor)
    picture = draw(Scene("oak", "red", "sea", "photo", None), rng_of("test"), scale=3)
    with torch.inference_mode():
        given = processor(text=["an oak"], images=[picture], return_tensors="pt", padding=True)
        output = CLIPModel.from_pretrained(clip).eval()(**given)
    assert output.logits_per_image.shape == (1, 1)


def test_tiny_clip_learns_which_caption_fits_a_picture(clip: Path) -> None:
    """Forty steps suffice to recognise colours better than by chance, which is 1 in 8."""
    model, processor = CLIPModel.from_pretrained(clip).eval(), CLIPProcessor.from_pretrained(clip)
    names = [name for name in COLOURS for _ in range(10)]
    scenes = [Scene("castle", name, "snow", "photo", None) for name in names]
    pictures = [draw(scene, rng_of("test", place), scale=1) for place, scene in enumerate(scenes)]
    texts = [f"a {name} castle in the snow" for name in COLOURS]
    with torch.inference_mode():
        given = processor(text=texts, images=pictures, return_tensors="pt", padding=True)
        best = model(**given).logits_per_image.argmax(dim=1).numpy()
    assert np.mean([list(COLOURS)[place] == name for place, name in zip(best, names, strict=True)]) > 0.25
