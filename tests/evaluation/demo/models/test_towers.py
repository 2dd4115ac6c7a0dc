"""Dense encoding of long texts."""

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import CLIPModel, CLIPProcessor

from evaluation.demo.models.towers import LongText, Towers, Windows

pytestmark = pytest.mark.whole

LONG = "The windmill in the meadow is red, and visitors often remark on it. " * 12


@pytest.fixture(scope="module")
def towers(clip: Path) -> Towers:
    return Towers(clip)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("first window", [1.0, 0.6]),
        ("best window", [1.0, 0.6]),
        ("mean of windows", [0.5**0.5, 0.6]),
    ],
)
def test_cosines_follow_the_policy(policy: LongText, expected: list[float]) -> None:
    """Text 0 has windows (1, 0) and (0, 1), whose mean is (.71, .71); text 1 has (.6, .8)."""
    windows = Windows(np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]), np.array([0, 0, 1]))
    assert windows.cosines(np.array([[1.0, 0.0]]), policy)[:, 0] == pytest.approx(expected)


def test_best_window_may_be_a_later_one() -> None:
    windows = Windows(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0, 0]))
    picture = np.array([[0.0, 1.0]])
    assert windows.cosines(picture, "best window").tolist() == [[1.0]]
    assert windows.cosines(picture, "first window").tolist() == [[0.0]]


def test_texts_are_cut_into_windows(towers: Towers) -> None:
    windows = towers.texts(["a mill", LONG])
    assert windows.text_of.tolist()[:2] == [0, 1]
    assert windows.text_of.tolist().count(1) > 1
    assert np.linalg.norm(windows.vectors, axis=1) == pytest.approx(1)


def test_first_window_is_what_a_plain_loop_encodes(towers: Towers, clip: Path) -> None:
    model, processor = CLIPModel.from_pretrained(clip).eval(), CLIPProcessor.from_pretrained(clip)
    tokens = processor.tokenizer([LONG], truncation=True, max_length=77, return_tensors="pt")
    with torch.inference_mode():
        vector = model.get_text_features(**tokens).pooler_output[0].numpy()
    found = towers.texts([LONG]).vectors[0]
    assert found == pytest.approx(vector / np.linalg.norm(vector), abs=1e-5)


def test_pictures_are_encoded_in_order(towers: Towers, images: dict[str, bytes]) -> None:
    """More than a batch, and each as if it were alone."""
    files = list(images.values())[:70]
    vectors = towers.pictures(files)
    assert vectors.shape[0] == 70
    assert vectors[69] == pytest.approx(towers.pictures([files[69]])[0], abs=1e-5)
