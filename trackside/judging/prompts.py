"""Prompts of model judges as data, with a version and a hash.

A template declares what it shows of a pair by the side: ``{topic.title}``, ``{document.caption}``, all text
fields as ``{topic.fields}``, and images as ``{topic.image}`` and ``{document.image}``. For a text and an
image, whichever side has it, it may name no side: ``{image}`` once, and fields such as ``{page_title}``, or
all of them as ``{fields}``. So text-first and image-first are two templates, and two judges. A stored
template may have ``{criteria}`` and ``{examples}``; a judge's has the grades of one version of a task's
criteria there, and pairs that people judged.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from trackside.errors import InputError
from trackside.findings.provenance import ReadingOrder
from trackside.judging.examples import EXAMPLES, PICTURE, is_filled
from trackside.judging.forms import AnswerForm, answer_form
from trackside.judging.settings import Settings, digest

IMAGE = "{image}"
CRITERIA = "{criteria}"
FILLED_IN = {CRITERIA: "the criteria of a task", EXAMPLES: "pairs that people judged"}
DOCUMENT = "<document>"  # between the parts of topic and document; texts of items cannot contain it
EVERY_FIELD = "fields"
PLACEHOLDER = re.compile(r"\{(\w+)\}")
SIDES = ("topic", "document")
OF_SIDE = re.compile(r"\{(topic|document)\.(\w+)\}")
SHOWN = re.compile(rf"\{{(?:(topic|document)\.)?(\w+)\}}|{PICTURE}")
ABSENT = "(none)"
TURN = re.compile(r"\b(USER|ASSISTANT|SYSTEM|HUMAN)\s*:")


class ImagePlace:
    """The place of the image between the texts of a rendered prompt."""


@dataclass(frozen=True, slots=True)
class ExamplePicture:
    """A picture of an example, by its key."""

    key: str


PromptPart = str | type[ImagePlace] | ExamplePicture
Fields = Sequence[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class PromptTemplate:
    """A template, and the name of its answer format, for ``answers.answer_form``.

    ``source`` is the origin of the text: a citation, a URL, or any words; empty if unknown. ``differences``
    describes how an adapted text differs from its source.
    """

    name: str
    version: int
    template: str
    answer: str
    source: str = ""
    differences: str = ""

    @property
    def sha256(self) -> str:
        """The hash of template and answer format; the name does not matter."""
        return digest([self.template, self.answer])

    @property
    def text_sha256(self) -> str:
        """The SHA-256 of the stored template: UTF-8, lines end with a line feed."""
        return text_sha256(self.template)

    def repeats(self, other: PromptTemplate) -> bool:
        """Return whether text and form equal the other prompt's, and this one adds no source."""
        return self.sha256 == other.sha256 and (not self.source or self.source == other.source)

    def checked(self) -> PromptTemplate:
        """Return the prompt itself; raise prompt-refused if its template or answer format is invalid."""
        if is_filled(self.template):
            raise InputError(
                f"Examples are filled in where a judge is made: write {EXAMPLES} in their place.",
                code="prompt-refused",
            )
        check_template(self.template.replace(CRITERIA, "").replace(EXAMPLES, ""))
        answer_form(self.answer, code="prompt-refused")
        return self

    def with_criteria(self, grades: Sequence[Mapping[str, Any]]) -> PromptTemplate:
        """Fill in the grades of criteria with their names and texts, one a line."""
        lines = (f"{grade['grade']}: {grade['name']}. {grade['text']}".strip() for grade in grades)
        words = "\n".join(lines).replace("{", "(").replace("}", ")")
        return replace(self, template=self.template.replace(CRITERIA, words))

    def is_filled_in(self, template: str, answer: str) -> bool:
        """Return whether the other template is this one with some criteria or examples filled in."""
        parts = re.split("|".join(map(re.escape, FILLED_IN)), self.template)
        first, *middle, last = map(re.escape, (*parts, "")[: max(2, len(parts))])
        pattern = f"{first}{''.join(f'(?>.*?{part})' for part in middle)}.*{last}"  # linear
        is_alike = re.fullmatch(pattern, template, re.DOTALL) and answer == self.answer
        return len(parts) > 1 and bool(is_alike)


def text_sha256(template: str) -> str:
    """Return the SHA-256 of a template as a UTF-8 file without a trailing line feed."""
    return hashlib.sha256(template.encode()).hexdigest()


def stored_template(pasted: str) -> str:
    """Return a template with line feeds as line ends, whatever the browser sent."""
    return pasted.replace("\r\n", "\n").replace("\r", "\n")


def image_place(template: str) -> str | None:
    """Return where a template shows the image: "first", "last" or "between"; None without an image."""
    if IMAGE not in template:
        return None
    before, after = (end.strip() for end in template.split(IMAGE, 1))
    return "between" if before and after else "last" if before else "first"


def without_image(template: str) -> str:
    """Return the words of a template without the image; equal for text-first and image-first."""
    return "\n".join(end for part in template.split(IMAGE) if (end := part.strip()))


def names_sides(template: str) -> bool:
    """Return whether a template names the sides of what it shows, such as ``{topic.fields}``."""
    return OF_SIDE.search(template) is not None


def shown_of(template: str, side: str) -> list[str]:
    """Return what a template that names sides shows of one: names of fields, "fields", "image"; each once."""
    return list(dict.fromkeys(name for owner, name in OF_SIDE.findall(template) if owner == side))


def images_in(template: str) -> list[str]:
    """Return the sides whose images a template that names sides shows, in order."""
    return [side for side, name in OF_SIDE.findall(template) if name == "image"]


def reading_form(settings: Settings) -> AnswerForm:
    """Return how a judge's answers are read: by form and revision, and by whether it is shown a picture."""
    is_shown = IMAGE in settings.prompt or bool(images_in(settings.prompt))
    return replace(answer_form(settings.answer), is_shown_picture=is_shown, revision=settings.revision)


def task_kinds_of(template: str) -> frozenset[str]:
    """Return the kinds of tasks that a prompt can show: any if it names sides, else a text and an image."""
    mixed = frozenset({"text-to-image", "image-to-text"})
    return mixed | {"text-to-text", "image-to-image"} if names_sides(template) else mixed


def _check_sides(template: str) -> None:
    images = images_in(template)
    if any(not shown_of(template, side) for side in SIDES) or len(set(images)) < len(images):
        raise InputError(
            "The prompt must show something of the topic and of the document, and each image once: write "
            "{topic.fields}, {topic.image}, {document.fields}, {document.image}, or fields such as "
            "{document.caption}.",
            code="prompt-refused",
        )
    if stray := PLACEHOLDER.findall(template):
        raise InputError(
            f"The prompt names sides, so {{{stray[0]}}} needs one, too: write {{topic.{stray[0]}}} or "
            f"{{document.{stray[0]}}}.",
            code="prompt-refused",
        )


def check_template(template: str) -> None:
    """Raise prompt-refused unless the template shows both items of a pair.

    A template that names no side shows the image once and some field of the text. Criteria are filled in.
    """
    if mark := next((mark for mark in FILLED_IN if mark in template), None):
        raise InputError(
            f"{mark} stands for {FILLED_IN[mark]}, which are filled in where a judge is made or compared on "
            "the task's page Model judges. Make the judge there, or write them out.",
            code="prompt-refused",
        )
    if names_sides(template):
        _check_sides(template)
        return
    if template.count(IMAGE) != 1:
        raise InputError(
            f"A prompt shows the image once: write {IMAGE} in one place, not {template.count(IMAGE)}.",
            code="prompt-refused",
        )
    if set(PLACEHOLDER.findall(template)) == {"image"}:
        raise InputError(
            "The prompt shows no text of the pair: write {fields}, or a field such as {page_title}.",
            code="prompt-refused",
        )


def field_names(template: str) -> list[str]:
    """Return the names of the fields in a template, each once, in order; empty if it has ``{fields}``."""
    names = dict.fromkeys(PLACEHOLDER.findall(template))
    return [] if EVERY_FIELD in names else [name for name in names if name != "image"]


def rendered(template: str, fields: Fields) -> list[PromptPart]:
    """Render the prompt for one pair: texts and the place of the image, in order.

    A field that the item lacks becomes "(none)". Texts are untrusted: they cannot close the tags around them,
    or imitate an image or a turn of the conversation.
    """
    return _rendered(template, {"": fields})


def rendered_sides(template: str, topic: Fields, document: Fields) -> list[PromptPart]:
    """Render a template that names sides, as ``rendered`` does."""
    return _rendered(template, {"topic": topic, "document": document})


def _rendered(template: str, by_side: Mapping[str, Fields]) -> list[PromptPart]:
    texts = {side: {name: fenced(text) for name, text in fields} for side, fields in by_side.items()}
    parts: list[PromptPart] = []
    position, words = 0, ""
    for placeholder in SHOWN.finditer(template):
        side, name, key = placeholder[1] or "", placeholder[2], placeholder[3]
        if not key and side not in texts:
            continue
        words += template[position : placeholder.start()]
        position = placeholder.end()
        if key or name == "image":
            parts += [words.strip(), ExamplePicture(key) if key else ImagePlace]
            words = ""
        elif name == EVERY_FIELD:
            words += "\n".join(f"{label(field)}: {text}" for field, text in texts[side].items())
        else:
            words += texts[side].get(name, "").strip() or ABSENT
    parts.append((words + template[position:]).strip())
    return [part for part in parts if part]


def fenced(text: str) -> str:
    """Escape untrusted text: remove characters of tags, special tokens and conversation turns.

    Turns of Vicuna, which LLaVA 1.5 uses, begin with a plain "USER:" or "ASSISTANT:"; these lose their colon.
    """
    plain = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", " ", text)
    plain = TURN.sub(r"(\1)", plain)
    return plain.replace("<", "‹").replace(">", "›").replace("[INST]", "(INST)").replace("[/INST]", "(/INST)")


def label(name: str) -> str:
    """Return a field's name as a heading: ``page_title`` becomes "Page title"."""
    return name.replace("_", " ").capitalize()


def order_of(settings: Settings) -> ReadingOrder:
    """Return the order in which a judge reads the parts of a pair.

    ``image`` is None if the prompt has none; ``fields`` is empty if the item's own order applies.
    """
    image = image_place(settings.prompt)
    names = () if image is None else tuple(field_names(settings.prompt))
    return ReadingOrder(image=image, fields=names or settings.text_fields)


def repeat_sha256(settings: Settings) -> str:
    """Return a judge's identity without order and seed: equal for judges that differ in nothing else.

    Two judges with equal hashes, equal order and different seeds are test and retest. With equal hashes and
    different orders they show the effect of the order.
    """
    alike = replace(
        settings,
        prompt=without_image(settings.prompt),
        text_fields=tuple(sorted(settings.text_fields)),
        seed=0,
    )
    return digest(asdict(alike))


def settings_facts(settings: Settings) -> dict[str, Any]:
    """Return what the provenance of grades says of a judge's settings, by field."""
    return {
        "identity_sha256": settings.identity_sha256,
        "identity": repeat_sha256(settings),
        "order": order_of(settings),
        "seed": settings.seed,
        "backend": settings.backend,
        "backend_revision": settings.revision,
        "backbone": settings.model,
        "backbone_revision": settings.model_revision,
        "dtype": settings.dtype,
        "text_fields": settings.text_fields,
        "image_size": settings.image_size,
        "long_text": settings.long_text,
        "decoding": dict(settings.decoding),
        "prompt": settings.prompt,
        "prompt_sha256": text_sha256(settings.prompt) if settings.prompt else None,
    }
