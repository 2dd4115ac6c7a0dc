"""Refuse changes in archived tracks, by page and by API."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.shortcuts import render

from evaluation.access.api.problems import problem
from evaluation.access.middleware.api_answers import ROOT
from evaluation.tracks.archiving import Archiving, archived_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

READING = ("GET", "HEAD", "OPTIONS")
# URLs that accept POST in archived tracks: to restore the track, and to pack a zip, which changes nothing.
ACCEPTED = {"track_restore", "report_pack", "report_bundle"}


class ArchivedTracks:
    """Middleware that answers 409 to a POST below the URL of an archived track, unless it is in ACCEPTED."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: object, named: dict[str, Any]
    ) -> HttpResponse | None:
        """Return 409 with the reason, or None."""
        slug = named.get("track")
        match = request.resolver_match
        if request.method in READING or slug is None or (match and match.url_name in ACCEPTED):
            return None
        archiving = Archiving.objects.filter(track__slug=slug).select_related("track").first()
        if archiving is None:
            return None
        words = archived_words(archiving.track.name)
        if request.path_info.startswith(ROOT):
            return problem(HTTPStatus.CONFLICT, detail=words, kind="urn:trackside:track-archived")
        return render(request, "archived.html", {"problem": words}, status=HTTPStatus.CONFLICT)
