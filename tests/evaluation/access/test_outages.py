"""While database or broker do not answer: 503 with Retry-After, and one line in the log."""

import io
import logging
from collections.abc import Iterator

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client
from kombu.exceptions import OperationalError as BrokerError

from evaluation.access.outages import is_database_away
from evaluation.config.monitoring.logs import OutageFilter, TextFormatter
from tests.factories import make_user


@pytest.fixture
def log_lines() -> Iterator[io.StringIO]:
    """What the site's handler writes."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(TextFormatter())
    handler.addFilter(OutageFilter())
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def signed_in(client: Client) -> Client:
    """A person with a session in the database, which then stops answering."""
    client.force_login(make_user())
    client.raise_request_exception = False
    return client


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["/", "/account/", "/api/v1/tracks", "/admin/"])
def test_pages_and_api_answer_503_while_the_database_is_down(
    signed_in: Client, monkeypatch: pytest.MonkeyPatch, log_lines: io.StringIO, address: str
) -> None:
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    answer = signed_in.get(address, headers={"Authorization": "Bearer trackside_x"})
    assert answer.status_code == 503
    assert answer["Retry-After"] == "5"
    assert ("problem+json" in answer["Content-Type"]) == address.startswith("/api/")
    assert "database does not answer" in answer.content.decode()
    first, *more = log_lines.getvalue().splitlines()
    assert "OperationalError" in first
    assert len(more) <= 1  # of Django, for the API's own answer
    assert all(address in line for line in (first, *more))


def caused(state: str) -> OperationalError:
    """A Django error with an SQLSTATE, which wraps psycopg's error."""
    error = OperationalError("x")
    error.__cause__ = psycopg.errors.lookup(state)("x") if state else psycopg.OperationalError("x")
    return error


@pytest.mark.parametrize(
    ("state", "is_away"),
    [
        ("", True),
        ("57P01", True),
        ("57P03", True),
        ("08006", True),
        ("53300", True),
        ("40P01", False),
        ("57014", False),
    ],
)
def test_only_a_lost_or_refused_connection_is_an_outage(state: str, is_away: bool) -> None:
    assert is_database_away(caused(state)) is is_away


@pytest.mark.django_db
def test_another_fault_is_a_500_with_its_traceback(
    client: Client, monkeypatch: pytest.MonkeyPatch, log_lines: io.StringIO
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a fault of ours")

    client.force_login(make_user())
    monkeypatch.setattr("evaluation.access.health.database_answers", fail)
    client.raise_request_exception = False
    answer = client.get("/health")
    assert answer.status_code == 500
    assert "Traceback" in log_lines.getvalue()
    assert "Retry-After" not in answer.headers


def test_lost_broker_is_one_line_and_a_fault_keeps_its_traceback(log_lines: io.StringIO) -> None:
    log = logging.getLogger("celery.beat")
    for error in (BrokerError("Error 111 connecting"), ConnectionResetError("reset\nby peer")):
        try:
            raise error
        except (BrokerError, ConnectionError):
            log.exception("Message Error: %s\n%s", "x", ["frame 1", "frame 2"])
    assert (
        log_lines.getvalue()
        .splitlines()[0]
        .endswith("ERROR celery.beat: Message Error: x (OperationalError: Error 111 connecting)")
    )
    assert len(log_lines.getvalue().splitlines()) == 2
