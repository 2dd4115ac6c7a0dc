"""CLIP and similar models (SigLIP): the raw score of a text and an image is CLIPScore."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from trackside.backends.clip.device import CPU_ROWS, HALF, PROBED, Device
from trackside.backends.clip.scaling import Scaling
from trackside.errors import InputError
from trackside.image_errors import ImageUnreadable
from trackside.images import ImageTooThin, opened_for_model
from trackside.judging.inputs import Gap, prompted
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
TOKEN_LENGTH = 16  # characters; assumed maximum length of a token when words are cut
LENGTHS = 16  # texts are padded to a multiple of so many tokens
# Models whose text encoder reads from left to right: padding after the end token changes no vector.
READ_FROM_LEFT = frozenset({"clip"})


class ModelNotFound(InputError):
    """The model is neither a local folder nor on the hub, or a package for it is missing."""


class ClipEncoder:
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
        self._token_count = _positions(model)
        self._is_lowered = _wants_lower_case(self._tokenizer)
        self._is_read_from_left = model.config.model_type in READ_FROM_LEFT
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

    def pieces(self, text: str, prompt: str) -> Sequence[str]:
        """Split a text into runs of whole words that fit the model's limit; cut longer words, as in Chinese.

        If the prompt fills the limit, return one piece; ``encode_texts`` drops its end.
        """
        room = self.room(prompt)
        if room < 1:
            return [prompted(prompt, text)]
        words = text.split()
        runs: list[list[str]] = []
        room_left = 0
        for word, count in zip(words, self.token_counts(words), strict=True):
            if count > room:
                runs += [[part] for part in self._parts(word, room)]
                room_left = 0
                continue
            if count > room_left or not runs:
                runs.append([])
                room_left = room
            runs[-1].append(word)
            room_left -= count
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
        token_ids: list[list[int]] = self._tokens(texts, add_special_tokens=False, verbose=False)["input_ids"]
        return [len(tokens) for tokens in token_ids]

    def room(self, prompt: str) -> int:
        """Return the model's limit minus start and end token and the tokens of the prompt."""
        return self._token_count - len(self._tokens([prompt])["input_ids"][0])

    def _tokens(self, texts: Sequence[str], **options: Any) -> Any:
        """Tokenize the texts, in lower case if the model needs it."""
        lowered = [text.lower() for text in texts] if self._is_lowered else list(texts)
        return self._tokenizer(lowered, **options)

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one unit vector per text. A long text is cut before its end token, which CLIP reads."""
        tokens = self._padded(texts)
        lengths = self._lengths(tokens)
        vectors: dict[int, Vector] = {}
        for length in set(lengths):
            indexes = [index for index, text_length in enumerate(lengths) if text_length == length]
            part = {name: tensor[indexes, :length] for name, tensor in tokens.items()}
            vectors |= zip(indexes, self._device.vectors(self._text_vectors, part), strict=True)
        return [vectors[index] for index in range(len(texts))]

    def _padded(self, texts: Sequence[str]) -> dict[str, torch.Tensor]:
        """Return the tokens of all texts, padded to the model's limit, as SigLIP was trained."""
        return dict(
            self._tokens(
                texts,
                padding="max_length",
                truncation=True,
                max_length=self._token_count,
                return_tensors="pt",
            )
        )

    def _lengths(self, tokens: Mapping[str, torch.Tensor]) -> list[int]:
        """Return how many tokens of each padded text the model reads: those of the text, rounded up.

        The number depends on that text alone, and so does its vector.
        """
        texts = tokens["input_ids"]
        if not self._is_read_from_left or self._tokenizer.padding_side != "right":
            return [self._token_count] * len(texts)
        counts = tokens["attention_mask"].sum(dim=1).tolist()
        return [min(self._token_count, -(-count // LENGTHS) * LENGTHS) for count in counts]

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


def _positions(model: Any) -> int:
    """Return the tokens that the text model can read. RoBERTa's first positions stand for padding."""
    limit: int = model.config.text_config.max_position_embeddings
    for name, layer in model.named_modules():
        padding = getattr(layer, "padding_idx", None)
        if name.rpartition(".")[2] == "position_embeddings" and "text" in name and padding is not None:
            return min(limit, int(layer.num_embeddings) - int(padding) - 1)
    return limit


def _loaded(settings: Settings, dtype: torch.dtype) -> tuple[Any, Any, Any]:
    """Load the model, its tokenizer and its image processor."""
    from transformers import AutoImageProcessor, AutoModel, AutoTokenizer

    pinned_revision(settings.model, settings.model_revision)
    source = {} if Path(settings.model).is_dir() else {"revision": settings.model_revision}
    try:
        return (
            AutoModel.from_pretrained(settings.model, dtype=dtype, **source),
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
    """Return whether the tokenizer wants lower case, as SigLIP's does, and its normalizer keeps capitals."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    normalizer = backend and backend.normalizer
    is_done = normalizer is not None and "A" not in normalizer.normalize_str("A")
    return bool(tokenizer.init_kwargs.get("do_lower_case")) and not is_done
