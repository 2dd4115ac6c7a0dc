"""LLaVA 1.5 and its kin, in this process, by transformers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from evaluation.core.errors import InputError
from evaluation.core.images import ImageUnreadable, opened
from judges.core.answers import FORMS, Outcome, Reading, read_answer
from judges.core.asking import Ask, Fault, Reply, Take, Usage
from judges.core.checkpoint import pinned_revision
from judges.core.judge import Unit
from judges.core.prompts import check_template
from judges.core.settings import SMALL, Settings
from judges.core.token_scores import mean_score

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

DEFAULTS = {"max_tokens": 32}
DTYPES = ("float32", "bfloat16", "float16")
DIGITS = 9  # the highest score that is one digit, and so one token


class LlavaSettingsRefused(InputError):
    """Settings that this backend does not offer."""


class LlavaNotFound(InputError):
    """The model is neither a folder here nor to be had from the hub."""


class Llava:
    """Batched greedy generation; with ``{"expected": true}`` as decoding the mean score of the next token.

    torch and transformers are imported when a model is loaded, so that a web process never pays for them.
    """

    revision: ClassVar[int] = 1
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text"})
    unit: ClassVar[Unit] = Unit.PAIR
    batch_size: int = 8

    def __init__(self, settings: Settings) -> None:
        """Load model and processor; on the GPU when there is one."""
        import torch
        from transformers import AutoModelForImageTextToText, AutoProcessor

        pinned_revision(settings.model, settings.model_revision)
        source = {} if Path(settings.model).is_dir() else {"revision": settings.model_revision}
        try:
            model = AutoModelForImageTextToText.from_pretrained(
                settings.model, dtype=getattr(torch, settings.dtype), **source
            )
            # Pillow resizes on every machine alike, whether torchvision is there or not.
            self._processor: Any = AutoProcessor.from_pretrained(settings.model, backend="pil", **source)
        except (OSError, ValueError) as error:
            raise LlavaNotFound(f"The model {settings.model} cannot be loaded: {error}") from error
        self._model = model.eval().to("cuda" if torch.cuda.is_available() else "cpu")
        self._processor.tokenizer.padding_side = "left"  # answers begin where the longest prompt ends
        self._settings = settings
        self._form = FORMS[settings.answer]
        self._reply_to = self._expected if settings.decoding.get("expected") else self._generated

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """The settings with the exact revision of backend and model; InputError when one is not offered."""
        check_template(settings.prompt)
        if settings.answer not in FORMS:
            raise LlavaSettingsRefused(f"llava needs a form of answer: {', '.join(FORMS)}.")
        form = FORMS[settings.answer]
        if settings.dtype not in DTYPES or settings.image_size != SMALL:
            raise LlavaSettingsRefused(
                f"llava takes the 336 px copies and computes in one of: {', '.join(DTYPES)}."
            )
        if unknown := sorted(set(settings.decoding) - {"max_tokens", "expected"}):
            raise LlavaSettingsRefused(f"llava decodes greedily and does not know {unknown}.")
        if settings.decoding.get("expected") and (form.highest > DIGITS or form.is_json):
            raise LlavaSettingsRefused(
                "The expected score is the mean over the next token, so every score must be one digit. "
                "Take a prompt for grades from 0 to 2."
            )
        return replace(
            settings,
            revision=cls.revision,
            model_revision=pinned_revision(settings.model, settings.model_revision),
            decoding=DEFAULTS | dict(settings.decoding),
        )

    def replies(self, take: Take) -> Iterator[Sequence[Reply]]:
        """A batch at a time; see ``Generator``."""
        while asks := take(self.batch_size):
            shown = [(ask, _picture(ask)) for ask in asks]
            broken = [
                Reply(ask.id, fault=Fault.REQUEST_REFUSED, detail=str(found))
                for ask, found in shown
                if isinstance(found, ImageUnreadable)
            ]
            whole = [(ask, found) for ask, found in shown if not isinstance(found, ImageUnreadable)]
            yield broken + (self._reply_to(whole) if whole else [])

    def _generated(self, shown: Sequence[tuple[Ask, Image]]) -> list[Reply]:
        import torch

        inputs = self._inputs(shown)
        with torch.inference_mode():
            found = self._model.generate(
                **inputs, max_new_tokens=self._settings.decoding["max_tokens"], do_sample=False
            )
        answers = found[:, inputs["input_ids"].shape[1] :]
        lengths = inputs["attention_mask"].sum(dim=1).tolist()
        return [
            self._reply(ask, answer, int(length))
            for (ask, _), answer, length in zip(shown, answers, lengths, strict=True)
        ]

    def _reply(self, ask: Ask, answer: torch.Tensor, prompt_length: int) -> Reply:
        ends = self._model.generation_config.eos_token_id
        is_end = [token in (ends if isinstance(ends, list) else [ends]) for token in answer.tolist()]
        finish_reason = "stop" if any(is_end) else "length"
        text = self._processor.tokenizer.decode(answer, skip_special_tokens=True).replace("\0", "")
        count = is_end.index(True) + 1 if any(is_end) else len(is_end)
        reading = read_answer(text, finish_reason, self._form)
        return Reply(
            ask.id, reading, text=text, finish_reason=finish_reason, usage=Usage(prompt_length, count)
        )

    def _expected(self, shown: Sequence[tuple[Ask, Image]]) -> list[Reply]:
        """The mean over the scores that could follow the marker, with nothing generated."""
        import torch

        inputs = self._inputs(shown, begun=f"{self._form.marker}:")
        with torch.inference_mode():
            logits = self._model(**inputs, logits_to_keep=1).logits[:, -1]
        probabilities = torch.softmax(logits.float(), dim=-1)
        return [
            self._mean_reply(ask, each) for (ask, _), each in zip(shown, probabilities.cpu(), strict=True)
        ]

    def _mean_reply(self, ask: Ask, probabilities: torch.Tensor) -> Reply:
        by_token: dict[str, float] = {}
        for score in range(self._form.lowest, self._form.highest + 1):
            for words in (str(score), f" {score}"):
                tokens = self._processor.tokenizer.encode(words, add_special_tokens=False)
                by_token |= {words: probabilities[tokens[0]].item()} if len(tokens) == 1 else {}
        mean = mean_score(by_token, self._form)
        reading = Reading(Outcome.UNPARSED) if mean is None else Reading(Outcome.OK, mean)
        return Reply(ask.id, reading, expected_score=mean)

    def _inputs(self, shown: Sequence[tuple[Ask, Image]], begun: str = "") -> dict[str, torch.Tensor]:
        """The batch as the model takes it; ``begun`` is the beginning of the answer."""
        prompts = [
            self._processor.apply_chat_template(
                [{"role": "user", "content": [_part(part) for part in ask.parts]}], add_generation_prompt=True
            )
            + begun
            for ask, _ in shown
        ]
        pictures = [picture for _, picture in shown]
        batch = self._processor(images=pictures, text=prompts, padding=True, return_tensors="pt")
        batch = batch.to(self._model.device)
        batch["pixel_values"] = batch["pixel_values"].to(self._model.dtype)
        return dict(batch)


def _part(part: str | bytes) -> dict[str, str]:
    return {"type": "text", "text": part} if isinstance(part, str) else {"type": "image"}


def _picture(ask: Ask) -> Image | ImageUnreadable:
    content = next(part for part in ask.parts if isinstance(part, bytes))
    try:
        return opened(content)
    except ImageUnreadable as error:
        return error
