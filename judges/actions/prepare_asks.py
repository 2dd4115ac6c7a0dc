"""Turn calls into what a generator is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.models import Blob
from judges.core.inputs import FieldsInput, Gap, ImageInput
from judges.core.prompts import ImagePlace, rendered
from judges.core.rates import tokens_of
from judges.models import Call, Job, Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judges.core.inputs import Input

DEFAULT_MAX_TOKENS = 64


@dataclass(frozen=True)
class Question:
    """A call with the prompt for it, the image still a blob's key.

    ``bound`` is the most it can cost, ``tokens`` what it counts as where only so many a minute are allowed.
    """

    call: Call
    texts: tuple[str | None, ...]  # None where the image stands
    blob: str
    bound: int
    tokens: int

    def parts(self) -> tuple[str | bytes, ...] | Gap:
        """The prompt with the image's bytes, or IMAGE_MISSING where the storage lost them."""
        try:
            image = Blob(sha256=self.blob).read()
        except FileNotFoundError:
            return Gap.IMAGE_MISSING
        return tuple(image if text is None else text for text in self.texts)


def prepare_asks(*, job: Job, calls: Sequence[Call]) -> list[Question | tuple[Call, Gap]]:
    """A question for each call, or why there is none, in the calls' order; no image is read yet."""
    topics = job.inputs(Side.TOPIC, {call.topic for call in calls})
    documents = job.inputs(Side.DOCUMENT, {call.docno for call in calls})
    return [_question(job, call, topics[call.topic], documents[call.docno]) for call in calls]


def _question(job: Job, call: Call, topic: Input | Gap, document: Input | Gap) -> Question | tuple[Call, Gap]:
    for shown, planned in ((topic, call.topic_input), (document, call.document_input)):
        if isinstance(shown, Gap):
            return call, shown
        if shown.sha256 != planned:
            return call, Gap.ITEM_CHANGED
    match topic, document:
        case (FieldsInput(fields), ImageInput(blob)) | (ImageInput(blob), FieldsInput(fields)):
            pass
        case _:  # a task kind that no generator takes
            return call, Gap.ITEM_CHANGED
    parts = rendered(job.judge.prompt, fields)
    texts = tuple(None if part is ImagePlace else str(part) for part in parts)
    decoding = job.judge.decoding
    max_tokens = decoding.get("max_completion_tokens") or decoding.get("max_tokens", DEFAULT_MAX_TOKENS)
    bound = job.rates.bound([b"" if text is None else text for text in texts], max_tokens)
    return Question(call, texts, blob, bound, tokens_of(texts, job.image_tokens, max_tokens))
