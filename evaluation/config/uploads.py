"""Decides by the head of a request whether its body may be read: by its size, its address and its sender.

Django reads the whole body of a form before the view asks who sent it, and writes large files to disk. nginx
does so before the site learns of the request. Both ask here first, nginx at the address of ``upload_check``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import ResolverMatch, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.collections.storing import FORM_BYTES
from evaluation.platform.access.actions import use_token
from evaluation.platform.access.limits.rates import TooManyRequests, spend_rate
from evaluation.platform.access.limits.views import requester_address
from evaluation.platform.access.requests import SignedInRequest
from evaluation.platform.access.tokens import Scope
from evaluation.platform.web.api.bearer import person_of
from evaluation.platform.web.api.problems import problem
from evaluation.platform.web.middleware import ROOT
from evaluation.submissions.runs.forms import teams_to_upload_for
from evaluation.tracks.lookups import find_organized_task, find_organized_track, find_task

API = "api"  # namespace of the API's addresses
SMALL = 65_536  # bytes that anybody may send to any address; docker/nginx.conf has the same number
BESIDE_THE_FILE = 2**20  # bytes allowed for the other fields and the multipart boundaries


def _submits(request: SignedInRequest, track: str, task: str) -> None:
    if not teams_to_upload_for(find_task(request, track, task), request.user).exists():
        raise PermissionDenied("You have no team in this track. Make or join one before you upload a run.")


@dataclass(frozen=True)
class Upload:
    """What an address accepts beyond a form of texts.

    ``most`` is a setting or a number of bytes. ``check`` raises Http404 or PermissionDenied for people
    without the right. ``scope`` is that of tokens in the API.
    """

    most: str | int
    check: Callable[..., object]
    what: str
    cure: str
    scope: Scope = Scope.ORGANIZE

    @property
    def most_bytes(self) -> int:
        """The size of the largest file."""
        return self.most if isinstance(self.most, int) else int(getattr(settings, self.most))


IMPORT = Upload("MAX_IMPORT_BYTES", find_organized_task, "the file of an import", "Split it.")
SCORES = Upload("MAX_UPLOAD_BYTES", find_organized_task, "a file of scores", "Split it.")
RUN = Upload(
    "MAX_UPLOAD_BYTES",
    _submits,
    "a run file",
    "Pack it with gzip, or list fewer results per topic.",
    Scope.SUBMIT,
)
PICTURE = Upload(FORM_BYTES, find_organized_task, "a picture", "Scale it down.")
ITEM = Upload(
    FORM_BYTES,
    lambda request, track, **_: find_organized_track(request, track),
    "a picture",
    "Scale it down.",
)
# By the name of the address. A file at any other address counts as part of the form's text.
UPLOADS = {
    "import_upload": IMPORT,
    "api:import_topics": IMPORT,
    "api:import_documents": IMPORT,
    "api:import_docnos": IMPORT,
    "api:import_corpus": IMPORT,
    "api:import_runs": IMPORT,
    "api:import_qrels": IMPORT,
    "scores_import": SCORES,
    "run_upload": RUN,
    "api:run_list": RUN,
    "setup_guidelines": PICTURE,
    "row_edit": ITEM,
}


@dataclass(frozen=True)
class Refusal:
    """Why a body is not read.

    ``is_of_token``: operations of the API refuse such tokens themselves, and count them. ``is_of_form``: no
    form is so large.
    """

    status: HTTPStatus
    detail: str = ""
    is_of_token: bool = False
    is_of_form: bool = False


def refusal_of(request: HttpRequest, match: ResolverMatch, size: int | None) -> Refusal | None:
    """Return why the body of a request may not be read, by its head alone; None if it may.

    ``size`` is None for a body of unknown length. Sets ``request.user`` to the person of a token.
    """
    if size is not None and size <= SMALL:
        return None
    upload = UPLOADS.get(match.view_name)
    if API in match.namespaces and (refusal := _unusable_token(request, upload)):
        return refusal
    if upload is None:
        return _large_form(size) or _unknown_person(request)
    return _unknown_person(request) or _without_right(request, match, upload) or _large_file(upload, size)


def _unusable_token(request: HttpRequest, upload: Upload | None) -> Refusal | None:
    secret = request.headers.get("Authorization", "").partition(" ")[2]
    token = use_token(secret=secret.strip())
    if token is None:
        return Refusal(HTTPStatus.UNAUTHORIZED, is_of_token=True)
    if upload and not {upload.scope, Scope.ORGANIZE} & set(token.scopes):
        return Refusal(HTTPStatus.FORBIDDEN, f"The token may not {upload.scope}.", is_of_token=True)
    request.user = person_of(token)
    return None


def _unknown_person(request: HttpRequest) -> Refusal | None:
    if request.user.is_authenticated:
        return None
    detail = f"Sign in first: without signing in a request may have {SMALL:,} bytes."
    return Refusal(HTTPStatus.UNAUTHORIZED, detail)


def _without_right(request: HttpRequest, match: ResolverMatch, upload: Upload) -> Refusal | None:
    named: dict[str, Any] = {name: match.kwargs[name] for name in ("track", "task") if name in match.kwargs}
    try:
        upload.check(request, **named)
    except Http404:
        return Refusal(HTTPStatus.NOT_FOUND)
    except PermissionDenied as error:
        return Refusal(HTTPStatus.FORBIDDEN, str(error))
    return None


def _large_form(size: int | None) -> Refusal | None:
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if size is None:
        return Refusal(HTTPStatus.LENGTH_REQUIRED, "Send the header Content-Length.")
    if size <= most:
        return None
    detail = f"The request has {size:,} bytes; {most:,} are allowed here."
    return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail, is_of_form=True)


def _large_file(upload: Upload, size: int | None) -> Refusal | None:
    most = upload.most_bytes
    if size is None or size <= most + BESIDE_THE_FILE:  # nginx counts a body of unknown length while it reads
        return None
    detail = f"The request has {size:,} bytes; {upload.what} may have {most:,}. {upload.cure}"
    return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)


class CheckedBodies:
    """Middleware that refuses a body by the head of its request, before any form is parsed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on, or return the answer to a refused one.

        Raises Http404, PermissionDenied, RequestDataTooBig.
        """
        size = _announced(request)
        if size <= SMALL:
            return self.get_response(request)
        try:
            match = resolve(request.path_info)
        except Http404:
            request.POST = QueryDict()
            raise
        refusal = refusal_of(request, match, size)
        if refusal is None or refusal.is_of_token:
            return self.get_response(request)
        request.POST = QueryDict()  # otherwise the pages of errors would parse the form for a token
        return refusal_problem(refusal) if API in match.namespaces else _page(request, refusal)


def _announced(request: HttpRequest) -> int:
    """Return Content-Length; 0 for a body of unknown length, which Django does not read."""
    length = str(request.META.get("CONTENT_LENGTH") or 0)
    return int(length) if length.isdecimal() else 0


def refusal_problem(refusal: Refusal) -> HttpResponse:
    """Return the refusal for programs."""
    is_large = refusal.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    kind = "urn:trackside:upload-too-large" if is_large else "about:blank"
    return problem(refusal.status, detail=refusal.detail, kind=kind)


def _page(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    if refusal.is_of_form:
        raise RequestDataTooBig(refusal.detail)
    if refusal.status == HTTPStatus.UNAUTHORIZED:
        return redirect_to_login(request.get_full_path())
    if refusal.status == HTTPStatus.NOT_FOUND:
        raise Http404
    if refusal.status == HTTPStatus.FORBIDDEN:
        raise PermissionDenied(refusal.detail)
    return render(request, "413.html", {"problem": refusal.detail}, status=refusal.status)


@require_safe
@never_cache
def upload_check(request: HttpRequest) -> HttpResponse:
    """Return 204 if the body of the request in X-Original-URI may be read, else 403, or in the API 401.

    nginx passes the request's other headers on, without its body. It understands these three statuses only,
    and answers the client with X-Refusal-Status and X-Refusal: a problem in JSON for a program, else a text.
    """
    path = unquote(request.headers.get("X-Original-URI", "/").partition("?")[0])
    length = request.headers.get("X-Original-Length", "")
    try:
        match = resolve(path)
    except Http404:
        return _answer(Refusal(HTTPStatus.NOT_FOUND), is_of_api=path.startswith(ROOT))
    refusal = refusal_of(request, match, int(length) if length.isdecimal() else None)
    if refusal and refusal.is_of_token and refusal.status == HTTPStatus.UNAUTHORIZED:
        try:
            spend_rate(name="unknown_token", who=requester_address(request))
        except TooManyRequests as error:
            refusal = Refusal(HTTPStatus.TOO_MANY_REQUESTS, str(error))
    return _answer(refusal, is_of_api=API in match.namespaces)


def _answer(refusal: Refusal | None, *, is_of_api: bool) -> HttpResponse:
    if refusal is None:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    text = refusal_problem(refusal).text if is_of_api else refusal.detail or refusal.status.phrase
    headers = {"X-Refusal-Status": str(refusal.status.value), "X-Refusal": text}
    status = HTTPStatus.UNAUTHORIZED if is_of_api else HTTPStatus.FORBIDDEN
    return HttpResponse(status=status, headers=headers)
