"""Texts of an encoder: tokens, pieces that fit the model's limit, and vectors in groups of equal length."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trackside.backends.clip.device import Device
from trackside.errors import InputError
from trackside.judging.inputs import prompted
from trackside.judging.judge import Vector
from trackside.judging.settings import Settings, pinned_revision

if TYPE_CHECKING:
    import torch

TOKEN_LENGTH = 16  # characters; assumed maximum length of a token when words are cut
LENGTHS = 16  # texts are padded to a multiple of so many tokens


class ModelNotFound(InputError):
    """The model is neither a local folder nor on the hub, or a package for it is missing."""


def load_parts(settings: Settings, *loaders: Callable[..., Any]) -> list[Any]:
    """Load the parts of a model by transformers' own loaders. Raises ModelNotFound, model-changed."""
    pinned_revision(settings.model, settings.model_revision)
    source = {} if Path(settings.model).is_dir() else {"revision": settings.model_revision}
    try:
        return [loader(settings.model, **source) for loader in loaders]
    except (OSError, ValueError) as error:
        raise ModelNotFound(f"The model {settings.model} cannot be loaded: {error}") from error
    except ImportError as error:
        raise ModelNotFound(
            f"The model {settings.model} needs a package that is not installed here: {error} "
            "Reinstall trackside[models], or install the package, and restart the workers."
        ) from error


class TextEncoder(ABC):
    """The part of an encoder that reads texts.

    ``_is_trimmed`` if padding behind a text changes no vector, so that a text is padded to its own length.
    """

    _device: Device
    _tokenizer: Any
    _token_count: int
    _is_lowered: bool
    _is_trimmed: bool

    @abstractmethod
    def _text_vectors(self, tokens: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Return the unit vectors (n, d) of n texts."""

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
        if not self._is_trimmed or self._tokenizer.padding_side != "right":
            return [self._token_count] * len(texts)
        counts = tokens["attention_mask"].sum(dim=1).tolist()
        return [min(self._token_count, -(-count // LENGTHS) * LENGTHS) for count in counts]


def wants_lower_case(tokenizer: Any) -> bool:
    """Return whether the tokenizer wants lower case, as SigLIP's does, and its normalizer keeps capitals."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    normalizer = backend and backend.normalizer
    is_done = normalizer is not None and "A" not in normalizer.normalize_str("A")
    return bool(tokenizer.init_kwargs.get("do_lower_case")) and not is_done
