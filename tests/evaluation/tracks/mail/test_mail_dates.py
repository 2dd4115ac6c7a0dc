"""Mails on dates and verdicts: who gets them, each once."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from evaluation.models import Mail, Phase, ReportProgress, Role, RunState, Task, Track
from evaluation.submissions.runs.checking import mail_verdict
from evaluation.tracks.mail.actions import mail_dates
from tests.factories import make_organizer, make_run, make_task, make_team, make_team_member

pytestmark = pytest.mark.django_db


def _mails() -> list[tuple[str, str]]:
    return sorted(Mail.objects.values_list("what", "to"))


@pytest.mark.parametrize(
    ("state", "what", "words"),
    [
        (RunState.ACCEPTED, "run_accepted", "is accepted"),
        (RunState.REJECTED, "run_rejected", "uses up none of your runs"),
    ],
)
def test_verdict_goes_to_the_team_s_members_and_nobody_else(state: RunState, what: str, words: str) -> None:
    task = make_task()
    team = make_team(task.track)
    owner = make_team_member(team, email="owner@example.org")
    make_team_member(team, role=Role.TEAM_MEMBER, email="member@example.org", has_reminders=False)
    make_team_member(team, email="gone@example.org", is_active=False)
    make_team_member(make_team(task.track))
    make_organizer(task.track)
    run = make_run(task, team, state=state, received_by=owner)
    mail_verdict(run=run)
    assert _mails() == [(what, "member@example.org"), (what, "owner@example.org")]
    text = Mail.objects.all()[0].text
    assert words in text
    assert f"http://127.0.0.1:8000/tracks/{task.track.slug}/tasks/{task.slug}/runs/{run.pk}/" in text


def test_verdict_of_a_replacing_run_says_so() -> None:
    old = make_run(state=RunState.REPLACED)
    run = make_run(old.task, old.team, tag=old.tag, replaces=old, received_by=old.received_by)
    mail_verdict(run=run)
    assert [what for what, _ in _mails()] == ["run_replaced"]


def test_teams_are_mailed_once_that_a_task_closes_within_two_days() -> None:
    task = make_task()
    make_team_member(make_team(task.track), email="team@example.org")
    make_team_member(make_team(task.track), has_reminders=False)
    make_organizer(task.track)
    closed = make_task(phase=Phase.CLOSED)
    make_team_member(make_team(closed.track))
    Task.objects.filter(pk=task.pk).update(
        closes_at=Now() + timedelta(hours=49),
        judging_at=Now() + timedelta(hours=60),
        releases_at=Now() + timedelta(hours=61),
    )
    mail_dates()
    assert _mails() == []
    Task.objects.filter(pk=task.pk).update(closes_at=Now() + timedelta(hours=47))
    mail_dates()
    mail_dates()
    assert _mails() == [("task_closing", "team@example.org")]


def test_teams_that_took_part_are_mailed_once_that_results_are_released() -> None:
    run = make_run(make_task(phase=Phase.JUDGING))
    make_run(run.task, make_team(run.task.track), state=RunState.WITHDRAWN)
    mail_dates()
    assert _mails() == []
    Task.objects.update(releases_at=Now())
    mail_dates()
    Task.objects.update(release_noted_at=None)  # even if it were noted again
    mail_dates()
    assert _mails() == [("task_released", run.received_by.email)]


@pytest.mark.parametrize("is_public", [True, False])
def test_mail_of_a_release_names_runs_only_if_the_track_publishes_them(is_public: bool) -> None:
    run = make_run(make_task(phase=Phase.RELEASED))
    Track.objects.update(has_public_runs=is_public)
    mail_dates()
    text = Mail.objects.get(to=run.received_by.email).text
    assert ("run files" in text) == is_public
    assert "values" in text


def test_release_has_the_report_computed_once() -> None:
    task = make_task(phase=Phase.RELEASED)
    mail_dates()
    asked = ReportProgress.objects.waiting().get(task=task).queued_at
    mail_dates()
    assert ReportProgress.objects.get().queued_at == asked
