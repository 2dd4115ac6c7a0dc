"""Joining a team by its link, leaving it, and who owns it."""

import pytest

from evaluation.models import Archiving, Membership, Role, Team, User
from evaluation.submissions.teams.membership import (
    AlreadyInTeam,
    close_team_link,
    hand_over_team,
    join_team,
    leave_team,
    remove_member,
    renew_team_link,
)
from tests.factories import (
    make_assessor,
    make_organizer,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_user,
)
from tests.refusals import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def team() -> Team:
    return make_team(make_task().track)


@pytest.fixture
def owner(team: Team) -> User:
    return make_team_member(team)


@pytest.fixture
def member(team: Team) -> User:
    return make_team_member(team, role=Role.TEAM_MEMBER)


def roles_in(team: Team) -> dict[User, str]:
    return {each.user: each.role for each in Membership.objects.filter(team=team).select_related("user")}


def test_link_makes_members_of_many_and_each_once(team: Team, owner: User) -> None:
    token = renew_team_link(team=team, by=owner).link_token
    first, second = make_user(), make_user()
    assert join_team(token=token, by=first) == join_team(token=token, by=second) == team
    with pytest.raises(AlreadyInTeam):
        join_team(token=token, by=first)
    assert roles_in(team) == {owner: Role.TEAM_OWNER, first: Role.TEAM_MEMBER, second: Role.TEAM_MEMBER}


def test_link_is_invalid_once_it_is_renewed_or_switched_off_or_changed(team: Team, owner: User) -> None:
    old = renew_team_link(team=team, by=owner).link_token
    new = renew_team_link(team=team, by=owner).link_token
    other = make_team(team.track)
    forged = new.replace(f"{team.pk}:", f"{other.pk}:", 1)
    for token in (old, forged, new[:-1], "", f"{team.pk}:2"):
        with refused("team-link-not-open"):
            join_team(token=token, by=make_user())
    close_team_link(team=team, by=owner)
    with refused("team-link-not-open"):
        join_team(token=new, by=make_user())


def test_link_is_not_for_those_who_judge_blind_or_see_all_runs(team: Team, owner: User) -> None:
    token = renew_team_link(team=team, by=owner).link_token
    with refused("assessor-cannot-take-part"):
        join_team(token=token, by=make_assessor(team.track))
    with refused("organizer-cannot-take-part"):
        join_team(token=token, by=make_organizer(team.track))


def test_organizer_joins_a_team_of_baselines_unless_the_track_is_archived(team: Team, owner: User) -> None:
    Team.objects.filter(pk=team.pk).update(is_baseline=True)
    token = renew_team_link(team=team, by=owner).link_token
    join_team(token=token, by=make_organizer(team.track))
    Archiving.objects.create(track=team.track, archived_by=owner)
    with refused("track-archived"):
        join_team(token=token, by=make_organizer(team.track))


def test_assessor_who_organizes_another_track_joins_no_team_of_baselines(team: Team, owner: User) -> None:
    Team.objects.filter(pk=team.pk).update(is_baseline=True)
    token = renew_team_link(team=team, by=owner).link_token
    assessor = make_assessor(team.track)
    Membership.objects.create(user=assessor, track=make_task().track, role=Role.ORGANIZER)
    with refused("assessor-cannot-take-part"):
        join_team(token=token, by=assessor)


def test_team_is_handed_over_and_left(team: Team, owner: User, member: User) -> None:
    with refused("team-needs-owner", match="Hand it over"):
        leave_team(team=team, by=owner)
    with refused("not-member"):
        hand_over_team(team=team, person=make_user(), by=owner)
    hand_over_team(team=team, person=member, by=owner)
    assert roles_in(team) == {owner: Role.TEAM_MEMBER, member: Role.TEAM_OWNER}
    leave_team(team=team, by=owner)
    assert roles_in(team) == {member: Role.TEAM_OWNER}


def test_team_without_runs_is_deleted_with_its_last_member(team: Team, owner: User) -> None:
    leave_team(team=team, by=owner)
    assert not Team.objects.filter(pk=team.pk).exists()


def test_last_member_of_a_team_with_runs_stays(team: Team, owner: User) -> None:
    make_run(team.track.tasks.get(), team, received_by=owner)
    with refused("team-needs-owner", match="last member"):
        leave_team(team=team, by=owner)


def test_only_the_owner_removes_members_and_changes_the_link(team: Team, owner: User, member: User) -> None:
    with refused("owner-stays"):
        remove_member(team=team, person=owner, by=owner)
    for change in (renew_team_link, close_team_link):
        with refused("not-owner"):
            change(team=team, by=member)
    with refused("not-owner"):
        hand_over_team(team=team, person=member, by=member)
    with refused("not-owner"):
        remove_member(team=team, person=owner, by=member)
    remove_member(team=team, person=member, by=owner)
    assert roles_in(team) == {owner: Role.TEAM_OWNER}
