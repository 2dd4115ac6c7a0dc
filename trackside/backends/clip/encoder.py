"""CLIP and similar models (SigLIP): the raw score of a text and an image is CLIPScore."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from trackside.backends.clip.device import CPU_ROWS, HALF, PROBED, Device
from trackside.backends.clip.scaling import Scaling
from trackside.backends.clip.texts import TextEncoder, load_parts, wants_lower_case
from trackside.errors import InputError
from trackside.image_errors import ImageTooThin, ImageUnreadable
from trackside.images import opened_for_model
from trackside.judging.inputs import Gap
from trackside.judging.judge import EVERY_KIND, Unit, Vector
from trackside.judging.settings import (
    BY_FIELDS,
    CHUNK_MAX,
    CHUNK_MEAN,
    DRAFT,
    ORIGINAL,
    SMALL,
    TRUNCATE,
    Settings,
    pinned_revision,
)

if TYPE_CHECKING:
    import torch

CLIPSCORE_WEIGHT = 2.5  # w of Hessel et al. 2021, equation 1
MOST_POSITIONS = 1 << 20  # of models that name no limit
# Models whose text encoder reads from left to right: padding after the end token changes no vector.
READ_FROM_LEFT = frozenset({"clip"})


class ClipEncoder(TextEncoder):
    """Any CLIP-type checkpoint of transformers, by hub name or folder.

    The model always gets the same number of inputs: short batches are padded, so a vector does not depend on
    the number of inputs beside it. torch and transformers are imported when a model is loaded, so that a web
    process does not load them.
    """

    revision: ClassVar[int] = 3
    task_kinds: ClassVar[frozenset[str]] = EVERY_KIND
    unit: ClassVar[Unit] = Unit.INPUT
    refuses_long_texts: ClassVar[bool] = False
    batch_size: int = 32
    decoder_count: int = 1

    def __init__(self, settings: Settings) -> None:
        """Load model, tokenizer and image processor; on the GPU if there is one."""
        # Threads decode images while the model computes. Its idle threads should sleep, not spin: that makes
        # jobs a quarter shorter. torch reads the variable when it is loaded.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        import torch

        self._device = Device(min(CPU_ROWS, self.batch_size))
        dtype = self._device.dtype(settings.dtype)
        model, self._tokenizer, self._processor = _loaded(settings, dtype)
        if (input_names := self._processor.model_input_names) != ["pixel_values"]:
            raise InputError(
                f"The model {settings.model} reads images of any shape (NaFlex: {', '.join(input_names)}), "
                "which clip does not support. Use the checkpoint of the same model with a fixed size.",
                code="clip-settings-refused",
            )
        if settings.dtype == "float32":
            # TF32 on a GPU keeps 10 of 23 bits, but the CPU's vectors have the same encoder_sha256.
            torch.backends.cudnn.allow_tf32 = False
            torch.backends.cuda.matmul.allow_tf32 = False
        self._model = model.eval().to(self._device.device)
        self._token_count = position_count(model)
        self._is_lowered = wants_lower_case(self._tokenizer)
        self._is_trimmed = model.config.model_type in READ_FROM_LEFT
        self._scaling = Scaling(self._processor, self._device.device, dtype)
        if not self._scaling.is_exact():
            raise InputError(
                f"The image processor of {settings.model} does more than scale, crop and normalise, "
                "which clip does not support.",
                code="clip-settings-refused",
            )
        self._fit()
        self.self_test = self._self_test()

    def _self_test(self) -> str:
        """Encode two unlike pictures and a text at the limit, alone and together; say what the model did.

        Any exception means that the model cannot judge.
        """
        noise = np.random.default_rng(0).integers(0, 256, (2, 64, 64, 3), dtype=np.uint8)
        pictures = [self._scaling.scaled(Image.fromarray(pixels)) for pixels in noise]
        texts = ["a", "word " * self._token_count]
        alone = [*self.encode_images(pictures[:1]), *self.encode_texts(texts[:1])]
        images, words = self.encode_images(pictures), self.encode_texts(texts)
        beside = [images[0], words[0]]
        if not all(np.isfinite(vector).all() for vector in (*images, *words)):
            raise InputError("The model gives vectors that are no numbers.", code="clip-settings-refused")
        difference = max(float(np.abs(a - b).max()) for a, b in zip(alone, beside, strict=True))
        reads = "reads pictures" if np.any(images[0] != images[1]) else "gives unlike pictures one vector"
        batch = "batch = alone" if difference <= 1e-3 else f"vectors in a batch differ by {difference:.2g}"
        return f"{reads}, {batch}, {self._token_count:,} tokens"

    def _fit(self) -> None:
        """Set the batch size of a GPU by its memory."""
        text = {name: tensor.repeat(PROBED, 1) for name, tensor in self._padded([""]).items()}
        image = self._scaling.scaled(Image.new("RGB", (PROBED, PROBED))).repeat(PROBED, 1, 1, 1)
        self._device.fit((self._text_vectors, text), (self._image_vectors, {"pixels": image}))
        self.batch_size = max(self.batch_size, self._device.rows)
        self.decoder_count = self._device.decoder_count

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with exact revisions of backend and model; InputError if one is unsupported."""
        offers: dict[str, tuple[Any, tuple[Any, ...]]] = {
            "dtype": (settings.dtype, ("float32", HALF, "bfloat16")),
            "image size": (settings.image_size, (SMALL, ORIGINAL, DRAFT)),
            "long-text policy": (settings.long_text, (TRUNCATE, CHUNK_MEAN, CHUNK_MAX, BY_FIELDS)),
            "decoding": (settings.decoding, ({},)),
        }
        for name, (value, offered) in offers.items():
            if value not in offered:
                raise InputError(
                    f'clip, {name}: "{value}" is not offered. Choose one of: {offered}.',
                    code="clip-settings-refused",
                )
        revision = pinned_revision(settings.model, settings.model_revision)
        return replace(settings, revision=cls.revision, model_revision=revision)

    def prepare_image(self, image: bytes, *, is_draft: bool = False) -> torch.Tensor | Gap:
        """Decode and scale: (1, 3, height, width) of bytes, rotated by EXIF, on white.

        IMAGE_UNREADABLE if Pillow cannot decode the image, IMAGE_TOO_THIN for a line.
        """
        try:
            least_side = self._scaling.shorter_side if is_draft else 0
            return self._scaling.scaled(opened_for_model(image, least_side=least_side))
        except ImageTooThin:
            return Gap.IMAGE_TOO_THIN
        except ImageUnreadable:
            return Gap.IMAGE_UNREADABLE

    def encode_images(self, prepared: Sequence[torch.Tensor]) -> Sequence[Vector]:
        """Return one unit vector per prepared image, in order."""
        import torch

        return self._device.vectors(self._image_vectors, {"pixels": torch.cat(list(prepared))})

    def _text_vectors(self, tokens: Mapping[str, torch.Tensor]) -> torch.Tensor:
        return _unit(self._model.get_text_features(**tokens))

    def _image_vectors(self, images: Mapping[str, torch.Tensor]) -> torch.Tensor:
        return _unit(self._model.get_image_features(pixel_values=self._scaling.normalized(images["pixels"])))

    @staticmethod
    def raw_scores(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """CLIPScore: 2.5 max(cos, 0)."""
        return CLIPSCORE_WEIGHT * np.maximum(cosines.astype(np.float64), 0.0)


def _unit(features: Any) -> torch.Tensor:
    """Return the projected vectors, which transformers 5 calls pooler_output, in float32 at unit length."""
    import torch

    return torch.nn.functional.normalize(features.pooler_output.float(), dim=-1)


def position_count(model: Any) -> int:
    """Return the tokens that the text model can read. RoBERTa's first positions stand for padding."""
    config = getattr(model.config, "text_config", model.config)
    limit: int = getattr(config, "max_position_embeddings", None) or MOST_POSITIONS
    is_dual = config is not model.config
    for name, layer in model.named_modules():
        padding = getattr(layer, "padding_idx", None)
        is_text = not is_dual or "text" in name
        if name.rpartition(".")[2] == "position_embeddings" and is_text and padding is not None:
            return min(limit, int(layer.num_embeddings) - int(padding) - 1)
    return limit


def _loaded(settings: Settings, dtype: torch.dtype) -> tuple[Any, Any, Any]:
    """Load the model, its tokenizer and its image processor."""
    from transformers import AutoImageProcessor, AutoModel, AutoTokenizer

    model, tokenizer, processor = load_parts(
        settings,
        partial(AutoModel.from_pretrained, dtype=dtype),
        AutoTokenizer.from_pretrained,
        # Pillow resizes equally on every machine, with or without torchvision.
        partial(AutoImageProcessor.from_pretrained, backend="pil"),
    )
    return model, tokenizer, processor
