"""Sentence encoders: the raw score of two texts is the cosine of their vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from trackside.backends.clip.device import CPU_ROWS, HALF, PROBED, Device
from trackside.backends.clip.encoder import position_count
from trackside.backends.clip.texts import TextEncoder, load_parts, wants_lower_case
from trackside.errors import InputError
from trackside.judging.inputs import Gap
from trackside.judging.judge import Unit, Vector
from trackside.judging.settings import (
    BY_FIELDS,
    CHUNK_MAX,
    CHUNK_MEAN,
    TRUNCATE,
    Settings,
    pinned_revision,
)

if TYPE_CHECKING:
    import torch

POOLINGS = ("mean", "cls")
LONGEST = 8192  # tokens of models that name no limit


class SentenceEncoder(TextEncoder):
    """Any encoder of transformers with a vector for each token, which are averaged, or the first one taken.

    ``decoding`` has the ``pooling``, mean or cls. The prompt is a prefix of both texts, or "query:
    <document>passage:" with one for each.
    """

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-text"})
    unit: ClassVar[Unit] = Unit.INPUT
    refuses_long_texts: ClassVar[bool] = False
    batch_size: int = 32
    decoder_count: int = 1

    def __init__(self, settings: Settings) -> None:
        """Load model and tokenizer; on the GPU if there is one."""
        from transformers import AutoModel, AutoTokenizer

        self._device = Device(min(CPU_ROWS, self.batch_size))
        dtype = self._device.dtype(settings.dtype)
        model, self._tokenizer = load_parts(
            settings, partial(AutoModel.from_pretrained, dtype=dtype), AutoTokenizer.from_pretrained
        )
        self._model = model.eval().to(self._device.device)
        self._is_mean = settings.decoding["pooling"] == "mean"
        self._token_count = min(position_count(model), self._tokenizer.model_max_length, LONGEST)
        self._is_lowered = wants_lower_case(self._tokenizer)
        self._is_trimmed = True  # the attention mask leaves padding out
        probe = {name: tensor.repeat(PROBED, 1) for name, tensor in self._padded([""]).items()}
        self._device.fit((self._text_vectors, probe))
        self.batch_size = max(self.batch_size, self._device.rows)
        self.self_test = self._self_test()

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with exact revisions of backend and model; InputError if one is unsupported."""
        pooling = settings.decoding.get("pooling", POOLINGS[0])
        offers: dict[str, tuple[Any, tuple[Any, ...]]] = {
            "dtype": (settings.dtype, ("float32", HALF, "bfloat16")),
            "long-text policy": (settings.long_text, (TRUNCATE, CHUNK_MEAN, CHUNK_MAX, BY_FIELDS)),
            "pooling": (pooling, POOLINGS),
            "decoding": (sorted(set(settings.decoding) - {"pooling"}), ([],)),
        }
        for name, (value, offered) in offers.items():
            if value not in offered:
                raise InputError(
                    f'sentences, {name}: "{value}" is not offered. Choose one of: {offered}.',
                    code="sentence-settings-refused",
                )
        revision = pinned_revision(settings.model, settings.model_revision)
        return replace(
            settings, revision=cls.revision, model_revision=revision, decoding={"pooling": pooling}
        )

    def _self_test(self) -> str:
        """Encode a short text and one at the limit, alone and together; say what the model did."""
        texts = ["a", "word " * self._token_count]
        (alone,), both = self.encode_texts(texts[:1]), self.encode_texts(texts)
        if not all(np.isfinite(vector).all() for vector in both):
            raise InputError("The model gives vectors that are no numbers.", code="sentence-settings-refused")
        difference = float(np.abs(alone - both[0]).max())
        batch = "batch = alone" if difference <= 1e-3 else f"vectors in a batch differ by {difference:.2g}"
        reads = "reads texts" if np.any(both[0] != both[1]) else "gives unlike texts one vector"
        return f"{reads}, {batch}, {self._token_count:,} tokens"

    def _text_vectors(self, tokens: Mapping[str, torch.Tensor]) -> torch.Tensor:
        import torch

        states = self._model(**tokens).last_hidden_state.float()
        if self._is_mean:
            mask = tokens["attention_mask"].unsqueeze(-1).float()
            states = (states * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
        else:
            states = states[:, 0]
        return torch.nn.functional.normalize(states, dim=-1)

    def prepare_image(self, image: bytes, *, is_draft: bool = False) -> Gap:
        """Return a gap: this judge reads texts."""
        del image, is_draft
        return Gap.IMAGE_UNREADABLE

    def encode_images(self, prepared: Sequence[Any]) -> Sequence[Vector]:
        """Return no vectors: nothing is prepared."""
        return [] if not prepared else list(prepared)

    @staticmethod
    def raw_scores(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the cosines."""
        return cosines.astype(np.float64)
