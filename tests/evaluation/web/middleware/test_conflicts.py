"""A conflict with a concurrent request is answered by 409, other errors by 500."""

from typing import Any

import pytest
from django.db import DataError, IntegrityError
from django.test import Client
from psycopg import errors

from tests.factories import make_user
from trackside.errors import InputError

pytestmark = pytest.mark.django_db


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (caused(IntegrityError("x"), errors.UniqueViolation("x")), 409, "such as the same form sent twice"),
        (caused(IntegrityError("x"), errors.ForeignKeyViolation("x")), 409, "Another request changed"),
        (InputError("The name is <taken>."), 409, "The name is &lt;taken&gt;."),
        (caused(IntegrityError("x"), errors.CheckViolation("x")), 500, "logged"),
        (caused(DataError("x"), errors.NumericValueOutOfRange("x")), 500, "logged"),
    ],
)
def test_conflict_gets_409_and_other_errors_500(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, words: str
) -> None:
    def refuse(**_: Any) -> None:
        raise error

    monkeypatch.setattr("evaluation.access.pages.rename_person", refuse)
    client.force_login(make_user())
    client.raise_request_exception = False
    answer = client.post("/account/name/", {"name": "New"})
    assert answer.status_code == status
    assert words in answer.content.decode()
