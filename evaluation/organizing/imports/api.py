"""API operations by which organizers import topics, documents, baseline runs and qrels."""

import json
from http import HTTPStatus
from typing import Any, Literal, cast
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from ninja import File, Form, Header, Router, Schema, Status, UploadedFile
from pydantic import Field

from evaluation.collections.chosen_fields import ImportKind
from evaluation.organizing.imports.actions import (
    ImportNotTried,
    check_size,
    choose_fields,
    confirm_import,
    receive_import,
    remove_import,
    retry_import,
)
from evaluation.organizing.imports.api_schemas import ImportOut
from evaluation.organizing.imports.forms import ImportUploadForm
from evaluation.organizing.imports.models import Import
from evaluation.platform.web.api.bearer import TokenRequest, importer, organizer
from evaluation.platform.web.api.changes import change
from evaluation.platform.web.api.operations import TASK, Text, listed
from evaluation.submissions.teams.lookups import find_named_team
from evaluation.tracks.lookups import find_organized_task
from trackside.errors import InputError
from trackside.imports.fields import FieldChoice, FieldsRefused

router = Router(tags=["Imports"], auth=organizer)
IMPORTS = f"{TASK}/imports"
EXAMPLE = '{"id": "_id", "texts": ["name"], "left_out": ["answer"], "roles": {"title": "name"}}'


class ColumnsIn(Schema):
    """The form fields beside the file."""

    columns: Text = Field(
        "", description="Names of the columns of a CSV or TSV file without a header: `id title`."
    )
    fields: Text = Field("", description=f"Uses of the fields, as JSON: `{EXAMPLE}`.")


class FieldsIn(Schema):
    """The uses of the fields of a tried import."""

    fields: Text = Field("", description=f"As JSON: `{EXAMPLE}`. What is not named is used as proposed.")


class TopicsIn(ColumnsIn):
    """The form fields beside the file of topics."""

    state: Literal["draft", "active"] = Field(
        "active", description="State of new topics. Drafts do not count yet."
    )


class RunsIn(Schema):
    """The form fields beside the zip of runs."""

    team: Text = Field(max_length=60, description="Name of the baselines' team.")


class CorpusIn(Schema):
    """The form field beside the list of docnos."""

    name: Text = Field(max_length=60, description="Name of the corpus, which the collection does not have.")


class QrelsIn(Schema):
    """The form fields beside the file of grades."""

    name: Text = Field(max_length=60, description="Qrels of a known name become its next version.")
    graded_by: Literal["human", "second"] = Field("human", description="second: the second assessors.")
    source: Text = Field("", max_length=400, description="Where the grades come from.")


def _imports(request: TokenRequest, track: str, task: str) -> QuerySet[Import]:
    track_task = find_organized_task(request, track, task)
    return Import.objects.listed().filter(task=track_task).select_related("upload", "task__track")


@listed(router, IMPORTS, ImportOut, by=["-pk"])
def import_list(request: TokenRequest, track: str, task: str) -> QuerySet[Import]:
    """List the imports of a task that you organize, of every kind, the latest first."""
    return _imports(request, track, task)


@router.get(f"{IMPORTS}/{{int:task_import}}", response=ImportOut, url_name="import_detail")
def import_detail(request: TokenRequest, track: str, task: str, task_import: int) -> Import:
    """Return an import: its state, progress, counts and faults."""
    return get_object_or_404(_imports(request, track, task), pk=task_import)


def _register_upload(noun: str, kind: ImportKind, schema: type[Schema], words: str) -> None:
    """Register the operation that receives a file of this kind and queues its trial."""

    def receive(
        request: TokenRequest,
        response: HttpResponse,
        track: str,
        task: str,
        file: File[UploadedFile],
        options: Form[schema],  # type: ignore[valid-type]  # the fields of this kind
        idempotency_key: Header[UUID | None] = None,
    ) -> Status[Import]:
        sent = cast("Schema", options).model_dump()
        return _received(request, response, (track, task), kind, file, sent, idempotency_key)

    receive.__name__, receive.__doc__ = f"{noun}_import", words
    register = router.post(
        f"{IMPORTS}/{noun}", response={201: ImportOut}, url_name=f"import_{noun}", auth=importer
    )
    register(receive)


_register_upload(
    "topics",
    ImportKind.TOPICS,
    TopicsIn,
    """Upload topics and queue the trial, which stores no topics. Location holds the URL of the import.

    JSON lines, CSV, TSV, TREC's <top> elements, or for topics with pictures a zip of images and .jsonl, or
    Parquet. If you repeat a request with the same Idempotency-Key, a UUID, the response is the first import.
    """,
)
_register_upload(
    "documents",
    ImportKind.COLLECTION,
    ColumnsIn,
    """Upload documents of the task's collection and queue the trial, which stores no documents.

    A zip of images with captions as .jsonl, Parquet in AToMiC's format, or JSON lines alone.
    """,
)
_register_upload(
    "runs",
    ImportKind.RUNS,
    RunsIn,
    "Upload a zip of runs of a baselines' team, and queue the trial. Each is then checked like an upload.",
)
_register_upload(
    "corpus",
    ImportKind.CORPUS,
    CorpusIn,
    "Upload the docnos of a part of the collection, one per line, and queue the trial.",
)
_register_upload(
    "qrels",
    ImportKind.QRELS,
    QrelsIn,
    "Upload people's grades, lines of topic, 0, docno and grade, and queue the trial.",
)


@router.post(f"{IMPORTS}/docnos", response={201: ImportOut}, url_name="import_docnos", auth=importer)
def docnos_import(
    request: TokenRequest,
    response: HttpResponse,
    track: str,
    task: str,
    file: File[UploadedFile],
    idempotency_key: Header[UUID | None] = None,
) -> Status[Import]:
    """Upload docnos, one per line, and queue the trial: enough to check runs, but not to judge."""
    return _received(request, response, (track, task), ImportKind.DOCNOS, file, {}, idempotency_key)


@router.post(f"{IMPORTS}/{{int:task_import}}/fields", response=ImportOut, url_name="import_fields")
def import_fields(
    request: TokenRequest, track: str, task: str, task_import: int, values: Form[FieldsIn]
) -> Import:
    """Choose the uses of the fields of a tried import, and queue its trial again."""
    own_import = import_detail(request, track, task, task_import)
    choose_fields(task_import=own_import, choice=_choice_in(values.fields), by=request.user)
    return import_detail(request, track, task, task_import)


@router.post(f"{IMPORTS}/{{int:task_import}}/retry", response=ImportOut, url_name="import_retry")
def import_retry(request: TokenRequest, track: str, task: str, task_import: int) -> Import:
    """Queue a failed import again, from its trial."""
    own_import = import_detail(request, track, task, task_import)
    retry_import(task_import=own_import, by=request.user)
    return import_detail(request, track, task, task_import)


@change(router, f"{IMPORTS}/{{int:task_import}}/remove", ImportOut)
def import_remove(request: TokenRequest, track: str, task: str, task_import: int) -> Import:
    """Remove an import that failed or was only tried from the list."""
    own_import = import_detail(request, track, task, task_import)
    remove_import(task_import=own_import, by=request.user)
    return own_import


@router.post(f"{IMPORTS}/{{int:task_import}}/confirm", response=ImportOut, url_name="import_confirm")
def import_confirm(request: TokenRequest, track: str, task: str, task_import: int) -> Import:
    """Queue the second run of a tried import, which stores its records. Repeating the request is harmless.

    Choose the uses of its fields with is_asked first, else the response is 409.
    """
    own_import = import_detail(request, track, task, task_import)
    try:
        confirm_import(task_import=own_import, by=request.user)
    except ImportNotTried:
        own_import = import_detail(request, track, task, task_import)
        if own_import.confirmed_at is None:
            raise
        return own_import
    return import_detail(request, track, task, task_import)


def _received(
    request: TokenRequest,
    response: HttpResponse,
    slugs: tuple[str, str],
    kind: ImportKind,
    file: UploadedFile,
    values: dict[str, Any],
    key: UUID | None,
) -> Status[Import]:
    """Check the form of the page, and receive the file. Raises FieldsRefused."""
    task = find_organized_task(request, *slugs)
    if "team" in values:
        values["team"] = find_named_team(task.track, values["team"]).pk
    check_size(file.size or 0)
    form = ImportUploadForm(values, {"file": file}, kind=kind, task=task)
    if not form.is_valid():
        faults = [f"{name}: {' '.join(map(str, errors))}" for name, errors in form.errors.items()]
        raise InputError("; ".join(faults), code="import-form-refused")
    made = receive_import(
        task=task,
        kind=kind,
        file=file,
        by=request.user,
        team=form.cleaned_data.get("team"),
        options=form.options,
        choice=_choice_in(values["fields"]) if values.get("fields") else None,
        client_uuid=key,
    )
    response["Location"] = reverse("api:import_detail", args=[*slugs, made.pk])
    return Status(HTTPStatus.CREATED, import_detail(request, *slugs, made.pk))


def _choice_in(text: str) -> FieldChoice:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FieldsRefused(f"fields is not JSON ({error}). Write {EXAMPLE}.") from error
    return FieldChoice.from_json(values)
