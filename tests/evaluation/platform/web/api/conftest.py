"""Helpers for programs that sign in with a token."""

import pytest
from django.test import Client

from evaluation.models import Phase, Scope, Task, Team, User
from evaluation.platform.access.actions import create_token
from tests.factories import make_task, make_team, make_team_member


def secret_of(person: User, *scopes: Scope) -> str:
    """The secret of a new token of the person with these scopes, or with all."""
    return create_token(name="script", scopes=scopes or list(Scope), days=1, by=person).secret


def program_of(person: User, *scopes: Scope) -> Client:
    """A client that sends a token of the person with these scopes, or with all."""
    return Client(headers={"Authorization": f"Bearer {secret_of(person, *scopes)}"})


def address_of(task: Task, rest: str = "") -> str:
    """An address below the task's."""
    return f"/api/v1/tracks/{task.track.slug}/tasks/{task.slug}{rest}"


@pytest.fixture
def task() -> Task:
    return make_task(phase=Phase.OPEN, topic_count=3, document_count=2)


@pytest.fixture
def team(task: Task) -> Team:
    return make_team(task.track, name="Kestrel")


@pytest.fixture
def member(team: Team) -> User:
    return make_team_member(team)


@pytest.fixture
def program(member: User) -> Client:
    return program_of(member)
