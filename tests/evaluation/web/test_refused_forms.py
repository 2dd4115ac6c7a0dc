"""Forms that Django refuses to read."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

pytestmark = pytest.mark.django_db


def test_form_with_too_much_text_is_refused_with_its_limit(client: Client, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2**19
    answer = client.post(reverse("account_login"), {"login": "a" * 2**19})
    assert answer.status_code == 413
    assert "at most 0.5 MiB" in answer.content.decode()


def test_unreadable_request_is_not_called_large(client: Client) -> None:
    answer = client.get(reverse("home"), headers={"host": "other.example.org"})
    assert answer.status_code == 400
    assert "Invalid request" in answer.content.decode()
