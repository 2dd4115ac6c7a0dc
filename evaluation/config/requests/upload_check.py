"""The address that nginx asks, by the head of a request, whether it may read the body."""

from http import HTTPStatus
from urllib.parse import unquote

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from evaluation.access.limits.rates import TooManyRequests, spend_rate
from evaluation.access.limits.views import requester_address
from evaluation.config.requests.uploads import API, Refusal, refusal_of, refusal_problem
from evaluation.web.middleware.api_answers import ROOT


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
