"""Refuse changes in archived tracks, by page and by API."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from evaluation.platform.web.api.problems import problem
from evaluation.platform.web.middleware import ROOT
from evaluation.tracks.archiving import Archiving, archived_words

READING = ("GET", "HEAD", "OPTIONS")
# URLs that accept POST in archived tracks: to restore the track, and to pack a zip, which changes nothing.
ACCEPTED = {"track_restore", "report_pack", "report_bundle"}
# Pages that are one form each. They are not opened: nobody could send the form. All others have more to read.
FORMS = {
    "announcement_create",
    "import_upload",
    "job_start",
    "judge_probe",
    "member_invite",
    "prompt_create",
    "row_edit",
    "run_edit",
    "run_upload",
    "scores_import",
    "task_begin",
    "team_create",
    "team_rename",
    "topics_assign",
}


class ArchivedTracks(MiddlewareMixin):
    """Middleware that answers 409 below the URL of an archived track.

    It refuses each POST whose URL is not in ACCEPTED, and each page in FORMS.
    """

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, named: dict[str, Any]
    ) -> HttpResponse | None:
        """Return 409 with the reason, or None."""
        slug = named.get("track")
        match = request.resolver_match
        name = match.url_name if match else None
        is_reading = request.method in READING
        if slug is None or name in ACCEPTED or (is_reading and name not in FORMS):
            return None
        archiving = Archiving.objects.filter(track__slug=slug).select_related("track").first()
        if archiving is None:
            return None
        words = archived_words(archiving.track.name)
        if request.path_info.startswith(ROOT):
            return problem(HTTPStatus.CONFLICT, detail=words, kind="urn:trackside:track-archived")
        return render(
            request, "archived.html", {"problem": words, "is_reading": is_reading}, status=HTTPStatus.CONFLICT
        )
