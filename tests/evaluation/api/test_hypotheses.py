"""Generated requests: schemathesis sends what the schema allows, and much that it does not allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from evaluation.config.api import api
from evaluation.config.wsgi import application
from tests.whole_site import WholeSite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemathesis import Case

EXAMPLES = 8
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def closing(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    """The site, for a client that forgets to close answers."""
    answer = application(environ, start_response)
    yield from answer
    if hasattr(answer, "close"):
        answer.close()


SCHEMA = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", closing)
FOUND = [each.ok() for each in SCHEMA.get_all_operations() if isinstance(each, Ok)]
OPERATIONS = {each.label: each for each in FOUND}


@pytest.fixture
def site(whole_site: WholeSite) -> WholeSite:
    return whole_site


@pytest.fixture
def _one_connection() -> Iterator[None]:
    """Keep the connection of the test's transaction in requests, as Django's test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_every_operation_is_requested() -> None:
    paths = api.get_openapi_schema()["paths"]
    assert sum(map(len, paths.values())) == len(OPERATIONS) > 20


@pytest.mark.usefixtures("_one_connection")
@pytest.mark.django_db
@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.parametrize("is_there", [False, True])
def test_api_keeps_its_schema(site: WholeSite, label: str, is_there: bool) -> None:
    """As the organizer, for URLs of missing rows and for those of a whole site."""
    operation = OPERATIONS[label]

    @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def keeps(case: Case[Any]) -> None:
        if is_there:
            case.path_parameters = {name: site.first_values[name] for name in case.path_parameters}
        headers = {"Authorization": f"Bearer {site.secrets['organizer']}"}
        case.call_and_validate(headers=headers, checks=CHECKS)

    keeps()
