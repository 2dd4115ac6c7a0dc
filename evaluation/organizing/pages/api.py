"""API operations that list tracks, tasks, topics and images."""

from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from django.conf import settings
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from ninja import Router, Schema
from pydantic import Field

from evaluation.collections.files import document_files
from evaluation.collections.models import Topic
from evaluation.collections.pages import docnos_file, documents_file, documents_zip, topics_zip
from evaluation.collections.pages import image as image_view
from evaluation.platform.web.api.bearer import TokenRequest, reader
from evaluation.platform.web.api.operations import (
    FILE_OF_IMAGE,
    FILE_OF_LINES,
    FILE_OF_RECORDS,
    FILE_OF_ZIP,
    TASK,
    TRACK,
    listed,
)
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.lookups import find_explored_task, find_task, find_track
from evaluation.tracks.models import Phase, Task, TaskKind, Track
from trackside.text.replies import Asked

router = Router(tags=["Tracks"], auth=reader)


class TrackOut(Schema):
    """One year of an evaluation."""

    slug: str
    name: str
    year: int
    description: str
    guidelines: str
    licence: str
    citation: str
    doi: str
    is_archived: bool = Field(description="It can be read; each request that would change it returns 409.")

    @staticmethod
    def resolve_is_archived(track: Track) -> bool:
        """Whether its organizers archived it."""
        return hasattr(track, "archiving")


class TaskOut(Schema):
    """One task of a track. Unset values are null; ``phase`` is derived from the dates.

    The qrels and values of a practice task are open as long as its phase is open.
    """

    track: str = Field(alias="track.slug")
    slug: str
    name: str
    kind: TaskKind
    is_practice: bool
    phase: Phase
    opens_at: datetime | None
    closes_at: datetime | None
    judging_at: datetime | None
    releases_at: datetime | None
    time_zone: str
    max_per_topic: int
    max_runs: int | None
    tag_max: int
    relevance_level: int


class GradeOut(Schema):
    """One grade of the scale, with its name and text; ``written`` is its number in files of qrels."""

    grade: int
    name: str
    text: str
    written: int


class QuestionOut(Schema):
    """A question on the submission form; no ``options`` means free text."""

    name: str
    text: str
    options: list[str]
    is_required: bool


class WholeTaskOut(TaskOut):
    """A task with its rules: ``max_upload_bytes`` limits the run file as it is sent, packed or not.

    ``max_import_bytes`` limits the file of an import.
    """

    guidelines: str
    collection: str = Field(alias="collection.name")
    topic_count: int
    max_upload_bytes: int
    max_import_bytes: int
    grades: list[GradeOut]
    questions: list[QuestionOut]

    @staticmethod
    def resolve_topic_count(task: Task, context: dict[str, Any]) -> int:
        """Count the topics that the person may see."""
        return Topic.objects.visible_to(context["request"].user).filter(task=task).count()

    @staticmethod
    def resolve_max_upload_bytes(_task: Task) -> int:
        """Return the limit of the site."""
        return settings.MAX_UPLOAD_BYTES

    @staticmethod
    def resolve_max_import_bytes(_task: Task) -> int:
        """Return the limit of the site."""
        return settings.MAX_IMPORT_BYTES

    @staticmethod
    def resolve_grades(task: Task) -> list[dict[str, Any]]:
        """Return the grades of the current criteria; empty if there are none."""
        criteria = Criteria.objects.filter(task=task).order_by("-version").first()
        return [{"written": word["grade"], **word} for word in criteria.words] if criteria else []

    @staticmethod
    def resolve_questions(task: Task) -> list[Asked]:
        """Return the questions in their order."""
        return [question.asked for question in task.submission_questions.all()]


class TopicOut(Schema):
    """One information need. ``image`` is the SHA-256 of its first image, null if it has none."""

    topic: str = Field(alias="number")
    fields: list[tuple[str, str]]
    image: str | None = Field(alias="image_id")
    more_images: list[str] = Field(description="SHA-256 of its further images, in order.")


@listed(router, "/tracks", TrackOut, by=["slug"])
def track_list(request: TokenRequest) -> QuerySet[Track]:
    """List the tracks that you may see."""
    return Track.objects.visible_to(request.user).select_related("archiving")


@router.get(TRACK, response=TrackOut, url_name="track_detail")
def track_detail(request: TokenRequest, track: str) -> Track:
    """One track."""
    return find_track(request, track)


@listed(router, f"{TRACK}/tasks", TaskOut, by=["slug"])
def task_list(request: TokenRequest, track: str) -> QuerySet[Task]:
    """List the tasks of a track: those that have opened; for its organizers also drafts."""
    tasks = Task.objects.visible_to(request.user).with_phase().select_related("track")
    track_row = find_track(request, track)
    return tasks.filter(track=track_row)


@router.get(TASK, response=WholeTaskOut, url_name="task_detail")
def task_detail(request: TokenRequest, track: str, task: str) -> Task:
    """Return one task with its rules."""
    return find_task(request, track, task)


@listed(router, f"{TASK}/topics", TopicOut, by=["number"])
def topic_list(request: TokenRequest, track: str, task: str) -> QuerySet[Topic]:
    """List the topics of a task, in byte order: for members from the opening, for all from the release."""
    return Topic.objects.visible_to(request.user).filter(task=find_task(request, track, task))


class DocumentsOut(Schema):
    """What you may download of the documents: here, by an `address` elsewhere, or neither."""

    collection: str
    is_shared: bool
    address: str
    zip_count: int = Field(description="Zips of pictures, each of up to 10,000 documents.")


@router.get(f"{TASK}/documents", response=DocumentsOut, url_name="documents")
def documents(request: TokenRequest, track: str, task: str) -> dict[str, Any]:
    """Say where the documents are: for teams and organizers from the opening, for all from the release."""
    collection = find_explored_task(request, track, task).collection
    return {"collection": collection.name, **asdict(document_files(collection))}


@router.get(f"{TASK}/documents/docnos", url_name="docnos_file", openapi_extra=FILE_OF_LINES)
def docnos(request: TokenRequest, track: str, task: str) -> HttpResponseBase:
    """Return the docnos of the task's corpus, or else of the collection, one per line."""
    return docnos_file(request, track, task)


@router.get(f"{TASK}/documents/texts", url_name="documents_file", openapi_extra=FILE_OF_RECORDS)
def document_texts(request: TokenRequest, track: str, task: str) -> HttpResponseBase:
    """Return the texts of the documents as JSON lines, if they are shared."""
    return documents_file(request, track, task)


@router.get(f"{TASK}/documents/zips/{{int:part}}", url_name="documents_zip", openapi_extra=FILE_OF_ZIP)
def document_zip(request: TokenRequest, track: str, task: str, part: int) -> HttpResponseBase:
    """Return one zip of pictures as imported, with their texts, if they are shared; the first part is 1."""
    return documents_zip(request, track, task, part)


@router.get(f"{TASK}/topics/zip", url_name="topics_zip", openapi_extra=FILE_OF_ZIP)
def topic_zip(request: TokenRequest, track: str, task: str) -> HttpResponseBase:
    """Return a zip of the topics' pictures as imported, with their texts; 404 if no topic has a picture."""
    return topics_zip(request, track, task)


@router.get("/images/{slug:sha256}/{slug:size}", url_name="image", openapi_extra=FILE_OF_IMAGE)
def image(
    request: TokenRequest, sha256: str, size: Literal["display", "small", "thumbnail"]
) -> HttpResponseBase:
    """Return the bytes of an image of a topic or document that you may see."""
    return image_view(request, sha256, size)
