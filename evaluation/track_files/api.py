"""API operations that export, check and apply a track as a TOML file."""

from http import HTTPStatus

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from ninja import File, Router, Schema, UploadedFile

from evaluation.track_files.schema import MAX_FILE
from evaluation.track_files.track_file import Applied, apply_track, export_track
from evaluation.tracks.lookups import find_organized_track
from evaluation.web.api.bearer import TokenRequest, organizer
from evaluation.web.api.operations import TRACK, file_of
from evaluation.web.api.problems import problem
from trackside.errors import InputError

router = Router(tags=["Setting up"], auth=organizer)


class AppliedOut(Schema):
    """The track that the file names, and what it changes; empty if the track equals the file."""

    track: str
    changes: list[str]


@router.get(f"{TRACK}/file", url_name="track_file", openapi_extra=file_of("application/toml"))
def track_file_read(request: TokenRequest, track: str) -> HttpResponse:
    """Return a track that you organize as a TOML file, without people, documents, topics and runs."""
    track_row = find_organized_track(request, track)
    return HttpResponse(export_track(track_row), content_type="application/toml; charset=utf-8")


@router.post("/track-files/check", response=AppliedOut, url_name="track_file_check")
def track_file_check(request: TokenRequest, file: File[UploadedFile]) -> dict[str, object] | HttpResponseBase:
    """Return what applying the file would change; nothing is changed. A 422 names all faults."""
    return _answer(apply_track(text=_text(file), by=request.user, is_trial=True))


@router.post("/track-files", response=AppliedOut, url_name="track_file_apply")
def track_file_apply(request: TokenRequest, file: File[UploadedFile]) -> dict[str, object] | HttpResponseBase:
    """Create or change a track by the file. What the file does not name stays, and nothing is deleted.

    A 422 names all faults; nothing is changed then. Only the site's staff can make a new track.
    """
    return _answer(apply_track(text=_text(file), by=request.user))


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


def _answer(applied: Applied) -> dict[str, object] | HttpResponseBase:
    if applied.faults or applied.track is None:
        faults = [{"where": fault.where, "what": fault.what} for fault in applied.faults]
        return problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            detail="\n".join(map(str, applied.faults)),
            kind="urn:trackside:track-file-refused",
            errors=faults,
        )
    return {"track": applied.track.slug, "changes": applied.changes}
