"""Generated requests: schemathesis sends what the schema allows, and much that it does not allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings

from evaluation.config.api import api
from evaluation.config.wsgi import application
from tests.marks import quick_only
from tests.whole_site import WholeSite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemathesis import Case
    from schemathesis.core.transport import Response

EXAMPLES = 8
LABELS = [
    f"{method.upper()} {path}" for path, by in api.get_openapi_schema()["paths"].items() for method in by
]


def closing(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
    """The site, for a client that forgets to close answers."""
    answer = application(environ, start_response)
    yield from answer
    if hasattr(answer, "close"):
        answer.close()


@pytest.fixture(scope="module")
def one_connection() -> Iterator[None]:
    """Keep the connection of the tests' transaction in requests, as Django's test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def operations(one_connection: None) -> dict[str, Any]:
    """The operations by label. Only the worker that runs these tests imports schemathesis, for a second."""
    import schemathesis
    from schemathesis.core.result import Ok

    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", closing)
    found = [each.ok() for each in schema.get_all_operations() if isinstance(each, Ok)]
    return {each.label: each for each in found}


@pytest.fixture(scope="module")
def checks() -> list[Any]:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    def status_is_named(_: object, response: Response, case: Case[Any]) -> None:
        """The default response would fit any status."""
        assert str(response.status_code) in case.operation.definition.raw["responses"], case.operation.label

    return [
        status_is_named,
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]


@pytest.fixture
def site(whole_site: WholeSite) -> WholeSite:
    return whole_site


def test_every_operation_is_requested(operations: dict[str, Any]) -> None:
    assert sorted(LABELS) == sorted(operations)
    assert len(LABELS) > 20


@pytest.mark.django_db
@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("is_there", quick_only([False, True], quick=[True]))
def test_api_keeps_its_schema(
    site: WholeSite, operations: dict[str, Any], checks: list[Any], label: str, is_there: bool
) -> None:
    """As the organizer, for URLs of missing rows and for those of a whole site."""
    operation = operations[label]

    @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def keeps(case: Case[Any]) -> None:
        if is_there:
            case.path_parameters = {name: site.first_values[name] for name in case.path_parameters}
        headers = {"Authorization": f"Bearer {site.secrets['organizer']}"}
        case.call_and_validate(headers=headers, checks=checks)

    keeps()
