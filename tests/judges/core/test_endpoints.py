from __future__ import annotations

import pytest

from judges.core.endpoints import client_options, key_variable


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
