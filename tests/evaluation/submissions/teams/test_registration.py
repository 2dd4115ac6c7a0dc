"""Registration: approval of teams, asked for at each upload."""

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from evaluation.models import (
    Application,
    ApplicationState,
    EntryRules,
    Mail,
    Phase,
    Role,
    Run,
    Task,
    Team,
    User,
)
from evaluation.organizing.pages.needs import organizer_needs
from evaluation.platform.access.changes import changes_to
from evaluation.submissions.runs.receiving import receive_run
from evaluation.submissions.teams.registering import apply_for_track, decide_application
from tests.evaluation.readers import seen_by
from tests.factories import make_organizer, make_task, make_team, make_team_member
from tests.refusals import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return make_task(phase=Phase.OPEN)


@pytest.fixture
def team(task: Task) -> Team:
    return make_team(task.track, name="Kestrel")


@pytest.fixture
def owner(team: Team) -> User:
    return make_team_member(team, email="owner@example.org")


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


def set_rules(task: Task, *, needs_approval: bool = False) -> None:
    EntryRules.objects.update_or_create(track=task.track, defaults={"needs_approval": needs_approval})


def upload(task: Task, team: Team, by: User) -> Run:
    file = ContentFile(b"T1 Q0 D1 1 0.5 kestrel\n", "kestrel.run")
    return receive_run(task=task, team=team, file=file, description="", by=by)


def test_track_without_rules_takes_the_runs_of_every_team(task: Task, team: Team, owner: User) -> None:
    assert upload(task, team, owner).pk
    set_rules(task)
    assert upload(task, team, owner).pk


def test_only_approved_teams_upload_where_the_track_asks_for_it(
    task: Task, team: Team, owner: User, organizer: User
) -> None:
    set_rules(task, needs_approval=True)
    with refused("team-not-approved"):
        upload(task, team, owner)
    apply_for_track(team=team, words="Two students.", by=owner)
    with refused("team-not-approved"):
        upload(task, team, owner)
    decide_application(team=team, is_approved=False, note="Name your lab.", by=organizer)
    with refused("team-not-approved"):
        upload(task, team, owner)
    apply_for_track(team=team, words="The lab of birds.", by=owner)
    decide_application(team=team, is_approved=True, note="", by=organizer)
    assert upload(task, team, owner).pk
    rival = make_team(task.track)
    with refused("team-not-approved"):
        upload(task, rival, make_team_member(rival))


def test_baselines_and_other_tracks_are_exempt(task: Task, organizer: User) -> None:
    set_rules(task, needs_approval=True)
    assert upload(task, make_team(task.track, is_baseline=True), organizer).pk
    other = make_task(phase=Phase.OPEN)
    free = make_team(other.track)
    assert upload(other, free, make_team_member(free)).pk


def test_organizers_approve_a_team_that_has_not_applied(
    task: Task, team: Team, owner: User, organizer: User
) -> None:
    set_rules(task, needs_approval=True)
    decide_application(team=team, is_approved=True, note="", by=organizer)
    assert upload(task, team, owner).pk


def test_only_the_owner_applies(team: Team, owner: User, organizer: User) -> None:
    member = make_team_member(team, role=Role.TEAM_MEMBER)
    for person in (member, organizer):
        with refused("not-owner"):
            apply_for_track(team=team, words="", by=person)


def test_one_application_waits_and_its_length_is_limited(team: Team, owner: User, organizer: User) -> None:
    for words in ("x" * 2001, "a\0b"):
        with refused("words-too-long"):
            apply_for_track(team=team, words=words, by=owner)
    apply_for_track(team=team, words="x" * 2000, by=owner)
    with refused("application-not-possible", match="waiting"):
        apply_for_track(team=team, words="", by=owner)
    decide_application(team=team, is_approved=True, note="", by=organizer)
    with refused("application-not-possible", match="approved"):
        apply_for_track(team=team, words="", by=owner)


def test_decision_is_on_record(team: Team, owner: User, organizer: User) -> None:
    apply_for_track(team=team, words="Two students.", by=owner)
    decided = decide_application(team=team, is_approved=True, note="", by=organizer)
    assert [each.verb for each in changes_to(decided)] == ["changed", "added"]


def test_team_and_organizers_see_an_application(team: Team, owner: User) -> None:
    assert seen_by(apply_for_track(team=team, words="", by=owner), team) == {"organizer", "member"}


def test_dashboard_names_applications_that_wait(task: Task, team: Team, owner: User, organizer: User) -> None:
    def waiting() -> list[str]:
        return [need.text for need in organizer_needs(task) if need.rest == "for your approval"]

    apply_for_track(team=team, words="", by=owner)
    assert waiting() == []  # the track requires no approval
    set_rules(task, needs_approval=True)
    assert waiting() == ["1 team waits"]
    decide_application(team=team, is_approved=True, note="", by=organizer)
    assert waiting() == []


def test_organizer_sets_rules_owner_applies_organizer_approves(
    client: Client, task: Task, team: Team, owner: User, organizer: User
) -> None:
    client.force_login(organizer)
    rules_page = reverse("track_registration", args=[task.track.slug])
    client.post(rules_page, {"needs_approval": "on"})
    client.force_login(owner)
    own = [task.track.slug, team.pk]
    page = client.get(reverse("team_detail", args=own)).content.decode()
    assert page.count('class="first"') == 1
    client.post(reverse("team_apply", args=own), {"words": "Two students."})
    assert client.post(reverse("team_decide", args=own), {"decision": "approve"}).status_code == 404
    client.force_login(organizer)
    assert "Two students." in client.get(rules_page).content.decode()
    client.post(reverse("team_decide", args=own), {"decision": "maybe"})
    assert Application.objects.get().state == ApplicationState.WAITING
    client.post(reverse("team_decide", args=own), {"decision": "approve", "note": "Welcome."})
    message = Mail.objects.get()
    assert (message.to, message.subject) == ("owner@example.org", f"Kestrel is approved for {team.track}")
    assert "Welcome." in message.text
    client.force_login(owner)
    assert "Welcome." in client.get(reverse("team_detail", args=own)).content.decode()
    assert upload(task, team, owner).pk


def test_upload_page_says_what_is_missing(client: Client, task: Task, team: Team, owner: User) -> None:
    set_rules(task, needs_approval=True)
    client.force_login(owner)
    page = client.get(reverse("run_upload", args=[task.track.slug, task.slug])).content.decode()
    assert "have not approved Kestrel" in page
