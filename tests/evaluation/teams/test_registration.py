"""Registration: approval of teams and signatures under an agreement, asked for at each upload."""

from hashlib import sha256

import pytest
from django.core.files.base import ContentFile
from django.db import ProgrammingError, transaction
from django.test import Client
from django.urls import reverse

from evaluation.access.changes import changes_to
from evaluation.models import (
    Application,
    ApplicationState,
    EntryRules,
    Mail,
    Phase,
    Role,
    Run,
    Signature,
    Task,
    Team,
    User,
)
from evaluation.pages.needs import organizer_needs
from evaluation.runs.receiving import receive_run
from evaluation.teams.registering import apply_for_track, decide_application, sign_agreement
from tests.evaluation.readers import seen_by
from tests.factories import make_organizer, make_task, make_team, make_team_member
from tests.refusals import refused

pytestmark = pytest.mark.django_db

TEXT = "We use the images for *research* only."


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


def set_rules(task: Task, *, needs_approval: bool = False, agreement: str = "") -> EntryRules:
    return EntryRules.objects.update_or_create(
        track=task.track, defaults={"needs_approval": needs_approval, "agreement": agreement}
    )[0]


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
    set_rules(task, needs_approval=True, agreement=TEXT)
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


def test_changed_agreement_is_signed_again_before_the_next_upload(
    task: Task, team: Team, owner: User
) -> None:
    rules = set_rules(task, agreement=TEXT)
    with refused("agreement-not-signed"):
        upload(task, team, owner)
    signed = sign_agreement(team=team, agreement_sha256=sha256(TEXT.encode()).hexdigest(), by=owner)
    assert (signed.signed_by, signed.agreement_sha256) == (owner, rules.agreement_sha256)
    assert upload(task, team, owner).pk
    changed = set_rules(task, agreement=TEXT + " Nothing else.")
    with refused("agreement-not-signed"):
        upload(task, team, owner)
    with refused("agreement-changed"):
        sign_agreement(team=team, agreement_sha256=rules.agreement_sha256, by=owner)
    sign_agreement(team=team, agreement_sha256=changed.agreement_sha256, by=owner)
    assert upload(task, team, owner).pk
    set_rules(task, agreement=TEXT)  # the old text again, which is signed
    assert upload(task, team, owner).pk


def test_only_the_owner_applies_and_signs(task: Task, team: Team, owner: User, organizer: User) -> None:
    rules = set_rules(task, needs_approval=True, agreement=TEXT)
    member = make_team_member(team, role=Role.TEAM_MEMBER)
    for person in (member, organizer):
        with refused("not-owner"):
            apply_for_track(team=team, words="", by=person)
        with refused("not-owner"):
            sign_agreement(team=team, agreement_sha256=rules.agreement_sha256, by=person)


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


def test_signature_stays_and_all_is_on_record(task: Task, team: Team, owner: User, organizer: User) -> None:
    rules = set_rules(task, needs_approval=True, agreement=TEXT)
    signed = sign_agreement(team=team, agreement_sha256=rules.agreement_sha256, by=owner)
    again = sign_agreement(team=team, agreement_sha256=rules.agreement_sha256, by=owner)
    assert again.pk == signed.pk
    with pytest.raises(ProgrammingError, match="Cannot update"), transaction.atomic():
        Signature.objects.update(signed_by=organizer)
    apply_for_track(team=team, words="Two students.", by=owner)
    decided = decide_application(team=team, is_approved=True, note="", by=organizer)
    rules.agreement = "Other."
    rules.save()
    assert [each.verb for each in changes_to(decided)] == ["changed", "added"]
    assert changes_to(rules)[0].fields == [("agreement", TEXT, "Other.")]


def test_team_and_organizers_see_application_and_signature(task: Task, team: Team, owner: User) -> None:
    rules = set_rules(task, agreement=TEXT)
    for row in (
        apply_for_track(team=team, words="", by=owner),
        sign_agreement(team=team, agreement_sha256=rules.agreement_sha256, by=owner),
    ):
        assert seen_by(row, team) == {"organizer", "member"}


def test_dashboard_names_applications_that_wait(task: Task, team: Team, owner: User, organizer: User) -> None:
    def waiting() -> list[str]:
        return [need.text for need in organizer_needs(task) if need.rest == "for your approval"]

    apply_for_track(team=team, words="", by=owner)
    assert waiting() == []  # the track requires no approval
    set_rules(task, needs_approval=True)
    assert waiting() == ["1 team waits"]
    decide_application(team=team, is_approved=True, note="", by=organizer)
    assert waiting() == []


def test_organizer_sets_rules_owner_applies_and_signs_organizer_approves(
    client: Client, task: Task, team: Team, owner: User, organizer: User
) -> None:
    client.force_login(organizer)
    rules_page = reverse("track_registration", args=[task.track.slug])
    client.post(rules_page, {"needs_approval": "on", "agreement": TEXT})
    client.force_login(owner)
    own = [task.track.slug, team.pk]
    page = client.get(reverse("team_detail", args=own)).content.decode()
    assert "<em>research</em>" in page
    digest = sha256(TEXT.encode()).hexdigest()
    assert digest in page
    assert page.count('class="first"') == 1
    client.post(reverse("team_apply", args=own), {"words": "Two students."})
    assert client.get(reverse("team_detail", args=own)).content.decode().count('class="first"') == 1
    client.post(reverse("team_sign", args=own), {"agreement_sha256": digest})
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
    set_rules(task, needs_approval=True, agreement=TEXT)
    client.force_login(owner)
    page = client.get(reverse("run_upload", args=[task.track.slug, task.slug])).content.decode()
    assert "have not approved Kestrel" in page
