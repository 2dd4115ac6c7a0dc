"""The verdict on an upload, and the upload itself, as files."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from django.http import FileResponse, Http404, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from evaluation.core.run_checks import Verdict, verdict_text
from evaluation.views.finding import find_run
from evaluation.views.run_detail import is_published, shows_upload

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from evaluation.models import Run

PACKED = (".gz", ".zst", ".bz2")


@require_safe
def run_verdict_json(request: HttpRequest, track: str, task: str, run: int) -> HttpResponse:
    """Send the verdict with all its facts."""
    _, verdict = _find_verdict(request, track, task, run)
    return JsonResponse(verdict, json_dumps_params={"indent": 2, "ensure_ascii": False})


@require_safe
def run_verdict_text(request: HttpRequest, track: str, task: str, run: int) -> HttpResponse:
    """Send the verdict as ``trackside check`` prints it."""
    file_name, verdict = _find_verdict(request, track, task, run)
    text = verdict_text(Verdict.from_json(verdict), file_name)
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def run_file(request: HttpRequest, track: str, task: str, run: int) -> HttpResponseBase:
    """Send the upload back byte for byte: to its team, and to others where the track publishes runs."""
    found = find_run(request, track, task, run)
    is_own = shows_upload(request.user, found)
    if not is_own and not is_published(request.user, found):
        raise Http404
    return FileResponse(
        found.upload.open(),
        as_attachment=True,
        filename=found.file_name if is_own else public_name(found),
        content_type="application/octet-stream",
        headers={"ETag": f'"{found.upload_id}"'},
    )


def public_name(run: Run) -> str:
    """The tag, and how the file is packed; what its owners called the file stays theirs."""
    suffix = PurePath(run.file_name).suffix
    return f"{run.tag}.run{suffix if suffix in PACKED else ''}"


def _find_upload(request: HttpRequest, track: str, task: str, run: int) -> Run:
    found = find_run(request, track, task, run)
    if not shows_upload(request.user, found):
        raise Http404
    return found


def _find_verdict(request: HttpRequest, track: str, task: str, run: int) -> tuple[str, dict[str, Any]]:
    found = _find_upload(request, track, task, run)
    if found.verdict is None:
        raise Http404
    return found.file_name, found.verdict
