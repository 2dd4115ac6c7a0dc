from dataclasses import replace
from datetime import date

import pytest

from tests.judges.endpoint import Act, running
from trackside.judging.endpoints.clients import client_options, fetch_shutdown_date, replica_of, shutdown_date
from trackside.judging.endpoints.keys import EndpointRefused, endpoint_key, key_variable
from trackside.judging.settings import Settings


@pytest.mark.parametrize(
    ("endpoint", "variable"),
    [
        ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("https://gpu.example.org/v1", "JUDGE_KEY_GPU_EXAMPLE_ORG"),
        ("https://gpu.example.org:443/v1", "JUDGE_KEY_GPU_EXAMPLE_ORG"),
        ("http://gpu-1.example.org:8000/v1", "JUDGE_KEY_GPU__1_EXAMPLE_ORG_HTTP_8000"),
        ("https://my_vllm:8443/v1", "JUDGE_KEY_MY___VLLM_PORT_8443"),
        ("http://10.0.0.5/v1", "JUDGE_KEY_10_0_0_5_HTTP_80"),
        ("http://[::1]:8000/v1", "JUDGE_KEY_V6_00000000000000000000000000000001_HTTP_8000"),
        ("http://api.openai.com/v1", "JUDGE_KEY_API_OPENAI_COM_HTTP_80"),
        ("https://lab.openai.azure.com/openai/v1?api-version=preview", "JUDGE_KEY_LAB_OPENAI_AZURE_COM"),
    ],
)
def test_key_variable_follows_from_scheme_host_and_port(endpoint: str, variable: str) -> None:
    assert key_variable(endpoint) == variable


def test_key_variables_of_different_servers_differ() -> None:
    hosts = ["a-b.com", "a.b.com", "a_b.com", "a--b.com", "ab.com", "a.b-com", "10.0.0.1", "gpu1"]
    endpoints = [f"{scheme}://{host}{port}" for scheme in ("http", "https") for host in hosts
                 for port in (":8000", ":80", ":8443")]  # fmt: skip
    endpoints += [f"https://{host}" for host in hosts]

    assert len({key_variable(each) for each in endpoints}) == len(endpoints)


@pytest.mark.parametrize("host", ["a__b.com", "-a.com", "a-.com", "a..com", "gpu.port.8000", "", "a%2eb.com"])
def test_key_variable_refuses_a_host_that_could_be_read_as_another_one(host: str) -> None:
    with pytest.raises(EndpointRefused, match="not a host name"):
        key_variable(f"https://{host}:8000/v1")


def test_key_of_another_port_or_scheme_is_not_sent() -> None:
    keys = {"JUDGE_KEY_LAB_EXAMPLE_ORG": "secret", "JUDGE_KEY_A_B_ORG": "other"}

    assert endpoint_key("https://lab.example.org/v1", keys) == "secret"
    for endpoint in ("https://lab.example.org:8443/v1", "http://lab.example.org/v1", "https://a-b.org/v1"):
        with pytest.raises(EndpointRefused, match="reads its key from JUDGE_KEY_"):
            endpoint_key(endpoint, keys)
        assert (
            endpoint_key(endpoint, {key_variable(endpoint): "none", "JUDGE_HTTP_HOSTS": "lab.example.org"})
            == "none"
        )


@pytest.mark.parametrize(
    ("endpoint", "has_key", "listed", "is_sent"),
    [
        ("http://127.0.0.1:1/v1", True, "", True),
        ("http://localhost:1/v1", True, "", True),
        ("http://gpu1:8000/v1", False, "", True),
        ("http://10.0.0.5:8000/v1", False, "", True),
        ("http://gpu1:8000/v1", True, "", False),
        ("http://10.0.0.5:8000/v1", True, "", False),
        ("http://gpu1:8000/v1", True, "gpu1 gpu2", True),
        ("http://models.example.org/v1", False, "", False),
        ("http://models.example.org/v1", True, "", False),
        ("http://models.example.org/v1", True, "models.example.org", True),
        ("https://models.example.org/v1", True, "", True),
    ],
)
def test_key_is_sent_without_tls_only_where_the_operator_allows_it(
    endpoint: str, has_key: bool, listed: str, is_sent: bool
) -> None:
    keys = {"JUDGE_HTTP_HOSTS": listed} | ({key_variable(endpoint): "secret"} if has_key else {})
    if is_sent:
        assert endpoint_key(endpoint, keys) == ("secret" if has_key else "none")
    else:
        with pytest.raises(EndpointRefused, match="has no TLS"):
            endpoint_key(endpoint, keys)


def test_redirect_is_not_followed_so_the_key_stays_with_its_server() -> None:
    with running() as thief:
        moved = Act(status=307, headers={"location": f"{thief.url}/models/judge"})
        with running(lambda _: moved) as endpoint:
            variable = key_variable(endpoint.url)
            settings = Settings(
                backend="openai_chat", revision=1, model="judge", model_revision="", endpoint=endpoint.url
            )
            assert fetch_shutdown_date(settings, {variable: "secret"}) is None

        assert len(endpoint.log) == 1
        assert thief.log == []


def test_shutdown_date_in_a_hostile_response_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trackside.judging.endpoints.clients.TIMEOUT", 2.0)
    nested = b"[" * 2000 + b"]" * 2000
    acts = [Act(is_drip=True, body=b"{}"), Act(is_endless=True, body=b""), Act(body=nested)]
    with running(lambda _: acts.pop()) as endpoint:
        settings = Settings(
            backend="openai_chat", revision=1, model="judge", model_revision="", endpoint=endpoint.url
        )
        assert [fetch_shutdown_date(settings, {}) for _ in range(3)] == [None] * 3
    assert not acts


def test_client_options_split_a_url_into_base_and_query() -> None:
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
def test_shutdown_date_is_read_in_the_forms_of_all_vendors(model: object, expected: date | None) -> None:
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
