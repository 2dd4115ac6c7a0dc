"""Models for CLIP: the settings, folders and revisions that are accepted, and what is pinned."""

import weakref
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from PIL import Image
from transformers import CLIPImageProcessorPil, Siglip2ImageProcessorPil

from tests.judges.pictures import encoded, file_of, picture, pinned
from tests.judges.tiny_clip import IMAGE_SIZE, save_tiny_clip
from tests.judges.tiny_siglip import save_tiny_siglip
from tests.refusals import refused
from trackside.backends.clip.device import Device
from trackside.backends.clip.encoder import ClipEncoder
from trackside.backends.clip.texts import ModelNotFound
from trackside.images import opened_for_model
from trackside.judging.inputs import Gap

pytestmark = pytest.mark.whole


def test_clip_lowercases_text_if_the_tokenizer_asks_for_it(tmp_path: Path) -> None:
    folder = save_tiny_siglip(tmp_path / "siglip", do_lower_case=True)

    small, capital = ClipEncoder(pinned(folder)).encode_texts(["a red barn", "A Red BARN"])

    np.testing.assert_array_equal(small, capital)


def test_clip_refuses_a_checkpoint_that_takes_images_of_any_shape(tmp_path: Path) -> None:
    folder = save_tiny_siglip(tmp_path / "naflex")
    Siglip2ImageProcessorPil().save_pretrained(folder)

    with refused("clip-settings-refused", match="spatial_shapes"):
        ClipEncoder(pinned(folder))


def test_clip_refuses_an_image_processor_with_other_steps(tmp_path: Path) -> None:
    folder = save_tiny_clip(tmp_path / "clip")
    size = {"shortest_edge": IMAGE_SIZE, "longest_edge": IMAGE_SIZE + 6}
    square = {"height": IMAGE_SIZE, "width": IMAGE_SIZE}
    CLIPImageProcessorPil(size=size, crop_size=square).save_pretrained(folder)
    (folder / "processor_config.json").unlink()
    settings = pinned(folder)

    with refused("clip-settings-refused", match="scale, crop and normalise"):
        ClipEncoder(settings)


def test_clip_names_a_package_that_the_model_needs(tiny_clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ImportError("SiglipTokenizer requires the SentencePiece library but it was not found.")

    monkeypatch.setattr("transformers.AutoTokenizer.from_pretrained", refuse)

    with pytest.raises(ModelNotFound, match="requires the SentencePiece library"):
        ClipEncoder(pinned(tiny_clip))


def test_clip_computes_in_float32_on_a_gpu(tiny_clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
    monkeypatch.setattr(torch.backends.cuda.matmul, "allow_tf32", True)

    ClipEncoder(pinned(tiny_clip))

    assert (torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32) == (False, False)


def test_clipscore_is_two_and_a_half_times_the_positive_cosine() -> None:
    # Hessel et al. 2021: 2.5 max(cos, 0)
    assert ClipEncoder.raw_scores(np.array([-0.5, 0.0, 0.5, 1.0], np.float32)).tolist() == [0, 0, 1.25, 2.5]


@pytest.mark.parametrize(
    "changes",
    [{"dtype": "int8"}, {"image_size": "huge"}, {"long_text": "summary"}, {"decoding": {"top_k": 1}}],
)
def test_clip_refuses_settings_that_it_does_not_offer(tiny_clip: Path, changes: dict[str, object]) -> None:
    with refused("clip-settings-refused"):
        pinned(tiny_clip, **changes)


def test_clip_pins_its_own_revision_and_the_models(tiny_clip: Path) -> None:
    settings = pinned(tiny_clip)

    assert settings.revision == ClipEncoder.revision
    assert len(settings.model_revision) == 64


def test_clip_wants_a_commit_for_a_model_of_the_hub(tmp_path: Path) -> None:
    with refused("model-revision-needed"):
        pinned(tmp_path / "absent", model="openai/clip-vit-large-patch14", model_revision="main")


def test_clip_refuses_a_folder_whose_files_have_changed(tmp_path: Path) -> None:
    settings = pinned(save_tiny_clip(tmp_path / "clip", seed=1))
    save_tiny_clip(tmp_path / "clip", seed=2)

    with refused("model-changed"):
        ClipEncoder(settings)


def test_clip_names_a_folder_that_holds_no_model(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no model here")

    with pytest.raises(ModelNotFound, match="cannot be loaded"):
        ClipEncoder(pinned(tmp_path))


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
    monkeypatch.setattr(encoder, "_is_trimmed", False)  # all at 77 places, as SigLIP needs it
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

    monkeypatch.setattr("trackside.backends.clip.encoder.opened_for_model", counted)
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
