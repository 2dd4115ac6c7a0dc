from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from judges.core.endpoints import client_options, fetch_shutdown_date, key_variable, replica_of, shutdown_date
from judges.core.settings import Settings
from tests.judges.endpoint import Act, running


@pytest.mark.parametrize(
    ("endpoint", "variable"),
    [
        ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("http://gpu-1.example.org:8000/v1", "JUDGE_KEY_GPU_1_EXAMPLE_ORG"),
        ("https://lab.openai.azure.com/openai/v1?api-version=preview", "JUDGE_KEY_LAB_OPENAI_AZURE_COM"),
    ],
)
def test_key_variable_follows_from_the_host(endpoint: str, variable: str) -> None:
    assert key_variable(endpoint) == variable


def test_client_options_part_the_address_from_what_goes_along_with_each_request() -> None:
    azure = "https://lab.openai.azure.com/openai/deployments/judge?api-version=2024-10-21"

    found = client_options(azure, {"JUDGE_KEY_LAB_OPENAI_AZURE_COM": "secret"})

    assert found["base_url"] == "https://lab.openai.azure.com/openai/deployments/judge"
    assert found["default_query"] == {"api-version": "2024-10-21"}
    assert (found["api_key"], found["default_headers"]) == ("secret", {"api-key": "secret"})


def test_client_options_keep_the_key_out_of_other_headers() -> None:
    found = client_options("http://gpu1:8000/v1", {})

    assert (found["api_key"], found["default_headers"], found["max_retries"]) == ("none", {}, 0)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ({"shutdown_date": "2027-03-01"}, date(2027, 3, 1)),
        ({"deprecation": "2027-03-01T12:00:00Z"}, date(2027, 3, 1)),
        ({"deprecation": {"fine_tune": None, "inference": 1_803_859_200}}, date(2027, 3, 1)),
        ({"shutdown_date": None, "deprecation": None}, None),
        ({"shutdown_date": "soon"}, None),
        ({"deprecation": {"inference": 10**30}}, None),
        ({}, None),
        ("a page", None),
    ],
)
def test_shutdown_date_is_read_in_the_ways_that_vendors_tell_it(model: object, expected: date | None) -> None:
    assert shutdown_date(model) == expected


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (Act(body=b'{"id": "m", "object": "model", "shutdown_date": "2027-03-01"}'), date(2027, 3, 1)),
        (Act(body=b'{"id": "m", "object": "model", "created": 0, "owned_by": "vllm"}'), None),
        (Act(status=404), None),
        (Act(body=b"<p>hello</p>", content_type="text/html"), None),
        (Act(is_reset=True), None),
    ],
)
def test_endpoint_is_asked_for_the_shutdown_date_of_its_model(act: Act, expected: date | None) -> None:
    settings = Settings(backend="openai_chat", revision=1, model="judge-2026-01-31", model_revision="1")
    with running(lambda _: act) as endpoint:
        assert fetch_shutdown_date(replace(settings, endpoint=endpoint.url), {}) == expected

        assert endpoint.log[0].target == "/v1/models/judge-2026-01-31"


def test_replica_of_a_topic_follows_from_its_hash() -> None:
    # By sha256sum the first 16 digits of "T1" are 1f93603db53bfad5. 16 is 1 modulo 3, so their sum counts,
    # which is 123.
    assert replica_of("T1", 3) == 0
    assert {replica_of(f"T{place}", 3) for place in range(30)} == {0, 1, 2}
    assert {replica_of(f"T{place}", 1) for place in range(5)} == {0}
