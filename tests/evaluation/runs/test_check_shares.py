"""Tracks and people share the workers that check uploads: many uploads of one do not delay the others."""

import threading

import pytest
from django.db import connection

from evaluation.models import Phase, Run, RunState, Task, User
from evaluation.runs.checking import check_next, hold_share, next_to_check
from tests.factories import make_blob, make_run, make_task, make_team, make_team_member, make_user

pytestmark = pytest.mark.django_db

SOUND = b"T1 Q0 D1 1 1 tag\n"


def _task() -> Task:
    return make_task(phase=Phase.OPEN, topic_count=1, document_count=1)


def _upload(task: Task, by: User | None = None) -> Run:
    """An upload of a further team of the track."""
    team = make_team(task.track)
    by = by or make_team_member(team)
    return make_run(task, team, state=RunState.RECEIVED, upload=make_blob(SOUND), received_by=by)


def _in_turn() -> list[Run]:
    checked = []
    while run := check_next():
        checked.append(run)
    return checked


@pytest.mark.usefixtures("sandbox_threads")
@pytest.mark.parametrize("of_another", ["track", "person"])
def test_upload_waits_behind_one_of_another_and_not_behind_all(of_another: str) -> None:
    busy, person = _task(), make_user()
    waiting = [_upload(busy, person if of_another == "person" else None) for _ in range(3)]
    late = _upload(_task() if of_another == "track" else busy)
    assert _in_turn() == [waiting[0], late, waiting[1], waiting[2]]


def test_failed_attempt_is_a_turn_too(monkeypatch: pytest.MonkeyPatch) -> None:
    task = _task()
    hostile, late = _upload(task), _upload(_task())
    with monkeypatch.context() as patch:
        patch.setattr("evaluation.runs.reading.SILENCE_SECONDS", 1e-4)  # less than a tick of the processor
        assert check_next() is None
    hostile.refresh_from_db()
    assert hostile.check_attempt_count == 1
    assert check_next() == late


@pytest.mark.django_db(transaction=True)
def test_person_has_one_upload_checked_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next check starts when that has its verdict, not at the next sweep."""
    sent: list[tuple[int, ...]] = []
    monkeypatch.setattr("celery.Celery.send_task", lambda _, name, args=(): sent.append(args))
    task, person = _task(), make_user()
    first, second = _upload(task, person), _upload(task, person)
    late = _upload(task)
    chosen: list[Run | None] = []

    def choose() -> None:
        chosen.append(next_to_check())
        connection.close()

    with hold_share(person.pk) as is_free:
        assert is_free
        other_session = threading.Thread(target=choose)
        other_session.start()
        other_session.join()
    assert chosen == [late]
    assert check_next() == first
    assert (second.pk,) in sent
