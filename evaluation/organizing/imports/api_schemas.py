"""What the API says of imports."""

from datetime import datetime
from typing import Any, Literal

from django.urls import reverse
from ninja import Schema
from pydantic import Field

from evaluation.collections.chosen_fields import ImportKind
from evaluation.organizing.imports.models import Import, ImportState

Kind = Literal["topics", "documents", "docnos", "corpus", "runs", "qrels"]
KINDS: dict[str, str] = {ImportKind.COLLECTION: "documents"}  # all others have the same name in the API


class CountsOut(Schema):
    """Numbers of records: to add, change and leave unchanged in a trial, else added and so on."""

    added: int
    changed: int
    same: int
    refused: int


class FaultExampleOut(Schema):
    """A faulty record: its place in the file, such as "line 3", and its faulty value."""

    place: str
    value: str


class ImportFaultOut(Schema):
    """Faults of one kind: their number, the first ones, and how to fix them."""

    code: str
    title: str
    cure: str
    is_refused: bool = Field(
        description="Whether the records are left out; else the rest of each is imported."
    )
    count: int
    examples: list[FaultExampleOut]


class FieldOut(Schema):
    """A field of a file of topics or documents."""

    name: str
    use: str = Field(description="id, text, picture, stratum, note, rows or left out.")
    share: float = Field(description="Share of the rows in which it has content, 0 to 1.")
    is_list: bool = Field(
        default=False, description="Whether it is a list of objects, which can be the rows."
    )
    is_asked: bool = Field(default=False, description="Whether it is left out because its name is not known.")


class SampleOut(Schema):
    """A record as assessors and models will see it. Long texts are cut."""

    name: str
    fields: list[tuple[str, str]] = Field(description="Names and texts in reading order.")
    left_out: list[tuple[str, str]]
    note: str
    stratum: str
    has_picture: bool


class ChoiceOut(Schema):
    """The uses of fields; fields that are not named are used as proposed."""

    id: str = ""
    texts: list[str] = Field([], description="Texts in reading order, before all others.")
    picture: str = ""
    stratum: str = ""
    note: str = ""
    rows: str = Field("", description="A list of objects each of which is a record.")
    left_out: list[str] = []


class ImportOut(Schema):
    """An import and its verdict, as on its page.

    It is received, tried without storing records, then confirmed by you, and done or failed. A parked import
    stopped after three attempts; only its page can try it again.
    """

    id: int
    kind: Kind
    state: ImportState
    is_parked: bool
    file_name: str
    size: int = Field(alias="upload.size", description="Bytes.")
    sha256: str = Field(alias="upload_id")
    received_at: datetime
    confirmed_at: datetime | None
    seen_count: int = Field(description="Records read so far in this run.")
    counts: CountsOut | None = Field(description="Null until it is tried.")
    faults: list[ImportFaultOut]
    choice: ChoiceOut
    roles: dict[str, str] = Field(
        description="The fields that are title, description, context and caption: as chosen or proposed."
    )
    fields: list[FieldOut] = Field(description="Of topics and documents, once they are tried.")
    samples: list[SampleOut] = Field(description="The first five records.")
    error: str = Field(description="Why it failed or stopped; else empty.")
    page: str = Field(description="Path of its page on the site.")

    @staticmethod
    def resolve_kind(row: Import) -> str:
        """Return the name of the kind in the API."""
        return KINDS.get(row.kind, str(row.kind))

    @staticmethod
    def resolve_samples(row: Import) -> list[dict[str, Any]]:
        """Return the first records, without the bytes of their pictures."""
        return [sample | {"has_picture": bool(sample["thumbnail"])} for sample in row.samples]

    @staticmethod
    def resolve_error(row: Import) -> str:
        """Return what the page shows about a failed or parked import."""
        if row.is_parked:
            return f"Stopped after {row.attempt_count} attempts. {row.trouble}".strip()
        return row.error

    @staticmethod
    def resolve_page(row: Import) -> str:
        """Return the path of the import's page."""
        return reverse("import_detail", args=[row.task.track.slug, row.task.slug, row.pk])
