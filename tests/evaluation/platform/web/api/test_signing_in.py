"""A token allows what its scopes name, and never more than its owner may do."""

import pytest
from django.test import Client

from evaluation.models import Phase, Scope, Task
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import make_organizer, make_pool, make_qrels, make_staff, make_task, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("sent", [None, "Bearer nothing", "Basic dTpw", "Bearer", "Bearer \u00e9"])
def test_without_a_token_everything_is_refused(sent: str | None) -> None:
    client = Client(headers={"Authorization": sent} if sent else {})
    client.force_login(make_user())  # the API ignores sessions
    answer = client.get("/api/v1/tracks")
    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert "/account/tokens/" in answer.json()["detail"]


def test_scope_that_is_missing_is_named(task: Task) -> None:
    answer = program_of(make_user(), Scope.READ).post(address_of(task, "/runs"))
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:trackside:scope-missing")
    assert "may submit" in answer.json()["detail"]
    assert program_of(make_user(), Scope.SUBMIT).get("/api/v1/tracks").status_code == 403


def test_organize_alone_reads_and_submits_too(task: Task) -> None:
    program = program_of(make_organizer(task.track), Scope.ORGANIZE)
    assert program.get("/api/v1/tracks").status_code == 200
    answer = program.post(address_of(task, "/runs"))
    assert answer.status_code == 422  # no file, but the scope is enough


@pytest.mark.parametrize("is_staff", [False, True])
def test_token_without_organize_sees_what_anybody_sees(is_staff: bool) -> None:
    task = make_task(phase=Phase.JUDGING)
    make_pool(task)
    qrels = make_qrels(task)
    person = make_staff() if is_staff else make_organizer(task.track)
    whole, reading = program_of(person), program_of(person, Scope.READ)
    for rest in ("/pools", "/jobs", "/judging", f"/qrels/{qrels.pk}/file"):
        assert whole.get(address_of(task, rest)).status_code == 200, rest
        assert reading.get(address_of(task, rest)).status_code == 404, rest
    assert (whole.get(address_of(task, "/qrels")).json()["count"]) == 1
    assert (reading.get(address_of(task, "/qrels")).json()["count"]) == 0
    person.refresh_from_db()
    assert person.is_superuser == is_staff
