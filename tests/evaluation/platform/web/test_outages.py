"""While database, broker or storage are away: 503 with Retry-After, and one line in the log."""

import errno
import io
import logging
import os
from collections.abc import Iterator

import psycopg
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError
from celery import Celery
from celery.beat import ScheduleEntry, Scheduler
from celery.schedules import schedule
from django.core.files.base import ContentFile
from django.db import OperationalError, connection, transaction
from django.test import Client
from django.urls import reverse

from evaluation.config.monitoring.logs import OutageFilter, TextFormatter
from evaluation.models import Phase, Run
from evaluation.platform.web.outages import is_database_away, is_storage_away
from tests.factories import make_task, make_team, make_team_member, make_user


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


@pytest.mark.django_db
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_upload_to_a_full_or_read_only_disk_is_503_and_stores_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch, log_lines: io.StringIO, number: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    task = make_task(phase=Phase.OPEN, topic_count=1)
    team = make_team(task.track)
    client.force_login(make_team_member(team))
    client.raise_request_exception = False
    monkeypatch.setattr("evaluation.config.backends.blob_storage.WholeFileStorage._save", fail)
    file = ContentFile(b"T1 Q0 D1 1 1.0 tag\n", "a.run")
    address = reverse("run_upload", args=[task.track.slug, task.slug])
    answer = client.post(address, {"team": team.pk, "description": "", "file": file})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "storage is full" in answer.content.decode()
    assert "Traceback" not in log_lines.getvalue()
    assert os.strerror(number) in log_lines.getvalue()
    assert not Run.objects.exists()


def refused(status: int) -> ClientError:
    """A bucket's refusal."""
    return ClientError({"ResponseMetadata": {"HTTPStatusCode": status}}, "PutObject")


@pytest.mark.parametrize(
    ("error", "is_away"),
    [
        (EndpointConnectionError(endpoint_url="http://s3"), True),
        (ReadTimeoutError(endpoint_url="http://s3"), True),
        (refused(503), True),
        (refused(403), False),  # wrong keys do not pass by themselves
        (FileNotFoundError(errno.ENOENT, "x"), False),
        (ValueError("x"), False),
    ],
)
def test_only_what_may_pass_is_an_outage_of_the_storage(error: Exception, is_away: bool) -> None:
    assert is_storage_away(error) is is_away


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
        ("53100", True),
        ("40P01", False),
        ("57014", False),
    ],
)
def test_only_a_lost_or_refused_connection_or_a_full_disk_is_an_outage(state: str, is_away: bool) -> None:
    assert is_database_away(caused(state)) is is_away


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("limit", "statement"),
    [("statement_timeout", "SELECT pg_sleep(60)"), ("lock_timeout", "SELECT pg_advisory_xact_lock(42)")],
)
def test_page_whose_statement_reaches_its_time_limit_is_503_and_keeps_the_traceback(
    client: Client, monkeypatch: pytest.MonkeyPatch, log_lines: io.StringIO, limit: str, statement: str
) -> None:
    def wait() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL {limit} = 5")  # milliseconds
            cursor.execute(statement)

    client.force_login(make_user())
    monkeypatch.setattr("evaluation.config.monitoring.probes.database_answers", wait)
    client.raise_request_exception = False
    with psycopg.connect(connection.connection.info.dsn) as other:
        other.execute("SELECT pg_advisory_xact_lock(42)")
        answer = client.get("/health")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "is busy" in answer.content.decode()
    assert "Traceback" in log_lines.getvalue(), "it shows which statement was slow"


@pytest.mark.django_db
def test_another_fault_is_a_500_with_its_traceback(
    client: Client, monkeypatch: pytest.MonkeyPatch, log_lines: io.StringIO
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("a fault of ours")

    client.force_login(make_user())
    monkeypatch.setattr("evaluation.config.monitoring.probes.database_answers", fail)
    client.raise_request_exception = False
    answer = client.get("/health")
    assert answer.status_code == 500
    assert "Traceback" in log_lines.getvalue()
    assert "Retry-After" not in answer.headers


@pytest.mark.parametrize("kind", ["amqp", "redis"])
def test_beat_without_a_broker_logs_one_line_a_message(kind: str, log_lines: io.StringIO) -> None:
    app = Celery(
        "away",
        set_as_current=False,
        broker=f"{kind}://127.0.0.1:1//",
        broker_transport_options={"max_retries": 0},
    )
    app.conf.task_publish_retry = False
    entry = ScheduleEntry(name="each", task="site.each", schedule=schedule(60.0), app=app)
    Scheduler(app, schedule={}).apply_entry(entry)
    [line] = log_lines.getvalue().splitlines()
    assert "ERROR celery.beat: Message Error: Couldn't apply scheduled task each" in line
    assert "onnection refused" in line


def test_fault_of_ours_in_beat_keeps_its_traceback(log_lines: io.StringIO) -> None:
    app = Celery("away", set_as_current=False, broker="memory://")
    entry = ScheduleEntry(name="each", task="site.each", schedule=schedule(60.0), args=(object(),), app=app)
    Scheduler(app, schedule={}).apply_entry(entry)  # JSON has no such argument
    assert "Traceback" in log_lines.getvalue()
