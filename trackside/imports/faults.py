"""Faults in records of an import, by kind, and files that are no text or have no records."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from trackside.errors import InputError

EXAMPLES = 5
SHOWN_CHARACTERS = 120


class ImportFault(StrEnum):
    """One code per kind. Codes are stored with imports: never rename one."""

    NOT_UTF8 = "not_utf8"
    NOT_TEXT = "not_text"
    NOT_JSON = "not_json"
    NOT_CLOSED = "not_closed"
    NO_NAME = "no_name"
    NAME_NOT_TEXT = "name_not_text"
    NAME_NOT_ONE_WORD = "name_not_one_word"
    NAME_TOO_LONG = "name_too_long"
    NAME_TWICE = "name_twice"
    EMPTY = "empty"
    FIELD_NOT_TEXT = "field_not_text"
    COLUMN_COUNT = "column_count"
    IMAGE_UNREADABLE = "image_unreadable"
    IMAGE_MISSING = "image_missing"
    IMAGE_UNUSED = "image_unused"
    IMAGE_TWICE = "image_twice"
    IMAGES_INCOMPLETE = "images_incomplete"
    MANY_IMAGES = "many_images"
    IMAGE_FORMAT = "image_format"
    FILE_NOT_READ = "file_not_read"
    NO_RECORD = "no_record"
    RUN_REJECTED = "run_rejected"
    RUN_REFUSED = "run_refused"
    TAG_TWICE = "tag_twice"
    TOPIC_UNKNOWN = "topic_unknown"
    DOCNO_UNKNOWN = "docno_unknown"
    DOCNO_ABSENT = "docno_absent"
    OUTSIDE_CORPUS = "outside_corpus"
    GRADE_OFF_SCALE = "grade_off_scale"
    FROZEN = "frozen"
    HIDDEN_CHARACTERS = "hidden_characters"


@dataclass(frozen=True)
class ImportFaultKind:
    """Texts of a kind; ``is_refused`` is True if the record is skipped, not corrected."""

    title: str
    cure: str
    is_refused: bool = True


KINDS = {
    ImportFault.NOT_UTF8: ImportFaultKind("Bytes that are not UTF-8", "Save the file in UTF-8."),
    ImportFault.NOT_TEXT: ImportFaultKind(
        "Text that cannot be stored", "Remove NUL characters and unpaired surrogates."
    ),
    ImportFault.NOT_JSON: ImportFaultKind(
        "Line is not a JSON object", 'One object per line: {"id": …, "caption": …}.'
    ),
    ImportFault.NOT_CLOSED: ImportFaultKind(
        "Topic without an end tag", "End each <top> with </top>, each <topic> with </topic>."
    ),
    ImportFault.NO_NAME: ImportFaultKind(
        "Record without a name", "Write its topic or docno in the field id, or choose another field as id."
    ),
    ImportFault.NAME_NOT_TEXT: ImportFaultKind(
        "Name is no text and no whole number",
        "A program changed it: write names as texts, not as true, 1e5 or a list.",
    ),
    ImportFault.NAME_NOT_ONE_WORD: ImportFaultKind(
        "Name is not one word", "Run files use the name: remove the blanks."
    ),
    ImportFault.NAME_TOO_LONG: ImportFaultKind("Name is too long", "Names have at most 255 characters."),
    ImportFault.NAME_TWICE: ImportFaultKind(
        "Name is repeated in the file",
        "If these are different records, choose another field as id; else keep one record of each: the first "
        "was imported.",
    ),
    ImportFault.EMPTY: ImportFaultKind(
        "Neither text nor image", "Give a text or an image, or remove the record."
    ),
    ImportFault.FIELD_NOT_TEXT: ImportFaultKind(
        "Field is not text", "Write texts, numbers or lists of them; the field was skipped.", is_refused=False
    ),
    ImportFault.COLUMN_COUNT: ImportFaultKind(
        "Row is longer or shorter than the header", "Quote texts that contain the separator or a line end."
    ),
    ImportFault.IMAGE_UNREADABLE: ImportFaultKind(
        "Image cannot be read", "Give a valid JPEG, PNG or WEBP file; imported without it.", is_refused=False
    ),
    ImportFault.IMAGE_MISSING: ImportFaultKind(
        "Image is not in the archive",
        "Add the file, or remove its name; imported without it.",
        is_refused=False,
    ),
    ImportFault.IMAGE_UNUSED: ImportFaultKind(
        "Image that no record names", "Name it in a record; the file was skipped.", is_refused=False
    ),
    ImportFault.IMAGE_TWICE: ImportFaultKind(
        "Two images of one name",
        "Rename one of them, or name the image with its folder and suffix; none of them was imported.",
    ),
    ImportFault.IMAGES_INCOMPLETE: ImportFaultKind(
        "One of several images is missing or cannot be read",
        "Add the file, or remove its name; the record was skipped.",
    ),
    ImportFault.MANY_IMAGES: ImportFaultKind(
        "More than 100 images in one record", "Split the record; it was skipped."
    ),
    ImportFault.IMAGE_FORMAT: ImportFaultKind(
        "Image in a format that is not read", "Convert it to JPEG, PNG or WEBP; the file was skipped."
    ),
    ImportFault.FILE_NOT_READ: ImportFaultKind(
        "File of the archive that is not read",
        "Write its texts as .jsonl, .csv or .tsv, or as a .txt of the same name beside each image; the file "
        "was skipped.",
        is_refused=False,
    ),
    ImportFault.NO_RECORD: ImportFaultKind(
        "Text that belongs to no record",
        "Move it into a record, or remove it; it was skipped.",
        is_refused=False,
    ),
    ImportFault.RUN_REJECTED: ImportFaultKind(
        "Run is rejected by its check", "Check it with trackside check and fix the faults."
    ),
    ImportFault.RUN_REFUSED: ImportFaultKind("Run was refused", "See the reason next to the file."),
    ImportFault.TAG_TWICE: ImportFaultKind("Tag is repeated in the archive", "Give each run a unique tag."),
    ImportFault.TOPIC_UNKNOWN: ImportFaultKind(
        "Topic is not in this task", "Import the topics first, or remove the lines."
    ),
    ImportFault.DOCNO_UNKNOWN: ImportFaultKind(
        "Docno is not in the collection",
        "Write docnos as the collection has them; the grades were imported.",
        is_refused=False,
    ),
    ImportFault.DOCNO_ABSENT: ImportFaultKind(
        "Docno is not in the collection", "Write docnos as the collection has them, or import them first."
    ),
    ImportFault.OUTSIDE_CORPUS: ImportFaultKind(
        "Document is in the collection, but not in the corpus of this task",
        "Its grades were imported, but runs of the task cannot list it.",
        is_refused=False,
    ),
    ImportFault.FROZEN: ImportFaultKind(
        "Judged or released: its text and image stay", "Add the new content under a new topic or docno."
    ),
    ImportFault.HIDDEN_CHARACTERS: ImportFaultKind(
        "Texts with characters that nobody sees",
        "Remove them: pages and prompts leave them out. Joiners and marks of direction that scripts need are "
        "not counted.",
        is_refused=False,
    ),
    ImportFault.GRADE_OFF_SCALE: ImportFaultKind(
        "Grade is not on the task's scale", "Map it to a grade of the criteria."
    ),
}


@dataclass
class Faults:
    """Faults by kind, in order of first occurrence: their number, and the first ones with place and value."""

    counts: dict[ImportFault, int] = field(default_factory=dict)
    examples: dict[ImportFault, list[tuple[str, str]]] = field(default_factory=dict)

    def add(self, kind: ImportFault, location: str, value: str = "", *, count: int = 1) -> None:
        """Add a fault at a place, such as "line 3", with the faulty value."""
        self.counts[kind] = self.counts.get(kind, 0) + count
        examples = self.examples.setdefault(kind, [])
        if len(examples) < EXAMPLES:
            cut = value if len(value) <= SHOWN_CHARACTERS else value[:SHOWN_CHARACTERS] + "…"
            examples.append((location, printable(cut)))

    @property
    def refused_count(self) -> int:
        """Number of skipped records."""
        return sum(count for kind, count in self.counts.items() if KINDS[kind].is_refused)

    def to_values(self) -> list[list[Any]]:
        """Plain values for ``add_values``."""
        return [[str(kind), count, self.examples[kind]] for kind, count in self.counts.items()]

    def add_values(self, values: list[list[Any]]) -> None:
        """Add the faults of a ``to_values`` result."""
        for kind, count, examples in values:
            code = ImportFault(kind)
            self.counts[code] = self.counts.get(code, 0) + int(count)
            stored = self.examples.setdefault(code, [])
            stored += [(str(location), str(value)) for location, value in examples][: EXAMPLES - len(stored)]

    def to_json(self) -> list[dict[str, Any]]:
        """JSON values with their texts, so that templates need no code."""
        return [
            {
                "code": str(kind),
                "title": KINDS[kind].title,
                "cure": KINDS[kind].cure,
                "is_refused": KINDS[kind].is_refused,
                "count": count,
                "examples": [{"place": location, "value": value} for location, value in self.examples[kind]],
            }
            for kind, count in self.counts.items()
        ]


class NotText(InputError):
    """The file is not text in UTF-8."""


class NoRecords(InputError):
    """The file has no records."""


def printable(text: str) -> str:
    """The text with visible signs for characters that cannot be stored: NUL and unpaired surrogates."""
    return text.replace("\0", "\N{SYMBOL FOR NULL}").encode("utf-8", "replace").decode()


def refuse_other_encodings(content: bytes, name: str) -> None:
    """Raise NotText for UTF-16 and UTF-32, recognised by byte order marks or NUL bytes."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content[:64]:
        raise NotText(f"{name}: this looks like UTF-16 or a binary file. Save it as plain text in UTF-8.")


def decoded(content: bytes, name: str, *, lines_before: int = 0) -> str:
    """The file, or its part after ``lines_before`` lines, as text. NotText names the first invalid line."""
    if not lines_before:
        refuse_other_encodings(content, name)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = lines_before + content.count(b"\n", 0, error.start) + 1
        raise NotText(f"{name}, line {line:,}: bytes that are not UTF-8. Save the file in UTF-8.") from error
