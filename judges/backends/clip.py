"""CLIP and its kin (SigLIP): the raw score of a text and an image is CLIPScore."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image

from evaluation.core.errors import InputError
from evaluation.core.images import ImageUnreadable, opened
from judges.core.checkpoint import pinned_revision
from judges.core.inputs import Gap
from judges.core.judge import Unit, Vector
from judges.core.settings import ORIGINAL, SMALL, TRUNCATE, Settings

if TYPE_CHECKING:
    import torch

CLIPSCORE_WEIGHT = 2.5  # w of Hessel et al. 2021, equation 1


class ClipSettingsRefused(InputError):
    """Settings that this backend does not offer."""


class ModelNotFound(InputError):
    """The model is neither a folder here nor to be had from the hub."""


class ClipEncoder:
    """Any CLIP-type checkpoint of transformers, by hub name or folder.

    torch and transformers are imported when a model is loaded, so that a web process never pays for them.
    """

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text"})
    unit: ClassVar[Unit] = Unit.INPUT
    batch_size: int = 32

    def __init__(self, settings: Settings) -> None:
        """Load model, tokenizer and image processor; on the GPU when there is one."""
        import torch
        from transformers import AutoImageProcessor, AutoModel, AutoTokenizer

        pinned_revision(settings.model, settings.model_revision)
        source = {} if Path(settings.model).is_dir() else {"revision": settings.model_revision}
        try:
            model = AutoModel.from_pretrained(settings.model, dtype=getattr(torch, settings.dtype), **source)
            self._tokenizer = AutoTokenizer.from_pretrained(settings.model, **source)
            # Pillow resizes on every machine alike, whether torchvision is there or not.
            self._processor = AutoImageProcessor.from_pretrained(settings.model, backend="pil", **source)
        except (OSError, ValueError) as error:
            raise ModelNotFound(f"The model {settings.model} cannot be loaded: {error}") from error
        self._model = model.eval().to("cuda" if torch.cuda.is_available() else "cpu")
        self._token_count = model.config.text_config.max_position_embeddings

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """The settings with the exact revision of backend and model; InputError when one is not offered."""
        offers = {
            "dtype": (settings.dtype, ("float32", "bfloat16")),
            "image size": (settings.image_size, (SMALL, ORIGINAL)),
            "long-text policy": (settings.long_text, (TRUNCATE,)),
            "decoding": (settings.decoding, ({},)),
        }
        for name, (asked, offered) in offers.items():
            if asked not in offered:
                raise ClipSettingsRefused(
                    f'clip, {name}: "{asked}" is not offered. Choose one of: {offered}.'
                )
        revision = pinned_revision(settings.model, settings.model_revision)
        return replace(settings, revision=cls.revision, model_revision=revision)

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector a text. A long text is cut before its end token, whose place CLIP reads."""
        # All texts fill the same number of tokens: a vector does not depend on the texts beside it.
        tokens = self._tokenizer(
            list(texts),
            padding="max_length",
            truncation=True,
            max_length=self._token_count,
            return_tensors="pt",
        )
        return self._unit_vectors(self._model.get_text_features, dict(tokens))

    def encode_images(self, images: Sequence[bytes]) -> Sequence[Vector | Gap]:
        """One unit vector an image, IMAGE_UNREADABLE where Pillow cannot decode it."""
        pictures = [_picture(content) for content in images]
        readable = [picture for picture in pictures if isinstance(picture, Image)]
        if not readable:
            return [Gap.IMAGE_UNREADABLE] * len(images)
        pixels = self._processor(readable, return_tensors="pt")["pixel_values"].to(self._model.dtype)
        vectors = iter(self._unit_vectors(self._model.get_image_features, {"pixel_values": pixels}))
        return [picture if isinstance(picture, Gap) else next(vectors) for picture in pictures]

    def _unit_vectors(
        self, features: Callable[..., Any], tensors: Mapping[str, torch.Tensor]
    ) -> list[Vector]:
        import torch

        with torch.inference_mode():
            found = features(**{name: tensor.to(self._model.device) for name, tensor in tensors.items()})
            # transformers 5 gives the projected vector here, not yet of length 1.
            unit = torch.nn.functional.normalize(found.pooler_output.float(), dim=-1)
        return list(unit.cpu().numpy())

    @staticmethod
    def raw_scores(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """CLIPScore: 2.5 max(cos, 0)."""
        return CLIPSCORE_WEIGHT * np.maximum(cosines.astype(np.float64), 0.0)


def _picture(content: bytes) -> Image | Gap:
    """The image turned by EXIF, on white; IMAGE_UNREADABLE when it is none."""
    try:
        return opened(content)
    except ImageUnreadable:
        return Gap.IMAGE_UNREADABLE
