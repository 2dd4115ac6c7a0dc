"""What an encoder is shown: a text or an image, named by its content and by how it is presented."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from judges.core.prompts import field_names
from judges.core.settings import BY_FIELDS, CHUNK_MAX, CHUNK_MEAN, DRAFT, Settings, digest


class Gap(StrEnum):
    """Why a pair has no score. A gap is never graded 0."""

    TEXT_EMPTY = "text_empty"
    IMAGE_MISSING = "image_missing"
    IMAGE_UNREADABLE = "image_unreadable"
    IMAGE_TOO_THIN = "image_too_thin"  # a line, which no model can be shown
    ITEM_MISSING = "item_missing"
    ITEM_CHANGED = "item_changed"
    BACKEND_FAILED = "backend_failed"
    NOT_FINITE = "not_finite"
    PARKED = "parked"  # the pair, or its text or image, ended the worker time and again
    NOT_IN_FILE = "not_in_file"
    NO_GRADE = "no_grade"  # the mapping has none: another topic than it was fitted on, or no probabilities
    TOO_FEW_MEMBERS = "too_few_members"  # fewer judges of an ensemble have a grade than it asks for
    TIED = "tied"  # the judges of an ensemble are at odds, and nobody decides
    HELD_OUT = "held_out"  # on a topic that thresholds were fitted on


@dataclass(frozen=True, slots=True)
class TextInput:
    """What the encoder reads of an item: one text, or several that are read one by one.

    ``is_cut`` says that a text which does not fit in what the model reads is cut into pieces that do; else
    the encoder leaves its end out. The prompt stands before each piece.
    """

    texts: tuple[str, ...]
    prompt: str = ""
    is_cut: bool = False

    @property
    def sha256(self) -> str:
        """The name of these texts. A text that is encoded as it stands is named as a piece of any other."""
        if self.is_cut or len(self.texts) > 1:
            return digest(["texts", self.is_cut, self.prompt, *self.texts])
        return piece_sha256(prompted(self.prompt, self.texts[0]))


@dataclass(frozen=True, slots=True)
class ImageInput:
    """An image, by the key of the blob that holds the copy the judge looks at."""

    blob: str
    is_draft: bool = False

    @property
    def sha256(self) -> str:
        """The name of this image, under the way it is decoded."""
        return digest(["image", DRAFT, self.blob] if self.is_draft else ["image", self.blob])


@dataclass(frozen=True, slots=True)
class FieldsInput:
    """The named texts of a pair's side, for a prompt to be filled in with."""

    fields: tuple[tuple[str, str], ...]

    @property
    def sha256(self) -> str:
        """The name of these texts under these names, in this order."""
        return digest(["fields", *self.fields])


Input = TextInput | ImageInput | FieldsInput


def piece_sha256(piece: str) -> str:
    """The name of a text that is encoded as it stands, prompt included."""
    return digest(["text", piece])


def prompted(prompt: str, text: str) -> str:
    """A text behind a prompt."""
    return f"{prompt} {text}".lstrip()


def text_input(settings: Settings, texts: Iterable[str]) -> TextInput | Gap:
    """The texts of an item's fields as the judge's long-text policy wants them; TEXT_EMPTY without a word.

    By fields each is a text of its own; else they are one, joined by blanks.
    """
    words = tuple(text.strip() for text in texts if text.strip())
    if not words:
        return Gap.TEXT_EMPTY
    read = words if settings.long_text == BY_FIELDS else (" ".join(words),)
    is_cut = settings.long_text in {CHUNK_MEAN, CHUNK_MAX}
    return TextInput(read, settings.prompt.strip(), is_cut)


def fields_input(settings: Settings, fields: Iterable[tuple[str, str]]) -> FieldsInput | Gap:
    """The fields that the prompt shows, of those that the judge reads; TEXT_EMPTY where none holds a word.

    A field that the prompt does not show is no part of the request: who edits it asks nothing new.
    """
    texts = dict(fields)
    read = settings.text_fields or tuple(texts)
    named = field_names(settings.prompt) or read
    chosen = tuple((name, texts[name]) for name in named if name in read and texts.get(name))
    return FieldsInput(chosen) if any(text.strip() for _, text in chosen) else Gap.TEXT_EMPTY
