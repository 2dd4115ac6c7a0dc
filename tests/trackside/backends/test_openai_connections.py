"""Connections to an endpoint: kept open, encrypted, through a proxy."""

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.evaluation.conftest import wait_for
from tests.judges.endpoint import Act, running
from tests.trackside.backends.chat_requests import asks, judge, only
from tests.trackside.backends.generators import responses, taking
from trackside.backends.openai_chat import OpenAIChat
from trackside.judging.asking import EndpointError, Response

pytestmark = pytest.mark.usefixtures("hasty")


def test_idle_connection_that_the_endpoint_has_closed_is_not_used() -> None:
    with running(lambda _: Act(is_last=True)) as endpoint:
        taken, got = taking(asks(4)), list[Response]()
        for batch in judge(endpoint).responses(lambda _: taken(1)):
            got += batch
            wait_for(lambda: endpoint.closed_count == len(endpoint.log), "the end of the connection")

    assert [response.fault for response in got] == [None] * 4


def test_each_connection_takes_one_request_after_the_other() -> None:
    with running() as endpoint:
        assert len(responses(judge(endpoint), asks(200))) == 200
        assert endpoint.connection_count <= OpenAIChat.in_flight


def certificate(folder: Path) -> Path:
    """A file with a key, and a certificate for 127.0.0.1 that only itself vouches for."""
    key, path, now = ec.generate_private_key(ec.SECP256R1()), folder / "server.pem", datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    path.write_bytes(key.private_bytes(pem, *plain) + built.public_bytes(pem))
    return path


def test_endpoint_with_tls_is_asked_only_if_its_certificate_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = certificate(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(path)
    with running(tls=tls) as endpoint:
        response = only(judge(endpoint))
        assert response.fault is EndpointError.CONNECTION_LOST
        assert "certificate verify failed" in response.detail
        assert endpoint.log == []

        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        assert only(judge(endpoint)).fault is None


def test_requests_go_through_the_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as proxy, running() as endpoint:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        only(judge(endpoint))
        assert [request.target for request in proxy.log] == [f"{endpoint.url}/chat/completions"]

        monkeypatch.setenv("no_proxy", "127.0.0.1")
        only(judge(endpoint))
        assert [request.target for request in endpoint.log] == ["/v1/chat/completions"]


def test_requests_name_the_organization_of_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "lab")
    with running() as endpoint:
        only(judge(endpoint))

        assert endpoint.log[0].headers["openai-organization"] == "lab"
        assert "openai-project" not in endpoint.log[0].headers
