"""The inputs of a judge: texts and images, identified by a hash of their content and presentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from trackside.errors import InputError
from trackside.judging.examples import EXAMPLES, Side, answer_words, example_block, of_other_topics
from trackside.judging.forms import AnswerForm
from trackside.judging.prompts import (
    DOCUMENT,
    EVERY_FIELD,
    ExamplePicture,
    fenced,
    field_names,
    images_in,
    label,
    names_sides,
    rendered,
    rendered_sides,
    shown_of,
)
from trackside.judging.settings import BY_FIELDS, CHUNK_MAX, CHUNK_MEAN, DRAFT, Settings, digest
from trackside.text.items_shown import ItemShown
from trackside.text.roles import field_of, with_roles


class Gap(StrEnum):
    """Why a pair has no score. A gap is never graded 0."""

    TEXT_EMPTY = "text_empty"
    IMAGE_MISSING = "image_missing"
    IMAGE_UNREADABLE = "image_unreadable"
    IMAGE_TOO_THIN = "image_too_thin"  # a line, which no model can read
    ITEM_MISSING = "item_missing"
    ITEM_CHANGED = "item_changed"
    BACKEND_FAILED = "backend_failed"
    NOT_FINITE = "not_finite"
    PARKED = "parked"  # the pair, or its text or image, crashed workers repeatedly
    NOT_IN_FILE = "not_in_file"
    NO_GRADE = "no_grade"  # the mapping was not fitted on the topic, or the judge gave no probabilities
    TOO_FEW_MEMBERS = "too_few_members"  # fewer judges of an ensemble have a grade than its quorum
    TIED = "tied"  # the judges of an ensemble disagree, and the tie-breaker does not decide
    HELD_OUT = "held_out"  # on a topic that thresholds were fitted on


@dataclass(frozen=True, slots=True)
class TextInput:
    """The text of an item for an encoder: one text, or several that are encoded separately.

    If ``is_cut``, a text longer than the model's limit is cut into pieces that fit; else its end is dropped.
    The prompt precedes each piece. ``fields`` are the named texts that ``texts`` are made of, in order; the
    hash of the input does not depend on them.
    """

    texts: tuple[str, ...]
    prompt: str = ""
    is_cut: bool = False
    fields: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    @property
    def sha256(self) -> str:
        """The hash of these texts. A single uncut text has the hash of an equal piece of another text."""
        if self.is_cut or len(self.texts) > 1:
            return digest(["texts", self.is_cut, self.prompt, *self.texts])
        return piece_sha256(prompted(self.prompt, self.texts[0]))


@dataclass(frozen=True, slots=True)
class ImageInput:
    """The images of an item, by the keys of the blobs with the copies that the judge reads, in order."""

    blob: str
    is_draft: bool = False
    more: tuple[str, ...] = ()

    @property
    def blobs(self) -> tuple[str, ...]:
        """The keys of all images."""
        return (self.blob, *self.more)

    @property
    def single(self) -> tuple[ImageInput, ...]:
        """Each image as a separate input, for encoders."""
        return tuple(ImageInput(blob, self.is_draft) for blob in self.blobs)

    @property
    def sha256(self) -> str:
        """The hash of these images and of how they are decoded."""
        return digest(["image", DRAFT, *self.blobs] if self.is_draft else ["image", *self.blobs])


@dataclass(frozen=True, slots=True)
class FieldsInput:
    """The named texts of one side of a pair, to fill in a prompt."""

    fields: tuple[tuple[str, str], ...]

    @property
    def sha256(self) -> str:
        """The hash of these texts with their names, in this order."""
        return digest(["fields", *self.fields])


@dataclass(frozen=True, slots=True)
class SideInput:
    """What a prompt that names sides shows of one item: texts, and the blobs of images in order."""

    fields: tuple[tuple[str, str], ...]
    blobs: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """The hash of these texts and images."""
        images = self.blobs if len(self.blobs) > 1 else "".join(self.blobs)
        return digest(["side", images, *self.fields])


Input = TextInput | ImageInput | FieldsInput | SideInput
PairInputs = tuple[Input | Gap, Input | Gap]


def shows_all(part: Input, item: ItemShown) -> bool:
    """Whether a judge's input has all texts and images of the item; it may cut long texts."""
    named = () if isinstance(part, ImageInput) else part.fields
    blobs = part.blobs if isinstance(part, ImageInput | SideInput) else ()
    shown = {text.strip() for _, text in named}
    return len(blobs) >= len(item.images) and shown.issuperset(text.strip() for _, text in item.texts)


def shown_pair(
    prompt: str, topic: Input | Gap | None, document: Input | Gap | None, *, number: str = ""
) -> tuple[tuple[str | None, ...], tuple[str, ...]] | None:
    """Render a prompt for a pair: its texts, None at the place of each image, and the images' blobs in order.

    The images of an item follow each other at its place. Examples of the topic with this ``number`` are not
    shown. None if an input is a gap, or not what the prompt
    shows.
    """
    prompt = of_other_topics(prompt, number)
    match topic, document:
        case SideInput(), SideInput():
            parts = rendered_sides(prompt, topic.fields, document.fields)
            by_side = {"topic": topic.blobs, "document": document.blobs}
            blobs = [by_side[side] for side in images_in(prompt)]
        case (FieldsInput(fields), ImageInput() as image) | (ImageInput() as image, FieldsInput(fields)):
            parts, blobs = rendered(prompt, fields), [image.blobs]
        case _:
            return None
    remaining = iter(blobs)
    texts: list[str | None] = []
    keys: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        pictures = (part.key,) if isinstance(part, ExamplePicture) else next(remaining)
        texts += [None] * len(pictures)
        keys += pictures
    return tuple(texts), tuple(keys)


def with_examples(
    template: str, form: AnswerForm, examples: Mapping[tuple[str, str], int], inputs: Sequence[PairInputs]
) -> str:
    """Return a template with judged pairs at ``{examples}``; ``inputs`` has what it shows of each.

    Raises examples-refused for a pair that cannot be shown, or whose grade the form cannot express.
    """
    blocks = []
    for ((topic, docno), grade), pair in zip(examples.items(), inputs, strict=True):
        if gap := next((part for part in pair if isinstance(part, Gap)), None):
            raise InputError(f"The example {topic} {docno} cannot be shown: {gap}.", code="examples-refused")
        sides = [
            _shown_side(heading, part) for heading, part in zip(("Topic", "Document"), pair, strict=True)
        ]
        blocks.append(example_block(topic, sides, answer_words(form, grade)))
    return template.replace(EXAMPLES, "\n".join(blocks).strip("\n"))


def _shown_side(heading: str, part: Input | Gap) -> Side:
    fields = part.fields if isinstance(part, FieldsInput | SideInput) else ()
    blobs = part.blobs if isinstance(part, ImageInput | SideInput) else ()
    return heading, [(label(name), fenced(text)) for name, text in fields], blobs


def piece_sha256(piece: str) -> str:
    """Return the hash of a text that is encoded unchanged, prompt included."""
    return digest(["text", piece])


def prompted(prompt: str, text: str) -> str:
    """Return the text with the prompt before it."""
    return f"{prompt} {text}".lstrip()


def text_input(settings: Settings, fields: Iterable[tuple[str, str]]) -> TextInput | Gap:
    """Build the input from an item's ordered fields by the judge's long-text policy; TEXT_EMPTY if blank.

    With `by-fields` each field is its own text; else one text joins them with blanks.
    """
    named_texts = tuple((name, text.strip()) for name, text in fields if text.strip())
    if not named_texts:
        return Gap.TEXT_EMPTY
    words = tuple(text for _, text in named_texts)
    texts = words if settings.long_text == BY_FIELDS else (" ".join(words),)
    is_cut = settings.long_text in {CHUNK_MEAN, CHUNK_MAX}
    return TextInput(texts, settings.prompt.strip(), is_cut, named_texts)


def item_input(
    settings: Settings,
    side: str,
    item: ItemShown,
    blobs: Sequence[str],
    *,
    is_asked: bool,
    is_text: bool,
) -> Input | Gap:
    """Return the judge's input of a topic or document, or a gap with the reason for none.

    ``is_asked`` judges answer in text. ``is_text`` if the pair's item of that side is a text, not an image.
    ``blobs`` are the keys of the copies of the item's images that the judge is shown.
    """
    fields = _fields_read(settings, side, item, is_asked=is_asked)
    if is_asked and names_sides(settings.prompt):
        return side_input(settings, side, fields, blobs)
    if not is_text:
        is_draft = settings.image_size == DRAFT
        return ImageInput(blobs[0], is_draft, tuple(blobs[1:])) if blobs else Gap.IMAGE_MISSING
    if is_asked:
        return fields_input(settings, fields)
    of_topic, mark, of_document = settings.prompt.partition(DOCUMENT)
    prefix = of_document if mark and side == "document" else of_topic
    return text_input(replace(settings, prompt=prefix), fields)


def _fields_read(settings: Settings, side: str, item: ItemShown, *, is_asked: bool) -> list[tuple[str, str]]:
    """Return the fields that an encoder reads, or all with those that stand in for names in the prompt."""
    prompt = settings.prompt
    if is_asked:
        named = shown_of(prompt, side) if names_sides(prompt) else field_names(prompt)
        return with_roles(item.fields, (*settings.text_fields, *named), item.roles)
    texts = dict(item.fields)
    names = [field_of(name, texts, item.roles) for name in settings.text_fields or texts]
    return [(name, texts.get(name, "")) for name in dict.fromkeys(names)]


def side_input(
    settings: Settings, side: str, fields: Iterable[tuple[str, str]], blobs: Sequence[str]
) -> SideInput | Gap:
    """Return what the judge's prompt shows of an item on that side; a gap if a declared part is missing.

    ``blobs`` are the keys of the item's images, in order. Single fields may be missing if another has text.
    """
    parts, texts = shown_of(settings.prompt, side), dict(fields)
    if "image" in parts and not blobs:
        return Gap.IMAGE_MISSING
    named_fields = [name for name in parts if name != "image"]
    all_fields = settings.text_fields or tuple(texts)
    names = all_fields if EVERY_FIELD in named_fields else ()
    filled = tuple((name, texts[name]) for name in dict.fromkeys((*names, *named_fields)) if texts.get(name))
    if named_fields and not any(text.strip() for _, text in filled):
        return Gap.TEXT_EMPTY
    return SideInput(filled, tuple(blobs) if "image" in parts else ())


def fields_input(settings: Settings, fields: Iterable[tuple[str, str]]) -> FieldsInput | Gap:
    """Return the judge's fields that the prompt shows; TEXT_EMPTY if all are blank.

    The request does not contain fields that the prompt does not show: editing one makes no new request.
    """
    texts = dict(fields)
    readable = settings.text_fields or tuple(texts)
    names = field_names(settings.prompt) or readable
    filled = tuple((name, texts[name]) for name in names if name in readable and texts.get(name))
    return FieldsInput(filled) if any(text.strip() for _, text in filled) else Gap.TEXT_EMPTY
