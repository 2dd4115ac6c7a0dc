"""LLaVA and other vision-language models, run in this process by transformers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from trackside.backends.llava.conversations import decoded, turn
from trackside.backends.llava.likely_tokens import TopTokens
from trackside.backends.llava.processors import load_processor
from trackside.backends.llava.trying import PROBE, self_test, try_examples
from trackside.errors import InputError
from trackside.judging.answers import read_answer
from trackside.judging.asking import Ask, EndpointError, Response, Take, Usage
from trackside.judging.batching import two_in_flight
from trackside.judging.examples import is_filled
from trackside.judging.forms import answer_form
from trackside.judging.judge import Unit
from trackside.judging.prompts import IMAGE, check_template, names_sides, reading_form
from trackside.judging.settings import IMAGE_SIZES, Settings, pinned_revision
from trackside.judging.token_scores import expected_score

if TYPE_CHECKING:
    import torch

    from trackside.backends.llava.conversations import Request

DEFAULTS = {"max_tokens": 32}
DTYPES = ("float32", "bfloat16", "float16")
GPU_BATCH = 64  # pairs at once on a GPU; fewer if its memory runs out
TOO_LONG = "The prompt is too long: {} tokens with its image, and the model has room for {}."
MOST_LOGPROBS = 20  # likely tokens of each step
MOST_POSITIONS = 1 << 20  # of models that name no limit


@dataclass(frozen=True)
class _Prepared:
    """A batch: responses to requests with unreadable pictures, the others, and the input of these."""

    broken: list[Response]
    requests: list[Request]
    inputs: Mapping[str, torch.Tensor]


class Llava:
    """Batched greedy generation.

    torch and transformers are imported when a model is loaded, so that a web process does not load them.
    """

    revision: ClassVar[int] = 7
    task_kinds: ClassVar[frozenset[str]] = frozenset({"text-to-image", "image-to-text"})
    unit: ClassVar[Unit] = Unit.PAIR
    refuses_long_texts: ClassVar[bool] = True
    batch_size: int = 8

    def __init__(self, settings: Settings) -> None:
        """Load model and processor; on the GPU if there is one."""
        import torch
        from transformers import AutoModelForImageTextToText

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
            self._processor: Any = load_processor(settings.model, source)
        except (OSError, ValueError) as error:
            raise InputError(
                f"The model {settings.model} cannot be loaded: {error}", code="llava-not-found"
            ) from error
        is_gpu = torch.cuda.is_available()
        self.batch_size = GPU_BATCH if is_gpu else type(self).batch_size
        self._model = model.eval().to("cuda" if is_gpu else "cpu")
        self._settings = settings
        self._form = reading_form(settings)
        self._check_order()
        limit = getattr(self._model.config.get_text_config(), "max_position_embeddings", MOST_POSITIONS)
        self.room = limit - settings.decoding["max_tokens"]
        if is_filled(settings.prompt):
            try_examples(self, settings)
        self.self_test = self_test(self, settings)

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
        if unknown := sorted(set(settings.decoding) - {"max_tokens", "logprobs"}):
            raise InputError(
                f"llava decodes greedily and has no option {unknown}.", code="llava-settings-refused"
            )
        if settings.decoding.get("logprobs", 0) not in range(MOST_LOGPROBS + 1):
            raise InputError(
                f"logprobs is a whole number from 0 to {MOST_LOGPROBS}.", code="llava-settings-refused"
            )
        return replace(
            settings,
            revision=cls.revision,
            model_revision=pinned_revision(settings.model, settings.model_revision),
            decoding=DEFAULTS | dict(settings.decoding),
        )

    def responses(self, take: Take) -> Iterator[Sequence[Response]]:
        """Yield responses batch by batch; see ``Generator``."""
        return two_in_flight(take, lambda: self.batch_size, self._prepared, self._within_memory)

    def _prepared(self, asks: Sequence[Ask]) -> _Prepared:
        requests, broken = decoded(asks)
        return _Prepared(broken, requests, self._inputs(requests) if requests else {})

    def _within_memory(self, batch: _Prepared) -> list[Response]:
        """Respond to requests; halve the size of batches if a GPU runs out of memory."""
        import torch

        responses: list[Response] = []
        while len(responses) < len(batch.requests):
            part = batch.requests[len(responses) : len(responses) + self.batch_size]
            is_whole = len(part) == len(batch.requests)
            try:
                responses += self._responses(part, batch.inputs if is_whole else self._inputs(part))
                continue
            except torch.OutOfMemoryError:
                if self.batch_size == 1:
                    raise
            # After the except block: the error holds the tensors of the batch that failed.
            self.batch_size //= 2
            torch.cuda.empty_cache()
        return batch.broken + responses

    def _check_order(self) -> None:
        """Raise llava-settings-refused if the model's template moves the image; LLaVA 1.5 puts it first."""
        before, after = (bool(end.strip()) for end in self._settings.prompt.split(IMAGE))
        ends = [before or is_filled(self._settings.prompt), after]  # pictures of examples follow texts
        parts: list[str | bytes] = [*([PROBE] * ends[0]), b"", *([PROBE] * ends[1])]
        text = self._prompt(parts)
        # A template writes the picture in its own marks: they begin where the two texts part.
        bare = self._prompt([part for part in parts if part])
        pairs = enumerate(zip(text, bare, strict=False))
        image = next((index for index, (left, right) in pairs if left != right), len(bare))
        if [PROBE in text[:image], PROBE in text[image:]] != ends:
            raise InputError(
                f"The chat template of {self._settings.model} shows the image in another place than "
                f"the prompt: choose a prompt that begins with {IMAGE}.",
                code="llava-settings-refused",
            )

    def _responses(self, requests: Sequence[Request], inputs: Mapping[str, torch.Tensor]) -> list[Response]:
        """Respond to requests by their ``_inputs``; refuse prompts that exceed the model's limit."""
        lengths = inputs["attention_mask"].sum(dim=1).tolist()
        if max(lengths) <= self.room:
            return self._generated(requests, inputs)
        long = [
            Response(ask.id, fault=EndpointError.REQUEST_REFUSED, detail=TOO_LONG.format(length, self.room))
            for (ask, _), length in zip(requests, lengths, strict=True)
            if length > self.room
        ]
        fitting = [request for request, length in zip(requests, lengths, strict=True) if length <= self.room]
        return long + (self._responses(fitting, self._inputs(fitting)) if fitting else [])

    def _generated(self, requests: Sequence[Request], inputs: Mapping[str, torch.Tensor]) -> list[Response]:
        import torch

        kept = TopTokens(self._settings.decoding.get("logprobs", 0))
        with torch.inference_mode():
            output = self._model.generate(
                **self._moved(inputs),
                max_new_tokens=self._settings.decoding["max_tokens"],
                do_sample=False,
                logits_processor=[kept] if kept.count else [],
            )
        answers = output[:, inputs["input_ids"].shape[1] :]
        lengths = inputs["attention_mask"].sum(dim=1).tolist()
        return [
            self._response(ask, answers[row], int(lengths[row]), kept.of_row(row, self._processor.tokenizer))
            for row, (ask, _) in enumerate(requests)
        ]

    def _response(self, ask: Ask, answer: torch.Tensor, prompt_length: int, logprobs: Any) -> Response:
        ends = self._model.generation_config.eos_token_id
        is_end = [token in (ends if isinstance(ends, list) else [ends]) for token in answer.tolist()]
        finish_reason = "stop" if any(is_end) else "length"
        text = self._processor.tokenizer.decode(answer, skip_special_tokens=True).replace("\0", "")
        count = is_end.index(True) + 1 if any(is_end) else len(is_end)
        reading = read_answer(text, finish_reason, self._form)
        logprobs["content"] = [
            {"token": self._processor.tokenizer.decode([token]), "top_logprobs": likely}
            for token, likely, ended in zip(answer.tolist(), logprobs["content"], is_end, strict=False)
            if not ended
        ]
        return Response(
            ask.id,
            reading,
            text=text,
            finish_reason=finish_reason,
            expected_score=expected_score(logprobs, self._form, reading.score),
            usage=Usage(prompt_length, count),
        )

    def _prompt(self, parts: Sequence[str | bytes]) -> str:
        """Render the prompt by the model's chat template, up to the start of the answer."""
        prompt: str = self._processor.apply_chat_template([turn(parts, ())], add_generation_prompt=True)
        return prompt

    def _inputs(self, requests: Sequence[Request]) -> dict[str, torch.Tensor]:
        """Return the model's input for a batch, as its own processor makes it from conversations.

        It is in the model's precision, and in the memory of the CPU.
        """
        batch = self._processor.apply_chat_template(
            [[turn(ask.parts, pictures)] for ask, pictures in requests],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            processor_kwargs={"padding": True},
        )
        return dict(batch.to("cpu", dtype=self._model.dtype))

    def _moved(self, inputs: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return {name: tensor.to(self._model.device) for name, tensor in inputs.items()}

    def token_counts(self, requests: Sequence[Request]) -> list[int]:
        """Return the tokens of each prompt, pictures included."""
        counts: list[int] = self._inputs(requests)["attention_mask"].sum(dim=1).tolist()
        return counts

    def log_probabilities(self, requests: Sequence[Request]) -> torch.Tensor:
        """Return the log-probabilities of the first token of each answer, shape (n, vocabulary)."""
        import torch

        with torch.inference_mode():
            output = self._model.generate(
                **self._moved(self._inputs(requests)),
                max_new_tokens=1,
                do_sample=False,
                output_logits=True,
                return_dict_in_generate=True,
            )
        values: torch.Tensor = output.logits[0].float().log_softmax(dim=-1).cpu()
        return values
