"""Late-run exceptions: who may upload until when, how the run is marked, when none can be granted."""

from datetime import datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.db import IntegrityError, ProgrammingError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import LateException, Mail, Phase, Pool, Run, Task, Team, User
from evaluation.platform.access.changes import changes_to
from evaluation.submissions.pools.actions import build_pool
from evaluation.submissions.runs.editing import may_edit
from evaluation.submissions.runs.granting import grant_exception, withdraw_exception
from evaluation.submissions.runs.receiving import receive_run
from tests.factories import (
    make_organizer,
    make_pool,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_track,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


@pytest.fixture
def task() -> Task:
    """A task that closed an hour ago; its grace of half an hour is over."""
    now = timezone.now()
    return make_task(
        opens_at=now - timedelta(days=9),
        closes_at=now - timedelta(hours=1),
        grace=timedelta(minutes=30),
        judging_at=now + timedelta(days=9),
        releases_at=None,
    )


@pytest.fixture
def team(task: Task) -> Team:
    return make_team(task.track, name="Kestrel")


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


def grant(
    task: Task, team: Team, by: User, *, hours: float = 24.0, reason: str = "Their disk broke."
) -> LateException:
    end = timezone.now() + timedelta(hours=hours)
    return grant_exception(task=task, team=team, closes_at=end, reason=reason, by=by)


def upload(task: Task, team: Team) -> Run:
    by = make_team_member(team)
    file = ContentFile(b"T1 Q0 D1 1 0.5 kestrel\n", "kestrel.run")
    run = receive_run(task=task, team=team, file=file, description="", by=by)
    run.refresh_from_db()
    return run


def ended(task: Task, team: Team, by: User, end: datetime) -> LateException:
    return LateException.objects.create(task=task, team=team, closes_at=end, reason="Illness.", granted_by=by)


def test_team_uploads_until_the_end_of_its_exception(task: Task, team: Team, organizer: User) -> None:
    with refused("task-not-open"):
        upload(task, team)
    granted = grant(task, team, organizer)
    grant(task, make_team(task.track), organizer)
    make_task(task.track)  # takes runs of all teams
    run = upload(task, team)
    assert (run.is_late, run.late_exception, run.lateness) == (True, granted, "late, with an exception")
    assert may_edit(run)


def test_exception_is_open_until_its_end_and_before_judging(task: Task, team: Team, organizer: User) -> None:
    granted = grant(task, team, organizer)
    assert task.opens_at
    end = granted.closes_at
    for judging_at, moment, is_open in (
        (None, task.opens_at - SECOND, False),
        (None, task.opens_at, True),
        (None, end, True),
        (None, end + SECOND, False),
        (end, end - SECOND, True),
        (end, end, False),
    ):
        Task.objects.filter(pk=task.pk).update(judging_at=judging_at)
        assert LateException.objects.open_at(moment).contains(granted) == is_open, (judging_at, moment)


def test_upload_after_the_end_is_refused_by_the_database_clock(
    task: Task, team: Team, organizer: User
) -> None:
    past = ended(task, team, organizer, timezone.now() - SECOND)
    with refused("task-not-open"):
        upload(task, team)
    granted = grant(task, make_team(task.track), organizer)
    found = {each.pk: each.is_over for each in LateException.objects.with_is_over()}
    assert found == {granted.pk: False, past.pk: True}


def test_other_teams_cannot_upload(task: Task, team: Team, organizer: User) -> None:
    grant(task, team, organizer)
    with refused("task-not-open"):
        upload(task, make_team(task.track))
    other = make_task(task.track, phase=Phase.CLOSED)
    with refused("task-not-open"):
        upload(other, team)


def test_withdrawn_exception_ends_at_once_and_its_runs_stay(task: Task, team: Team, organizer: User) -> None:
    granted = grant(task, team, organizer)
    run = upload(task, team)
    withdraw_exception(exception=granted, by=organizer)
    with refused("task-not-open"):
        upload(task, team)
    run.refresh_from_db()
    assert run.late_exception == granted
    with refused("exception-not-open"):
        withdraw_exception(exception=granted, by=organizer)
    assert grant(task, team, organizer).pk != granted.pk


def test_run_in_the_grace_or_before_the_close_needs_no_exception(
    task: Task, team: Team, organizer: User
) -> None:
    grant(task, team, organizer)
    Task.objects.filter(pk=task.pk).update(grace=timedelta(hours=2))
    run = upload(task, team)
    assert (run.late_exception, run.lateness) == (None, "late, in the grace period")
    Task.objects.filter(pk=task.pk).update(closes_at=timezone.now() + timedelta(hours=1))
    assert upload(task, team).lateness == ""


def test_exception_ends_when_judging_opens(task: Task, team: Team, organizer: User) -> None:
    grant(task, team, organizer)
    Task.objects.filter(pk=task.pk).update(judging_at=timezone.now() - SECOND)
    with refused("task-not-open"):
        upload(task, team)
    with refused("exception-too-late", match="Judging"):
        grant(task, make_team(task.track), organizer)


def test_no_exception_once_a_pool_is_frozen(task: Task, team: Team, organizer: User) -> None:
    make_pool(task, pairs=[("T1", "D1")])
    with refused("exception-too-late", match="A pool"):
        grant(task, team, organizer)
    with pytest.raises(IntegrityError, match="a pool is frozen"), transaction.atomic():
        ended(task, team, organizer, timezone.now())


def test_no_pool_while_an_exception_is_open(organizer: User) -> None:
    task = make_task(phase=Phase.CLOSED, topic_count=1, document_count=1)
    team = make_team(task.track, name="Kestrel")
    make_run(task, results={"T1": ["D1"]})
    granted = grant(task, team, organizer, hours=1)
    with refused("late-runs-expected", match="Kestrel has an exception until"):
        build_pool(task=task, name="pool 1", seed=1, by=organizer)
    assert not Pool.objects.exists()
    withdraw_exception(exception=granted, by=organizer)
    assert build_pool(task=task, name="pool 1", seed=1, by=organizer).pk


def test_end_lies_between_grace_and_judging(task: Task, team: Team, organizer: User) -> None:
    for hours in (-0.6, -0.1, 24 * 9.1):  # the grace ended half an hour ago; judging opens in nine days
        with refused("exception-end-not-possible"):
            grant(task, team, organizer, hours=hours)
    now = timezone.now()
    Task.objects.filter(pk=task.pk).update(closes_at=now + timedelta(hours=1), grace=timedelta(hours=2))
    task.refresh_from_db()
    with refused("exception-end-not-possible"):
        grant(task, team, organizer, hours=2)  # after the close, in the grace period
    endless = make_task(task.track, closes_at=None, judging_at=None, releases_at=None)
    with refused("exception-end-not-possible", match="no close"):
        grant(endless, team, organizer)
    assert task.judging_at
    granted = grant_exception(
        task=task, team=team, closes_at=task.judging_at, reason="Illness.", by=organizer
    )
    assert granted.closes_at == task.judging_at


def test_grant_is_refused_without_reason_twice_or_to_a_team_of_another_track(
    task: Task, team: Team, organizer: User
) -> None:
    for reason in ("  ", "x" * 501, "a\0b"):
        with refused("exception-reason-missing"):
            grant(task, team, organizer, reason=reason)
    stranger = make_team(make_track())
    with refused("team-of-other-track"):
        grant(task, stranger, organizer)
    with pytest.raises(IntegrityError, match="of another track"), transaction.atomic():
        ended(task, stranger, organizer, timezone.now())
    grant(task, team, organizer)
    with refused("exception-granted"):
        grant(task, team, organizer)


def test_exception_stays_as_granted_and_its_changes_are_on_record(
    task: Task, team: Team, organizer: User
) -> None:
    granted = grant(task, team, organizer)
    with pytest.raises(ProgrammingError), transaction.atomic():
        LateException.objects.filter(pk=granted.pk).update(closes_at=timezone.now())
    withdraw_exception(exception=granted, by=organizer)
    assert [change.verb for change in changes_to(granted)] == ["changed", "added"]


def test_organizer_grants_and_withdraws_on_the_page(
    client: Client, task: Task, team: Team, organizer: User
) -> None:
    make_team_member(team, email="owner@example.org")
    client.force_login(organizer)
    address = reverse("late_exceptions", args=[task.track.slug, task.slug])
    end = timezone.now() + timedelta(hours=5)
    sent = {"team": team.pk, "closes_at": f"{end:%Y-%m-%dT%H:%M}", "reason": "Their disk broke."}
    page = client.post(address, sent | {"closes_at": "2020-01-01T00:00"}).content.decode()
    assert "Choose another end" in page
    page = client.post(address, sent, follow=True).content.decode()
    assert "Kestrel may upload late." in page
    granted = LateException.objects.get()
    assert granted.closes_at == end.replace(second=0, microsecond=0)
    message = Mail.objects.get()
    assert (message.to, "Their disk broke." in message.text) == ("owner@example.org", True)
    member = make_team_member(team)
    client.force_login(member)
    upload_page = reverse("run_upload", args=[task.track.slug, task.slug])
    assert "The organizers granted" in client.get(upload_page).content.decode()
    client.force_login(organizer)
    withdraw = reverse("late_exception_withdraw", args=[task.track.slug, task.slug, granted.pk])
    assert "is withdrawn" in client.post(withdraw, follow=True).content.decode()
    assert not LateException.objects.open_at(timezone.now()).exists()
