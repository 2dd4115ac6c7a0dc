"""Models for CLIP: the settings, folders and revisions that are accepted, and what is pinned."""

from pathlib import Path

import numpy as np
import pytest
from transformers import CLIPImageProcessorPil, Siglip2ImageProcessorPil

from judges.backends.clip.encoder import ClipEncoder, ModelNotFound
from tests.judges.pictures import pinned
from tests.judges.tiny_clip import IMAGE_SIZE, save_tiny_clip
from tests.judges.tiny_siglip import save_tiny_siglip
from tests.refusals import refused

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
