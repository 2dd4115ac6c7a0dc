"""LLaVA 1.5 and similar models, run in this process by transformers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from trackside.errors import InputError
from trackside.image_errors import ImageUnreadable
from trackside.images import opened_for_model
from trackside.judging.answers import read_answer
from trackside.judging.asking import Ask, EndpointError, Response, Take, Usage
from trackside.judging.forms import answer_form
from trackside.judging.judge import Unit
from trackside.judging.prompts import IMAGE, check_template, names_sides, reading_form
from trackside.judging.settings import IMAGE_SIZES, Settings, pinned_revision

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image

DEFAULTS = {"max_tokens": 32}
DTYPES = ("float32", "bfloat16", "float16")
GPU_BATCH = 64  # pairs at once on a GPU; fewer if its memory runs out
TOO_LONG = "The prompt is too long: {} tokens with its image, and the model has room for {}."
PROBE = "trackside probe"  # sample text to test the model's chat template


class Llava:
    """Batched greedy generation.

    torch and transformers are imported when a model is loaded, so that a web process does not load them.
    """

    revision: ClassVar[int] = 4
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text"})
    unit: ClassVar[Unit] = Unit.PAIR
    refuses_long_texts: ClassVar[bool] = True
    batch_size: int = 8

    def __init__(self, settings: Settings) -> None:
        """Load model and processor; on the GPU if there is one."""
        import torch
        from transformers import AutoModelForImageTextToText, AutoProcessor

        if settings.decoding.get("expected"):
            raise InputError(
                "llava no longer gives expected scores: create a judge that generates its answers.",
                code="llava-settings-refused",
            )
        pinned_revision(settings.model, settings.model_revision)
        source = {} if Path(settings.model).is_dir() else {"revision": settings.model_revision}
        try:
            model = AutoModelForImageTextToText.from_pretrained(
                settings.model, dtype=getattr(torch, settings.dtype), **source
            )
            # Pillow resizes equally on every machine, with or without torchvision.
            self._processor: Any = AutoProcessor.from_pretrained(settings.model, backend="pil", **source)
        except (OSError, ValueError) as error:
            raise InputError(
                f"The model {settings.model} cannot be loaded: {error}", code="llava-not-found"
            ) from error
        is_gpu = torch.cuda.is_available()
        self.batch_size = GPU_BATCH if is_gpu else type(self).batch_size
        self._model = model.eval().to("cuda" if is_gpu else "cpu")
        self._processor.tokenizer.padding_side = "left"  # all answers begin at the end of the longest prompt
        self._settings = settings
        self._form = reading_form(settings)
        self._check_order()
        limit = self._model.config.get_text_config().max_position_embeddings
        self._room = limit - settings.decoding["max_tokens"]

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """Return the settings with exact revisions of backend and model; InputError if one is unsupported."""
        check_template(settings.prompt)
        if names_sides(settings.prompt):
            raise InputError(
                "llava reads one image and one text: choose a prompt with {image} and {fields}, or serve the "
                "model and use openai_chat.",
                code="llava-settings-refused",
            )
        answer_form(settings.answer, code="llava-settings-refused")
        if settings.dtype not in DTYPES or not settings.has_asked_size:
            raise InputError(
                f"llava computes in one of: {', '.join(DTYPES)}, and takes as image size {IMAGE_SIZES}.",
                code="llava-settings-refused",
            )
        if unknown := sorted(set(settings.decoding) - {"max_tokens"}):
            raise InputError(
                f"llava decodes greedily and has no option {unknown}.", code="llava-settings-refused"
            )
        return replace(
            settings,
            revision=cls.revision,
            model_revision=pinned_revision(settings.model, settings.model_revision),
            decoding=DEFAULTS | dict(settings.decoding),
        )

    def responses(self, take: Take) -> Iterator[Sequence[Response]]:
        """Yield responses batch by batch; see ``Generator``."""
        while asks := take(self.batch_size):
            batch = [(ask, _pictures(ask)) for ask in asks]
            broken = [
                Response(ask.id, fault=EndpointError.REQUEST_REFUSED, detail=str(pictures))
                for ask, pictures in batch
                if isinstance(pictures, ImageUnreadable)
            ]
            whole = [(ask, pictures) for ask, pictures in batch if not isinstance(pictures, ImageUnreadable)]
            yield broken + self._within_memory(whole)

    def _within_memory(self, requests: Sequence[tuple[Ask, list[Image]]]) -> list[Response]:
        """Respond to requests in batches; halve their size if a GPU runs out of memory."""
        import torch

        responses: list[Response] = []
        while len(responses) < len(requests):
            try:
                responses += self._responses(requests[len(responses) : len(responses) + self.batch_size])
                continue
            except torch.OutOfMemoryError:
                if self.batch_size == 1:
                    raise
            # After the except block: the error holds the tensors of the batch that failed.
            self.batch_size //= 2
            torch.cuda.empty_cache()
        return responses

    def _check_order(self) -> None:
        """Raise llava-settings-refused if the model's template moves the image; LLaVA 1.5 puts it first."""
        ends = [bool(end.strip()) for end in self._settings.prompt.split(IMAGE)]
        parts: list[str | bytes] = [*([PROBE] * ends[0]), b"", *([PROBE] * ends[1])]
        text = self._prompt(parts)
        image = text.find(self._processor.image_token)
        if [PROBE in text[:image], PROBE in text[image:]] != ends:
            raise InputError(
                f"The chat template of {self._settings.model} shows the image in another place than "
                f"the prompt: choose a prompt that begins with {IMAGE}.",
                code="llava-settings-refused",
            )

    def _responses(self, requests: Sequence[tuple[Ask, list[Image]]]) -> list[Response]:
        """Respond to requests with an image; refuse prompts that exceed the model's limit."""
        inputs = self._inputs(requests)
        lengths = inputs["attention_mask"].sum(dim=1).tolist()
        if max(lengths) <= self._room:
            return self._generated(requests, inputs)
        long = [
            Response(ask.id, fault=EndpointError.REQUEST_REFUSED, detail=TOO_LONG.format(length, self._room))
            for (ask, _), length in zip(requests, lengths, strict=True)
            if length > self._room
        ]
        fitting = [request for request, length in zip(requests, lengths, strict=True) if length <= self._room]
        return long + (self._responses(fitting) if fitting else [])

    def _generated(
        self, requests: Sequence[tuple[Ask, list[Image]]], inputs: Mapping[str, torch.Tensor]
    ) -> list[Response]:
        import torch

        with torch.inference_mode():
            output = self._model.generate(
                **inputs, max_new_tokens=self._settings.decoding["max_tokens"], do_sample=False
            )
        answers = output[:, inputs["input_ids"].shape[1] :]
        lengths = inputs["attention_mask"].sum(dim=1).tolist()
        return [
            self._response(ask, answer, int(length))
            for (ask, _), answer, length in zip(requests, answers, lengths, strict=True)
        ]

    def _response(self, ask: Ask, answer: torch.Tensor, prompt_length: int) -> Response:
        ends = self._model.generation_config.eos_token_id
        is_end = [token in (ends if isinstance(ends, list) else [ends]) for token in answer.tolist()]
        finish_reason = "stop" if any(is_end) else "length"
        text = self._processor.tokenizer.decode(answer, skip_special_tokens=True).replace("\0", "")
        count = is_end.index(True) + 1 if any(is_end) else len(is_end)
        reading = read_answer(text, finish_reason, self._form)
        return Response(
            ask.id, reading, text=text, finish_reason=finish_reason, usage=Usage(prompt_length, count)
        )

    def _prompt(self, parts: Sequence[str | bytes]) -> str:
        """Render the prompt by the model's chat template, up to the start of the answer."""
        content = [
            {"type": "text", "text": part} if isinstance(part, str) else {"type": "image"} for part in parts
        ]
        prompt: str = self._processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True
        )
        return prompt

    def _inputs(self, requests: Sequence[tuple[Ask, list[Image]]]) -> dict[str, torch.Tensor]:
        """Return the model's input for a batch."""
        prompts = [self._prompt(ask.parts) for ask, _ in requests]
        pictures = [picture for _, pictures in requests for picture in pictures]
        batch = self._processor(images=pictures, text=prompts, padding=True, return_tensors="pt")
        batch = batch.to(self._model.device)
        batch["pixel_values"] = batch["pixel_values"].to(self._model.dtype)
        return dict(batch)


def _pictures(ask: Ask) -> list[Image] | ImageUnreadable:
    try:
        return [opened_for_model(part) for part in ask.parts if isinstance(part, bytes)]
    except ImageUnreadable as error:
        return error
