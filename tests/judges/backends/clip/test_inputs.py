"""How CLIP gets its inputs: scaled pictures, texts of one length together, and half precision."""

import weakref
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from PIL import Image

from judges.backends.clip.device import Device
from judges.backends.clip.encoder import ClipEncoder
from tests.judges.pictures import encoded, file_of, picture, pinned
from trackside.images import opened_for_model
from trackside.judging.inputs import Gap

pytestmark = pytest.mark.whole

TEXTS = ["a red barn", "A photo depicts a lighthouse", "the lighthouse stands by the sea " * 40]


@pytest.fixture(scope="module")
def encoder(tiny_clip: Path) -> ClipEncoder:
    return ClipEncoder(pinned(tiny_clip))


def test_clip_pads_texts_of_one_length_together(
    encoder: ClipEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Start and end token, and a token for each letter: 3, 16, 17 and 77 places.
    texts = ["q", "q " * 14, "q " * 15, "q " * 90]
    lengths = []
    encode = encoder._model.get_text_features

    def counted(**tensors: torch.Tensor) -> object:
        lengths.append(tensors["input_ids"].shape[1])
        return encode(**tensors)

    monkeypatch.setattr(encoder._model, "get_text_features", counted)
    vectors = encoder.encode_texts(texts * 2)

    assert sorted(lengths) == [16, 32, 77]
    monkeypatch.setattr(encoder, "_is_read_from_left", False)  # all at 77 places, as SigLIP needs it
    np.testing.assert_allclose(vectors, encoder.encode_texts(texts * 2), atol=1e-6)
    assert lengths[3:] == [77]


def test_clip_prepares_images_one_by_one_as_if_together(encoder: ClipEncoder) -> None:
    pictures = [
        picture(seed, size)
        for seed, size in enumerate([(80, 60), (300, 500), (64, 64), (9, 70), (1023, 767)])
    ]

    prepared = [encoder.prepare_image(file_of(each)) for each in pictures]

    together = encoder._processor(pictures, return_tensors="pt")["pixel_values"]
    assert encoder._scaling.normalized(torch.cat(cast("list[torch.Tensor]", prepared))).equal(together)


def test_clip_holds_one_decoded_picture_at_a_time(
    encoder: ClipEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures: list[weakref.ref[Image.Image]] = []
    counts = []

    def counted(content: bytes, *, least_side: int) -> Image.Image:
        counts.append(sum(each() is not None for each in pictures))
        found = opened_for_model(content, least_side=least_side)
        pictures.append(weakref.ref(found))
        return found

    monkeypatch.setattr("judges.backends.clip.encoder.opened_for_model", counted)
    for seed in range(5):
        encoder.prepare_image(file_of(picture(seed)))

    assert counts == [0] * 5


def test_clip_drafts_a_large_photograph_close_to_the_whole(encoder: ClipEncoder) -> None:
    # Smooth, as photographs are: a drawn gradient with a disc. 512 px are read at 1/8, the model's 64 px.
    across = np.linspace(0, 255, 512, dtype=np.uint8)
    pixels = np.stack([np.tile(across, (512, 1)), np.tile(across, (512, 1)).T, np.full((512, 512), 90)], -1)
    photograph = Image.fromarray(pixels.astype(np.uint8))
    content = file_of(photograph, "JPEG", quality=95)

    (whole,), (draft,) = encoded(encoder, [content]), encoded(encoder, [content], is_draft=True)

    assert not isinstance(whole, Gap)
    assert not isinstance(draft, Gap)
    assert 0.99 < np.dot(whole, draft) < 1


def test_clip_leaves_a_small_photograph_and_a_png_unscaled(encoder: ClipEncoder) -> None:
    for content in (file_of(picture(3, (100, 100)), "JPEG"), file_of(picture(3, (600, 600)))):
        (whole,), (draft,) = encoded(encoder, [content]), encoded(encoder, [content], is_draft=True)
        np.testing.assert_array_equal(whole, draft)


@pytest.mark.parametrize(("dtype", "most"), [("bfloat16", 0.02), ("float16", 0.003)])
def test_clip_in_half_precision_stays_within_the_stated_cosines(
    tiny_clip: Path, encoder: ClipEncoder, monkeypatch: pytest.MonkeyPatch, dtype: str, most: float
) -> None:
    monkeypatch.setattr(Device, "dtype", lambda *_: getattr(torch, dtype))
    half = ClipEncoder(pinned(tiny_clip, dtype="half"))
    images = [file_of(picture(seed)) for seed in range(8)]

    cosines = [
        np.stack(each.encode_texts(TEXTS)) @ np.stack(encoded(each, images)).T for each in (encoder, half)
    ]

    assert half._model.dtype is getattr(torch, dtype)
    assert 0 < np.abs(cosines[0] - cosines[1]).max() < most


def test_clip_gives_unit_vectors_in_bfloat16(tiny_clip: Path) -> None:
    encoder = ClipEncoder(pinned(tiny_clip, dtype="bfloat16"))

    (text,), (image,) = encoder.encode_texts(["a red barn"]), encoded(encoder, [file_of(picture(1))])

    assert [np.linalg.norm(text), np.linalg.norm(image)] == pytest.approx([1, 1], abs=1e-5)
