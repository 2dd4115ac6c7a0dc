"""Two concurrent requests: the second waits for the first and sees its changes."""

from __future__ import annotations

import time
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.base import ContentFile
from django.db import connection, transaction
from django.test import Client

from evaluation.models import Membership, Phase, Pool, Role, Run, RunState, User
from evaluation.pools.actions import NoRunsToPool, build_pool
from evaluation.runs.checking import check_run
from evaluation.runs.editing import RunSettled, withdraw_run
from evaluation.runs.receiving import receive_run
from evaluation.teams.invitations import accept_invitation, invite_member
from judges.models import Judge
from judges.prompts.actions import create_prompt
from tests.factories import (
    make_organizer,
    make_pool,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.models import Track

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "a brand new passphrase"
WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


def at_once(first: Callable[[], object], second: Callable[[], object]) -> Any:
    """Start the second call while the first's transaction is open; return its result or exception.

    The first commits when the second waits for a lock, or has ended.
    """
    found: list[object] = []

    def run_second() -> None:
        try:
            found.append(second())
        except Exception as error:  # noqa: BLE001 - the caller asserts which
            found.append(error)
        finally:
            connection.close()

    beside = Thread(target=run_second)
    with transaction.atomic():
        first()
        beside.start()
        while beside.is_alive() and not _is_waiting():
            time.sleep(0.02)
    beside.join()
    return found[0]


def _is_waiting() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees its first snapshot
        cursor.execute(WAITING)
        return bool(cursor.fetchone()[0])


def invited(track: Track, email: str) -> str:
    """The token of a new invitation."""
    tokens: list[str] = []

    def keep(token: str) -> str:
        tokens.append(token)
        return "/"

    invite_member(track=track, email=email, by=make_organizer(track), accept_url=keep)
    return tokens[0]


def posted(address: str, form: dict[str, Any], person: User | None = None) -> Callable[[], int]:
    """The status of a form that the person sends."""
    client = Client()
    if person:
        client.force_login(person)
    return lambda: client.post(address, form).status_code


def test_run_that_is_withdrawn_during_a_check_is_not_replaced() -> None:
    task = make_task(topic_count=1, document_count=1)
    run = make_run(task, tag="kestrel")
    fresh = receive_run(
        task=task,
        team=run.team,
        file=ContentFile(b"T1 Q0 D1 1 0.5 kestrel\n", "a.run"),
        description="",
        by=make_team_member(run.team),
    )
    at_once(lambda: withdraw_run(run=run, by=run.received_by), lambda: check_run(run_id=fresh.pk))
    states = list(Run.objects.order_by("pk").values_list("state", "replaces"))
    assert states == [(RunState.WITHDRAWN, None), (RunState.ACCEPTED, None)]


def test_team_does_not_withdraw_a_run_that_is_being_pooled() -> None:
    task = make_task(topic_count=1, document_count=2)
    run = make_run(task)
    organizer = make_organizer(task.track)
    found = at_once(
        lambda: build_pool(task=task, name="first", seed=1, by=organizer),
        lambda: withdraw_run(run=run, by=run.received_by),
    )
    assert isinstance(found, RunSettled)
    assert Run.objects.get().state == RunState.ACCEPTED


def test_run_that_is_being_withdrawn_is_not_pooled() -> None:
    task = make_task(topic_count=1, document_count=2)
    run = make_run(task)
    organizer = make_organizer(task.track)
    found = at_once(
        lambda: withdraw_run(run=run, by=run.received_by),
        lambda: build_pool(task=task, name="first", seed=1, by=organizer),
    )
    assert isinstance(found, NoRunsToPool)
    assert not Pool.objects.exists()


def test_two_invitations_accepted_at_once_make_one_member() -> None:
    track, person = make_track(), make_user()
    tokens = [invited(track, person.email) for _ in range(2)]
    status = at_once(
        lambda: accept_invitation(token=tokens[0], by=person),
        posted(f"/invitations/{tokens[1]}/", {}, person),
    )
    assert status in (200, 409)
    assert Membership.objects.filter(user=person, role=Role.ASSESSOR).count() == 1


def test_invitations_of_two_tracks_accepted_at_once_make_one_account() -> None:
    tokens = [invited(make_track(), "new@example.org") for _ in range(2)]
    status = at_once(
        lambda: accept_invitation(token=tokens[0], by=None, name="First", password=PASSWORD),
        posted(f"/invitations/{tokens[1]}/", {"name": "Second", "password": PASSWORD}),
    )
    assert status == 409
    assert User.objects.get(email="new@example.org").name == "First"


def test_scores_imported_twice_at_once_make_one_judge() -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=2)
    pool = make_pool(task)
    organizer = make_organizer(task.track)
    address = f"/tracks/{task.track.slug}/tasks/{task.slug}/scores/import/"

    def form() -> dict[str, Any]:
        file = ContentFile(b"topic,docno,score\nT1,D1,0.5\n", "scores.csv")
        return {"name": "theirs", "pool": pool.pk, "file": file}

    first = posted(address, form(), organizer)
    assert at_once(first, posted(address, form(), organizer)) in (200, 409)
    assert Judge.objects.count() == 1


def test_prompts_of_two_organizers_at_once_do_not_break_the_page() -> None:
    track = make_track()
    first, second = make_organizer(track), make_organizer(track)
    form = {"track": track.pk, "name": "words", "answer": "relevance-1-100", "source": ""}
    status = at_once(
        lambda: create_prompt(
            name="words", template="One {fields} {image}", answer="relevance-1-100", by=first, track=track
        ),
        posted("/admin/judges/prompt/add/", form | {"template": "Two {fields} {image}"}, second),
    )
    assert status in (302, 409)


def test_team_names_that_look_alike_are_not_taken_at_once() -> None:
    task = make_task()
    first, second = make_team(task.track), make_team(task.track)
    owners = [make_team_member(team) for team in (first, second)]
    names = [f"/tracks/{task.track.slug}/teams/{team.pk}/rename/" for team in (first, second)]
    status = at_once(
        posted(names[0], {"name": "Kestrel"}, owners[0]), posted(names[1], {"name": "KESTREL"}, owners[1])
    )
    assert status in (200, 409)
    first.refresh_from_db()
    assert first.name == "Kestrel"
