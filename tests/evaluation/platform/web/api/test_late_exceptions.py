"""Late-run exceptions by the API: granted, listed and withdrawn by organizers, with their scope only."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from evaluation.models import LateException, Phase, Scope, Task, Team, User
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import make_organizer, make_task, make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    """A closed task whose judging has no date yet."""
    return make_task(phase=Phase.CLOSED, judging_at=None, releases_at=None)


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


@pytest.fixture
def program(organizer: User) -> Client:
    return program_of(organizer, Scope.ORGANIZE)


def grant(program: Client, task: Task, **changes: Any) -> Any:
    """The response to a grant of a day to Kestrel, with ``changes``."""
    end = timezone.now() + timedelta(days=1)
    sent = {"team": "Kestrel", "closes_at": end.isoformat(), "reason": "Their disk broke."} | changes
    return program.post(address_of(task, "/late-exceptions"), sent)


def test_exception_is_granted_listed_and_withdrawn(
    program: Client, task: Task, team: Team, organizer: User
) -> None:
    answer = grant(program, task)
    assert answer.status_code == 201
    granted = LateException.objects.get()
    assert (granted.team, granted.granted_by, granted.reason) == (team, organizer, "Their disk broke.")
    made = answer.json()
    assert (made["id"], made["team"], made["withdrawn_at"]) == (granted.pk, "Kestrel", None)
    address = address_of(task, "/late-exceptions")
    assert program.get(address).json() == {"count": 1, "items": [made]}
    withdraw = f"{address}/{granted.pk}/withdraw"
    assert program.post(withdraw).json()["withdrawn_at"]
    assert program.post(withdraw).status_code == 409
    granted.refresh_from_db()
    assert granted.withdrawn_by == organizer


@pytest.mark.parametrize(
    "changes",
    [
        {"team": "Unknown"},
        {"team": "Kest\0rel"},
        {"reason": " "},
        {"reason": "a\0b"},
        {"closes_at": "2020-01-01T00:00:00Z"},
        {"closes_at": "2030-01-01T00:00:00"},  # in no zone
    ],
)
def test_grant_that_cannot_be_made_is_refused(
    program: Client, task: Task, team: Team, changes: dict[str, str]
) -> None:
    assert grant(program, task, **changes).status_code == 422
    assert not LateException.objects.exists()


def test_team_of_another_track_is_unknown_and_a_token_needs_the_scope(
    program: Client, task: Task, organizer: User
) -> None:
    make_team(name="Kestrel")
    answer = grant(program, task)
    assert (answer.status_code, "has no team Kestrel" in answer.json()["detail"]) == (422, True)
    assert grant(program_of(organizer, Scope.READ, Scope.SUBMIT), task).status_code == 403


def test_exception_of_another_task_is_not_found(program: Client, task: Task, team: Team) -> None:
    number = grant(program, task).json()["id"]
    other = make_task(task.track, phase=Phase.CLOSED)
    assert program.post(address_of(other, f"/late-exceptions/{number}/withdraw")).status_code == 404
