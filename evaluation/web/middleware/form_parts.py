"""Middleware that refuses forms whose parts have malformed headers."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.utils.datastructures import MultiValueDict


def with_sound_parts(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer 400 to a form with a part whose parameters are ``a*0=b; a*=c``.

    Python's parser of headers raises TypeError for it, which Django does not expect. Forms are parsed when
    the first view or middleware reads them, and django-pghistory replaces the request's class before that.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.content_type == "multipart/form-data":
            parse = request.parse_file_upload

            def parse_or_refuse(
                META: Mapping[str, Any],  # noqa: N803 - Django's name
                post_data: Any,
            ) -> tuple[QueryDict, MultiValueDict[str, Any]]:
                try:
                    return parse(META, post_data)
                except TypeError as error:
                    raise MultiPartParserError("The header of a part cannot be parsed.") from error

            request.parse_file_upload = parse_or_refuse  # type: ignore[method-assign]
        return get_response(request)

    return middleware
