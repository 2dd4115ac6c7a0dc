"""/health is public and reports what does not answer."""

import pytest
from django.db import connection
from django.test import Client, override_settings

from evaluation.config.celery import app


@pytest.mark.django_db
@override_settings(SECURE_SSL_REDIRECT=True)
def test_health_reports_without_https_that_database_and_queue_answer(client: Client) -> None:
    answer = client.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"database": "answers", "queue": "answers"}


@pytest.mark.django_db
def test_health_names_a_queue_that_does_not_answer(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.conf, "broker_write_url", "redis+socket:///nowhere/valkey.sock")
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json() == {"database": "answers", "queue": "does not answer"}


@pytest.mark.django_db(transaction=True)
def test_health_names_a_database_that_does_not_answer(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json() == {"database": "does not answer", "queue": "answers"}
