"""API operations that export a track as a TOML file, and create one from a file."""

from http import HTTPStatus

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import File, Router, Schema, UploadedFile

from evaluation.organizing.track_files.schema import MAX_FILE
from evaluation.organizing.track_files.track_file import CreatedTrack, create_track, export_track
from evaluation.platform.web.api.bearer import TokenRequest, organizer
from evaluation.platform.web.api.gone import gone
from evaluation.platform.web.api.operations import TRACK, file_of
from evaluation.platform.web.api.problems import problem
from evaluation.tracks.lookups import find_organized_track
from trackside.errors import InputError

router = Router(tags=["Setting up"], auth=organizer)


class CreatedOut(Schema):
    """The track that the file created."""

    track: str


@router.get(f"{TRACK}/file", url_name="track_file", openapi_extra=file_of("application/toml"))
def track_file_read(request: TokenRequest, track: str) -> HttpResponse:
    """Return a track that you organize as a TOML file, without people, documents, topics and runs."""
    track_row = find_organized_track(request, track)
    return HttpResponse(export_track(track_row), content_type="application/toml; charset=utf-8")


@router.post("/track-files", response=CreatedOut, url_name="track_create")
def track_create(request: TokenRequest, file: File[UploadedFile]) -> dict[str, str] | HttpResponseBase:
    """Create a track from the file; for the site's staff. A 422 names all faults, and nothing is stored."""
    return _answer(create_track(text=_text(file), by=request.user))


gone(
    router,
    "POST",
    "/track-files/check",
    name="track_file_check",
    words="Change a track on its pages; a track file only creates a new track.",
)


def _text(file: UploadedFile) -> str:
    if (file.size or 0) > MAX_FILE:
        raise InputError(
            f"file: it has more than {MAX_FILE:,} bytes. Documents come by imports.", code="file-unreadable"
        )
    try:
        return str(file.read().decode())
    except UnicodeDecodeError as error:
        raise InputError(
            f"file: not UTF-8 at byte {error.start + 1}. Save it as UTF-8.", code="file-unreadable"
        ) from error


def _answer(created: CreatedTrack) -> dict[str, str] | HttpResponseBase:
    if created.faults or created.track is None:
        faults = [{"where": fault.where, "what": fault.what} for fault in created.faults]
        return problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            detail="\n".join(map(str, created.faults)),
            kind="urn:trackside:track-file-refused",
            errors=faults,
        )
    return {"track": created.track.slug}
