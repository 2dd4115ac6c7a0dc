"""Operations that were removed: their addresses answer 410 and say what to do instead."""

import re
from http import HTTPStatus
from inspect import Parameter, Signature
from typing import Any

from django.http import HttpRequest
from ninja import Router

from trackside.errors import InputError

PARAMETER = re.compile(r"\{(?:\w+:)?(\w+)\}")
GONE: dict[str, str] = {}  # the words of each removed operation, by its name


def gone(router: Router, method: str, path: str, *, name: str, words: str) -> None:
    """Register the address of a removed operation: everybody gets 410 with the code ``gone``.

    ``words`` are those of the CHANGELOG. The operation is absent from the API's description.
    """

    def view(_request: HttpRequest, **_named: Any) -> None:
        raise InputError(words, code="gone", status=HTTPStatus.GONE)

    GONE[name] = words
    names = ("request", *PARAMETER.findall(path))
    parameters = [Parameter(each, Parameter.POSITIONAL_OR_KEYWORD, annotation=Any) for each in names]
    view.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # ninja compares it with the path
    register = router.api_operation([method], path, auth=None, include_in_schema=False, url_name=name)
    register(view)
