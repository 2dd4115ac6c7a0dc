"""What an encoder is shown: a text or an image, named by its content and by how it is presented."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from judges.core.settings import Settings, digest


class Gap(StrEnum):
    """Why a pair has no score. A gap is never graded 0."""

    TEXT_EMPTY = "text_empty"
    IMAGE_MISSING = "image_missing"
    IMAGE_UNREADABLE = "image_unreadable"
    ITEM_MISSING = "item_missing"
    ITEM_CHANGED = "item_changed"
    BACKEND_FAILED = "backend_failed"
    NOT_FINITE = "not_finite"
    PARKED = "parked"  # the pair ended its worker time and again
    NOT_IN_FILE = "not_in_file"
    NO_MEMBER = "no_member"  # no judge of an ensemble has a grade


@dataclass(frozen=True, slots=True)
class TextInput:
    """A text as the encoder gets it, prompt included."""

    text: str
    long_text: str

    @property
    def sha256(self) -> str:
        """The name of this text under this long-text policy."""
        return digest(["text", self.long_text, self.text])


@dataclass(frozen=True, slots=True)
class ImageInput:
    """An image, by the key of the blob that holds the copy the judge looks at."""

    blob: str

    @property
    def sha256(self) -> str:
        """The name of this image."""
        return digest(["image", self.blob])


@dataclass(frozen=True, slots=True)
class FieldsInput:
    """The named texts of a pair's side, for a prompt to be filled in with."""

    fields: tuple[tuple[str, str], ...]

    @property
    def sha256(self) -> str:
        """The name of these texts under these names, in this order."""
        return digest(["fields", *self.fields])


Input = TextInput | ImageInput | FieldsInput


def text_input(settings: Settings, text: str) -> TextInput | Gap:
    """The text behind the judge's prompt, or TEXT_EMPTY where there is nothing to read."""
    words = text.strip()
    if not words:
        return Gap.TEXT_EMPTY
    return TextInput(f"{settings.prompt.strip()} {words}".lstrip(), settings.long_text)


def fields_input(settings: Settings, fields: Iterable[tuple[str, str]]) -> FieldsInput | Gap:
    """The fields that the judge reads, all where it names none; TEXT_EMPTY where none holds a word."""
    texts = dict(fields)
    chosen = tuple((name, texts[name]) for name in settings.text_fields or texts if texts.get(name))
    return FieldsInput(chosen) if any(text.strip() for _, text in chosen) else Gap.TEXT_EMPTY
