"""Tests of a vision-language model when it is loaded: any exception means that it cannot judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from trackside.backends.llava.conversations import noise
from trackside.errors import InputError, first_line
from trackside.judging.asking import Ask
from trackside.judging.examples import of_other_topics
from trackside.judging.prompts import rendered
from trackside.judging.settings import Settings

if TYPE_CHECKING:
    import torch

    from trackside.backends.llava.conversations import Request

PROBE = "trackside probe"  # sample text
LONG_TEXT = 1000  # tokens at most of the long text: seconds of a large model on a CPU
FULL_LIMIT, HALF_LIMIT = 1e-3, 0.05  # of differences between a batch and a prompt alone, by precision


class Model(Protocol):
    """A loaded model; ``room`` is how many tokens fit into a prompt."""

    room: int

    def token_counts(self, requests: Sequence[Request]) -> list[int]:
        """Return the tokens of each prompt, pictures included."""

    def log_probabilities(self, requests: Sequence[Request]) -> torch.Tensor:
        """Return the log-probabilities of the first token of each answer, shape (n, vocabulary)."""


def self_test(model: Model, settings: Settings) -> str:
    """Show the model two unlike pictures, together and alone, and a long text; say what it did."""
    pictures = [noise(seed) for seed in (0, 1)]
    short, long = (Ask("", (b"", PROBE * count)) for count in (1, 3))
    alone = [model.log_probabilities([(short, [picture])])[0] for picture in pictures]
    beside = model.log_probabilities([(short, [pictures[0]]), (long, [pictures[1]])])[0]
    reads = float((alone[0] - alone[1]).abs().max()) > 0
    length = min(model.room, LONG_TEXT)
    words = Ask("", (b"", " ".join([PROBE] * (length // len(PROBE)))))
    (count,) = model.token_counts([(words, pictures[:1])])
    if count <= model.room:
        model.log_probabilities([(words, pictures[:1])])
    return ", ".join(
        [
            "reads pictures" if reads else "gives unlike pictures the same answer",
            _batch_words(alone[0], beside, settings.dtype),
            f"{min(count, model.room):,} tokens tried of {model.room:,}",
            *(["P(label) available"] if settings.decoding.get("logprobs") else []),
        ]
    )


def _batch_words(alone: torch.Tensor, beside: torch.Tensor, dtype: str) -> str:
    """Compare the first token's log-probabilities of a prompt alone and in a batch."""
    likely = int(alone.argmax())
    difference = float((alone - beside).abs().max())
    is_same = likely == int(beside.argmax()) or float((alone - beside).abs()[likely]) <= HALF_LIMIT
    is_equal = difference <= FULL_LIMIT if dtype == "float32" else is_same
    return "batch = alone" if is_equal else f"in a batch its log-probabilities differ by {difference:.2g}"


def try_examples(model: Model, settings: Settings) -> None:
    """Show the model the prompt with all its examples. Raises llava-settings-refused if it cannot take it."""
    parts = rendered(of_other_topics(settings.prompt, ""), ())  # of a pair without texts
    ask = Ask("", tuple(part if isinstance(part, str) else b"" for part in parts))
    pictures = [noise(seed) for seed in range(ask.parts.count(b""))]
    try:
        (count,) = model.token_counts([(ask, pictures)])
        if count <= model.room:
            model.log_probabilities([(ask, pictures)])
    except Exception as error:  # of a model's code: any
        raise InputError(
            f"The model {settings.model} takes no prompt with {len(pictures)} pictures: {first_line(error)}. "
            "Choose fewer examples, or another model.",
            code="llava-settings-refused",
        ) from error
    if count > model.room:
        raise InputError(
            f"The prompt and its examples take {count:,} tokens, and the model has room for {model.room:,}. "
            "Choose fewer examples.",
            code="llava-settings-refused",
        )
