"""Both towers of a CLIP for the demo's dense runs: encode pictures and long texts as unit vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch.nn.functional import normalize
from transformers import CLIPModel, CLIPProcessor
from transformers.utils import logging

from trackside.arrays import Floats

LongText: TypeAlias = Literal["first window", "mean of windows", "best window"]
"""Policy for texts longer than CLIP's 77 tokens; their windows are adjacent, without overlap."""

BATCH = 64


@dataclass(frozen=True)
class Windows:
    """The windows of some texts: unit vectors (window, dimension) and the text of each, ascending."""

    vectors: Floats
    text_of: NDArray[np.int64]

    def cosines(self, pictures: Floats, policy: LongText) -> Floats:
        """Cosines (text, picture) of each text with each of the pictures (picture, dimension)."""
        starts = np.flatnonzero(np.diff(self.text_of, prepend=-1))
        if policy == "mean of windows":
            sums = np.add.reduceat(self.vectors, starts)
            return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True) @ pictures.T)
        cosines = self.vectors @ pictures.T
        if policy == "best window":
            return np.asarray(np.maximum.reduceat(cosines, starts))
        return np.asarray(cosines[starts])


class Towers:
    """A CLIP as a retrieval system uses it."""

    def __init__(self, folder: Path) -> None:
        """Load the model from the folder."""
        logging.disable_progress_bar()
        self._model = CLIPModel.from_pretrained(folder).eval()
        self._processor = CLIPProcessor.from_pretrained(folder)

    def pictures(self, files: Sequence[bytes]) -> Floats:
        """Encode image files: (picture, dimension)."""
        parts = []
        for start in range(0, len(files), BATCH):
            opened = [Image.open(BytesIO(file)).convert("RGB") for file in files[start : start + BATCH]]
            pixels = self._processor.image_processor(opened, return_tensors="pt")["pixel_values"]
            with torch.inference_mode():
                parts.append(_unit(self._model.get_image_features(pixel_values=pixels).pooler_output))
        return np.concatenate(parts)

    def texts(self, texts: Sequence[str]) -> Windows:
        """Encode texts window by window, each window between a start and an end token."""
        tokens = self._processor.tokenizer(
            list(texts), padding=True, truncation=True, return_overflowing_tokens=True, return_tensors="pt"
        )
        parts = []
        for start in range(0, len(tokens["input_ids"]), BATCH):
            some = slice(start, start + BATCH)
            with torch.inference_mode():
                features = self._model.get_text_features(
                    input_ids=tokens["input_ids"][some], attention_mask=tokens["attention_mask"][some]
                )
            parts.append(_unit(features.pooler_output))
        return Windows(np.concatenate(parts), tokens["overflow_to_sample_mapping"].numpy())


def _unit(features: torch.Tensor) -> Floats:
    return normalize(features.double(), dim=-1).numpy()
