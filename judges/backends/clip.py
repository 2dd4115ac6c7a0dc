"""CLIP and its kin (SigLIP): the raw score of a text and an image is CLIPScore."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image

from evaluation.core.errors import InputError
from evaluation.core.images import ImageUnreadable, opened
from judges.core.checkpoint import pinned_revision
from judges.core.inputs import Gap, prompted
from judges.core.judge import Unit, Vector
from judges.core.settings import (
    BY_FIELDS,
    CHUNK_MAX,
    CHUNK_MEAN,
    DRAFT,
    ORIGINAL,
    SMALL,
    TRUNCATE,
    Settings,
)

if TYPE_CHECKING:
    import torch

CLIPSCORE_WEIGHT = 2.5  # w of Hessel et al. 2021, equation 1


class ClipSettingsRefused(InputError):
    """Settings that this backend does not offer."""


class ModelNotFound(InputError):
    """The model is neither a folder here nor to be had from the hub."""


@dataclass(frozen=True, slots=True)
class PreparedImages:
    """Pixels (n, 3, height, width) of the images that could be decoded, None without any; gaps by place."""

    pixels: torch.Tensor | None
    gaps: Sequence[Gap | None]


class ClipEncoder:
    """Any CLIP-type checkpoint of transformers, by hub name or folder.

    The model always sees whole batches: a short one is filled up, so a vector does not depend on the number
    of inputs beside it. torch and transformers are imported when a model is loaded, so that a web process
    never pays for them.
    """

    revision: ClassVar[int] = 2
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text"})
    unit: ClassVar[Unit] = Unit.INPUT
    batch_size: int = 32

    def __init__(self, settings: Settings) -> None:
        """Load model, tokenizer and image processor; on the GPU when there is one."""
        # Images are decoded beside the model. Its threads must not spin for a core that one of those has: a
        # job takes a quarter less so. Read when torch is loaded.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
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
        offers: dict[str, tuple[Any, tuple[Any, ...]]] = {
            "dtype": (settings.dtype, ("float32", "bfloat16")),
            "image size": (settings.image_size, (SMALL, ORIGINAL, DRAFT)),
            "long-text policy": (settings.long_text, (TRUNCATE, CHUNK_MEAN, CHUNK_MAX, BY_FIELDS)),
            "decoding": (settings.decoding, ({},)),
        }
        for name, (asked, offered) in offers.items():
            if asked not in offered:
                raise ClipSettingsRefused(
                    f'clip, {name}: "{asked}" is not offered. Choose one of: {offered}.'
                )
        revision = pinned_revision(settings.model, settings.model_revision)
        return replace(settings, revision=cls.revision, model_revision=revision)

    def pieces(self, text: str, prompt: str) -> Sequence[str]:
        """Runs of whole words, as long as the model reads; a single word that is longer loses its end."""
        words = text.split()
        counts = [len(tokens) for tokens in self._tokenizer(words, add_special_tokens=False)["input_ids"]]
        room = self._token_count - len(self._tokenizer(prompt)["input_ids"])
        runs: list[list[str]] = [[]]
        left = room
        for word, count in zip(words, counts, strict=True):
            if count > left and runs[-1]:
                runs.append([])
                left = room
            runs[-1].append(word)
            left -= count
        return [prompted(prompt, " ".join(run)) for run in runs]

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector a text. A long text is cut before its end token, whose place CLIP reads."""
        # All texts fill the same number of tokens, as SigLIP was trained; CLIP does not look at the filling.
        tokens = self._tokenizer(
            list(texts),
            padding="max_length",
            truncation=True,
            max_length=self._token_count,
            return_tensors="pt",
        )
        return self._unit_vectors(self._model.get_text_features, dict(tokens))

    def prepare_images(self, images: Sequence[bytes], *, is_draft: bool = False) -> PreparedImages:
        """Decode and scale; IMAGE_UNREADABLE where Pillow cannot decode."""
        least_side = _shorter_side(self._processor.size) if is_draft else 0
        pictures = [_picture(content, least_side) for content in images]
        readable = [picture for picture in pictures if isinstance(picture, Image)]
        pixels = self._processor(readable, return_tensors="pt")["pixel_values"] if readable else None
        return PreparedImages(pixels, [each if isinstance(each, Gap) else None for each in pictures])

    def encode_images(self, prepared: PreparedImages) -> Sequence[Vector | Gap]:
        """One unit vector an image that could be decoded."""
        if prepared.pixels is None:
            return [gap for gap in prepared.gaps if gap]
        pixels = prepared.pixels.to(self._model.dtype)
        vectors = iter(self._unit_vectors(self._model.get_image_features, {"pixel_values": pixels}))
        return [gap or next(vectors) for gap in prepared.gaps]

    def _unit_vectors(
        self, features: Callable[..., Any], tensors: Mapping[str, torch.Tensor]
    ) -> list[Vector]:
        import torch

        count = len(next(iter(tensors.values())))
        found: list[Vector] = []
        for start in range(0, count, self.batch_size):
            batch = {name: tensor[start : start + self.batch_size] for name, tensor in tensors.items()}
            if start + self.batch_size > count:
                # The last row stands for those that a short batch lacks.
                rows = torch.arange(self.batch_size).clamp(max=count - start - 1)
                batch = {name: tensor[rows] for name, tensor in batch.items()}
            batch = {name: tensor.to(self._model.device) for name, tensor in batch.items()}
            with torch.inference_mode():
                # transformers 5 gives the projected vector here, not yet of length 1.
                vectors = features(**batch).pooler_output.float()
                found.extend(torch.nn.functional.normalize(vectors, dim=-1).cpu().numpy())
        return found[:count]

    @staticmethod
    def raw_scores(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """CLIPScore: 2.5 max(cos, 0)."""
        return CLIPSCORE_WEIGHT * np.maximum(cosines.astype(np.float64), 0.0)


def _picture(content: bytes, least_side: int) -> Image | Gap:
    """The image turned by EXIF, on white; IMAGE_UNREADABLE when it is none."""
    try:
        return opened(content, least_side=least_side)
    except ImageUnreadable:
        return Gap.IMAGE_UNREADABLE


def _shorter_side(size: Mapping[str, int]) -> int:
    """The shorter side that an image is scaled to: of CLIP named so, of SigLIP height and width."""
    return size.get("shortest_edge") or min(size["height"], size["width"])
