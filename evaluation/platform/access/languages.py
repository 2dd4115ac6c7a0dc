"""The language of a page: the reader's where its texts are translated, else English."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from evaluation.platform.access.people import User

View = Callable[..., HttpResponseBase]

ACCOUNT = "account/"  # every page below this path is translated, also django-allauth's


def translated(view: View) -> View:
    """Mark a view whose texts are all translated: it runs in the reader's language."""
    vars(view)["is_translated"] = True
    return view


def chosen_language(person: User) -> str:
    """Return the code of the language that a person has chosen; empty if none, or if the site lacks it."""
    return person.language if person.language in dict(settings.LANGUAGES) else ""


def mail_language(person: User | None) -> str:
    """Return the language of mails to a person: the chosen one, else English."""
    return (person and chosen_language(person)) or settings.LANGUAGE_CODE


def reader_language(request: HttpRequest) -> str:
    """Return the language that the reader has chosen, else the first one the browser asks for."""
    chosen = chosen_language(request.user) if request.user.is_authenticated else ""
    return chosen or translation.get_language_from_request(request)


class ReaderLanguage:
    """Middleware that activates the reader's language for translated views, and for their error pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on; name the language of a translated answer for caches."""
        try:
            response = self.get_response(request)
            if getattr(request, "is_translated", False):
                response.headers.setdefault("Content-Language", translation.get_language() or "")
                patch_vary_headers(response, ("Accept-Language",))
            return response
        finally:
            translation.deactivate()

    def process_view(
        self, request: HttpRequest, view: View, _values: tuple[Any, ...], _named: dict[str, Any]
    ) -> HttpResponse | None:
        """Activate the reader's language if the view is translated."""
        is_account = request.resolver_match is not None and request.resolver_match.route.startswith(ACCOUNT)
        if is_account or getattr(view, "is_translated", False):
            request.is_translated = True  # type: ignore[attr-defined]
            translation.activate(reader_language(request))
        return None
