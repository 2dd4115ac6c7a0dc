"""Accounts, memberships and teams, and pages that are not found."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.test import Client

from evaluation.models import Membership, Phase, Role, RunState, Task, Team, User
from evaluation.submissions.runs.submission import with_submissions
from tests.factories import (
    make_assessor,
    make_organizer,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db

COLUMNS = [field.attname for field in User._meta.concrete_fields]


def test_address_is_one_account_in_any_capitals() -> None:
    person = make_user(email="Ada@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_user(email="ada@example.org")
    assert User.objects.get_by_natural_key("ADA@EXAMPLE.ORG") == person
    assert not User.objects.create_user("a@example.org").has_usable_password()


def test_admin_is_for_organizers_and_the_site_s_staff() -> None:
    track = make_track()
    assert make_organizer(track).is_staff
    assert make_staff().is_staff
    assert not make_assessor(track).is_staff
    assert not make_team_member(make_team(track)).is_staff


@pytest.mark.parametrize(("role", "has_team"), [(Role.TEAM_OWNER, False), (Role.ASSESSOR, True)])
def test_membership_has_a_team_just_when_its_role_is_one_in_a_team(role: Role, has_team: bool) -> None:
    team = make_team()
    with pytest.raises(IntegrityError, match="membership_team_iff_team_role"), transaction.atomic():
        Membership.objects.create(
            user=make_user(), track=team.track, role=role, team=team if has_team else None
        )


def test_membership_is_held_once() -> None:
    track = make_track()
    assessor = make_assessor(track)
    with pytest.raises(IntegrityError, match="membership_once"), transaction.atomic():
        Membership.objects.create(user=assessor, track=track, role=Role.ASSESSOR)


def test_teams_are_seen_by_their_people_and_organizers_until_a_run_is_released() -> None:
    task = make_task(phase=Phase.JUDGING)
    team = make_team(task.track)
    make_run(task, team)
    outsider = make_user()
    rival, member = make_team_member(make_team(task.track)), make_team_member(team)
    assert not Team.objects.visible_to(outsider).contains(team)
    assert not Team.objects.visible_to(rival).contains(team)
    assert not Team.objects.visible_to(make_organizer(make_track())).contains(team)
    for person in (member, make_organizer(task.track), make_staff()):
        assert Team.objects.visible_to(person).contains(team)
    assert not Team.objects.private_to(rival).contains(team)
    released = make_run(make_task(task.track, phase=Phase.RELEASED), team)
    assert not Team.objects.private_to(outsider).contains(team)
    assert Team.objects.visible_to(outsider).contains(team)
    assert not Team.objects.visible_to(make_assessor(task.track)).contains(released.team)


def test_submissions_are_counted_by_state_and_task() -> None:
    task = make_task()
    team = make_team(task.track)
    for state in (RunState.ACCEPTED, RunState.ACCEPTED, RunState.REJECTED):
        make_run(task, team, state=state)
    make_run(make_task(task.track), team)
    counted = vars(with_submissions(Team.objects.all(), task).get(pk=team.pk))
    assert [counted[f"{state}_count"] for state in ("accepted", "rejected", "received")] == [2, 1, 0]


def test_accounts_are_seen_by_those_who_organize_with_them() -> None:
    track = make_track()
    assessor, stranger = make_assessor(track), make_user()
    organizer = make_organizer(track)
    assert set(User.objects.visible_to(organizer)) == {organizer, assessor}
    assert set(User.objects.visible_to(assessor)) == {assessor}
    assert stranger in User.objects.visible_to(make_staff())


def test_account_of_a_session_is_the_account_with_its_memberships_in_order() -> None:
    track = make_track()
    person = make_assessor(track)
    other = make_team_member(make_team(make_track()))
    Membership.objects.create(user=person, track=other.memberships.get().track, role=Role.ORGANIZER)
    found = User.objects.with_roles(person.pk)
    assert found is not None
    assert found == person
    assert {name: getattr(found, name) for name in COLUMNS} == {
        name: getattr(person, name) for name in COLUMNS
    }
    assert found.roles == User.objects.get(pk=person.pk).roles
    assert [role for role, _, _ in found.roles] == [Role.ASSESSOR, Role.ORGANIZER]


def test_session_ends_with_the_account_or_its_activity(client: Client) -> None:
    person = make_user()
    client.force_login(person)
    assert client.get("/account/").status_code == 200
    person.is_active = False
    person.save()
    assert client.get("/account/").status_code == 302
    assert User.objects.with_roles(0) is None


def test_session_loses_a_membership_that_is_removed(client: Client) -> None:
    task = make_task(phase=Phase.DRAFT)
    person = make_organizer(task.track)
    client.force_login(person)
    address = f"/tracks/{task.track.slug}/tasks/{task.slug}/"
    assert client.get(address).status_code == 200
    person.memberships.all().delete()
    assert client.get(address).status_code == 404


def test_verified_address_is_in_lower_case_and_primary() -> None:
    person = User.objects.create_verified("Ada@EXAMPLE.org", "a passphrase")
    assert person.email == "Ada@example.org"
    address = EmailAddress.objects.get(user=person)
    assert (address.email, address.verified, address.primary) == ("ada@example.org", True, True)
    assert person.has_verified_address
    EmailAddress.objects.update(verified=False)
    assert not person.has_verified_address
    first = User.objects.create_superuser("grace@example.org", "a passphrase")
    assert (first.is_superuser, first.has_verified_address) == (True, True)


def test_memberships_are_the_person_s_own_and_those_of_organized_tracks() -> None:
    track = make_track()
    organizer, assessor = make_organizer(track), make_assessor(track)
    elsewhere = make_assessor(make_track())
    assert not Membership.objects.of(AnonymousUser()).exists()
    assert not Membership.objects.visible_to(AnonymousUser()).exists()
    shown = {
        person: {row.user for row in Membership.objects.visible_to(person)}
        for person in (organizer, assessor, elsewhere, make_staff())
    }
    assert list(shown.values()) == [
        {organizer, assessor}, {assessor}, {elsewhere}, {organizer, assessor, elsewhere}
    ]  # fmt: skip


def _address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/"


def test_page_not_found_is_the_same_for_everybody(client: Client) -> None:
    signed_out = client.get("/nothing").content
    client.force_login(make_organizer(make_track()))
    assert client.get("/nothing/else?q=1").content == signed_out


def test_run_of_another_task_is_not_found_under_this_one(client: Client) -> None:
    track = make_track()
    task, other = make_task(track), make_task(track)
    run = make_run(other, make_team(track))
    client.force_login(make_organizer(track))
    assert client.get(f"{_address(other)}runs/{run.pk}/").status_code == 200
    assert client.get(f"{_address(task)}runs/{run.pk}/").status_code == 404


def test_pages_that_act_send_the_signed_out_to_sign_in_whether_the_task_exists_or_not(client: Client) -> None:
    task = make_task(phase=Phase.DRAFT)
    for slug in (task.slug, "no-such-task"):
        address = f"/tracks/{task.track.slug}/tasks/{slug}/pools/"
        assert client.get(address).headers["Location"] == f"/account/login/?next={address}"
