"""CLIP and similar models (SigLIP): the raw score of a text and an image is CLIPScore."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from evaluation.core.errors import InputError
from evaluation.core.images import ImageTooThin, ImageUnreadable, opened_for_model
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
TOKEN_LENGTH = 16  # characters; assumed maximum length of a token when words are cut
# Parts of a batch on a CPU. Cores compute whole parts in parallel; cores that share each matrix product would
# wait for the slowest of them about fifty times a batch.
PARTS = 4


class ClipSettingsRefused(InputError):
    """Settings that this backend does not offer."""


class ModelNotFound(InputError):
    """The model is neither a local folder nor on the hub, or a package for it is missing."""


@dataclass(frozen=True, slots=True)
class PreparedImages:
    """Pixels (n, 3, height, width) of the decoded images, None without any; a gap or None per image."""

    pixels: torch.Tensor | None
    gaps: Sequence[Gap | None]


class ClipEncoder:
    """Any CLIP-type checkpoint of transformers, by hub name or folder.

    The model always gets the same number of inputs: short batches are padded, so a vector does not depend on
    the number of inputs beside it. torch and transformers are imported when a model is loaded, so that a web
    process does not load them.
    """

    revision: ClassVar[int] = 3
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text"})
    unit: ClassVar[Unit] = Unit.INPUT
    refuses_long_texts: ClassVar[bool] = False
    batch_size: int = 32

    def __init__(self, settings: Settings) -> None:
        """Load model, tokenizer and image processor; on the GPU if there is one."""
        # Images are decoded in parallel to the model. Its threads must not spin while a decoder has the core:
        # this makes a job a quarter shorter. torch reads the variable when it is loaded.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        import torch

        model, self._tokenizer, self._processor = _loaded(settings)
        if (shown := self._processor.model_input_names) != ["pixel_values"]:
            raise ClipSettingsRefused(
                f"The model {settings.model} takes images of any shape (NaFlex: {', '.join(shown)}), "
                "which clip does not support. Use the checkpoint of the same model with a fixed size."
            )
        if settings.dtype == "float32":
            # TF32 on a GPU keeps 10 of 23 bits, but the CPU's vectors have the same encoder_sha256.
            torch.backends.cudnn.allow_tf32 = False
            torch.backends.cuda.matmul.allow_tf32 = False
        is_card = torch.cuda.is_available()
        self._model = model.eval().to("cuda" if is_card else "cpu")
        self._rows = self.batch_size if is_card else max(1, self.batch_size // PARTS)
        self._core_count = torch.get_num_threads()
        part_count = 1 if is_card else min(PARTS, self._core_count)
        self._parts_at_once = ThreadPoolExecutor(
            part_count, initializer=partial(torch.set_num_threads, self._core_count // part_count)
        )
        self._token_count: int = model.config.text_config.max_position_embeddings
        self._is_lowered = _wants_lower_case(self._tokenizer)

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with exact revisions of backend and model; InputError if one is unsupported."""
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
        """Split a text into runs of whole words that fit the model's limit; cut longer words, as in Chinese.

        One piece if the prompt leaves no room: its end is dropped.
        """
        room = self.room(prompt)
        if room < 1:
            return [prompted(prompt, text)]
        words = text.split()
        runs: list[list[str]] = []
        left = 0
        for word, count in zip(words, self.token_counts(words), strict=True):
            if count > room:
                runs += [[part] for part in self._parts(word, room)]
                left = 0
                continue
            if count > left or not runs:
                runs.append([])
                left = room
            runs[-1].append(word)
            left -= count
        return [prompted(prompt, " ".join(run)) for run in runs]

    def _parts(self, word: str, room: int) -> list[str]:
        """Cut a word into parts of at most ``room`` tokens, each but the last as long as possible."""
        parts = []
        while len(word) > 1 and self.token_counts([word])[0] > room:
            ends = range(1, min(len(word), TOKEN_LENGTH * room))
            end = max(1, bisect_right(ends, room, key=lambda end: self.token_counts([word[:end]])[0]))
            parts.append(word[:end])
            word = word[end:]
        return [*parts, word]

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text. Words are tokenized apart, so counts add up."""
        found: list[list[int]] = self._tokens(texts, add_special_tokens=False, verbose=False)["input_ids"]
        return [len(tokens) for tokens in found]

    def room(self, prompt: str) -> int:
        """Return the model's limit minus start and end token and the tokens of the prompt."""
        return self._token_count - len(self._tokens([prompt])["input_ids"][0])

    def _tokens(self, texts: Sequence[str], **options: Any) -> Any:
        """Tokenize the texts, in lower case if the model needs it."""
        lowered = [text.lower() for text in texts] if self._is_lowered else list(texts)
        return self._tokenizer(lowered, **options)

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one unit vector per text. A long text is cut before its end token, which CLIP reads."""
        # Pad all texts to the same number of tokens, as SigLIP was trained; CLIP ignores the padding.
        tokens = self._tokens(
            texts,
            padding="max_length",
            truncation=True,
            max_length=self._token_count,
            return_tensors="pt",
        )
        return self._unit_vectors(self._model.get_text_features, dict(tokens))

    def prepare_images(self, images: Sequence[bytes], *, is_draft: bool = False) -> PreparedImages:
        """Decode and scale; IMAGE_UNREADABLE if Pillow cannot decode an image, IMAGE_TOO_THIN for a line.

        Images are decoded one by one, so that memory holds one decoded picture at most: up to 300 MB.
        """
        import torch

        least_side = _shorter_side(self._processor.size) if is_draft else 0
        found = [self._pixels(content, least_side) for content in images]
        pixels = [each for each in found if not isinstance(each, Gap)]
        gaps = [each if isinstance(each, Gap) else None for each in found]
        return PreparedImages(torch.cat(pixels) if pixels else None, gaps)

    def _pixels(self, content: bytes, least_side: int) -> torch.Tensor | Gap:
        """Return the model's input of one image, rotated by EXIF, on white: (1, 3, height, width)."""
        try:
            picture = opened_for_model(content, least_side=least_side)
        except ImageTooThin:
            return Gap.IMAGE_TOO_THIN
        except ImageUnreadable:
            return Gap.IMAGE_UNREADABLE
        pixels: torch.Tensor = self._processor([picture], return_tensors="pt")["pixel_values"]
        return pixels

    def encode_images(self, prepared: PreparedImages) -> Sequence[Vector | Gap]:
        """Return one unit vector per decoded image, in order, and the gaps of the others."""
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
        # Pad a short part with copies of the last row.
        places = torch.arange(-(-count // self._rows) * self._rows).clamp(max=count - 1).split(self._rows)
        parts = [{name: tensor[rows] for name, tensor in tensors.items()} for rows in places]
        try:
            found = list(self._parts_at_once.map(partial(self._vectors_of_part, features), parts))
        finally:
            # set_num_threads in a thread also changes torch's default for threads that start later.
            torch.set_num_threads(self._core_count)
        return [vector for vectors in found for vector in vectors][:count]

    def _vectors_of_part(
        self, features: Callable[..., Any], part: Mapping[str, torch.Tensor]
    ) -> NDArray[np.float32]:
        import torch

        with torch.inference_mode():
            shown = {name: tensor.to(self._model.device) for name, tensor in part.items()}
            # transformers 5 returns the projected vector here, before normalisation.
            vectors = features(**shown).pooler_output.float()
            unit: NDArray[np.float32] = torch.nn.functional.normalize(vectors, dim=-1).cpu().numpy()
        return unit

    @staticmethod
    def raw_scores(cosines: NDArray[np.float32]) -> NDArray[np.float64]:
        """CLIPScore: 2.5 max(cos, 0)."""
        return CLIPSCORE_WEIGHT * np.maximum(cosines.astype(np.float64), 0.0)


def _loaded(settings: Settings) -> tuple[Any, Any, Any]:
    """Load the model, its tokenizer and its image processor."""
    import torch
    from transformers import AutoImageProcessor, AutoModel, AutoTokenizer

    pinned_revision(settings.model, settings.model_revision)
    source = {} if Path(settings.model).is_dir() else {"revision": settings.model_revision}
    try:
        return (
            AutoModel.from_pretrained(settings.model, dtype=getattr(torch, settings.dtype), **source),
            AutoTokenizer.from_pretrained(settings.model, **source),
            # Pillow resizes equally on every machine, with or without torchvision.
            AutoImageProcessor.from_pretrained(settings.model, backend="pil", **source),
        )
    except (OSError, ValueError) as error:
        raise ModelNotFound(f"The model {settings.model} cannot be loaded: {error}") from error
    except ImportError as error:
        raise ModelNotFound(
            f"The model {settings.model} needs a package that is not installed here: {error} "
            "Reinstall trackside[models], or install the package, and restart the workers."
        ) from error


def _wants_lower_case(tokenizer: Any) -> bool:
    """Return whether the settings ask for lower case, as SigLIP's do, and the normalizer does not do it."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    normalizer = backend and backend.normalizer
    is_done = normalizer is not None and "A" not in normalizer.normalize_str("A")
    return bool(tokenizer.init_kwargs.get("do_lower_case")) and not is_done


def _shorter_side(size: Mapping[str, int]) -> int:
    """Return the shorter side of scaled images: CLIP's ``shortest_edge``, or SigLIP's height and width."""
    return size.get("shortest_edge") or min(size["height"], size["width"])
