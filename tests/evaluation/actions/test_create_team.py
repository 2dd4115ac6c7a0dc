"""Making and naming teams."""

from __future__ import annotations

import pytest

from evaluation.actions.check_may_take_part import (
    AddressNotVerified,
    AssessorCannotTakePart,
    OrganizerCannotTakePart,
)
from evaluation.actions.create_team import TeamNameNotFree, TrackTakesNoTeams, create_team
from evaluation.actions.rename_team import NotOwner, TeamNameSettled, rename_team
from evaluation.models import Membership, Phase, Role, RunState, Team, User
from tests.factories import (
    make_assessor,
    make_organizer,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_user,
)

pytestmark = pytest.mark.django_db


def test_team_is_owned_by_who_makes_it() -> None:
    person = make_user()
    team = create_team(track=make_task().track, name="Kestrel", by=person)
    member = Membership.objects.get(team=team)
    assert (member.user, member.role, member.track) == (person, Role.TEAM_OWNER, team.track)


def test_team_is_not_for_those_who_judge_blind_or_see_all_runs_or_have_shown_no_address() -> None:
    track = make_task().track
    for person, refusal in (
        (make_assessor(track), AssessorCannotTakePart),
        (make_organizer(track), OrganizerCannotTakePart),
        (make_staff(), OrganizerCannotTakePart),
        (User.objects.create_user("nobody@example.org"), AddressNotVerified),
    ):
        with pytest.raises(refusal):
            create_team(track=track, name="Kestrel", by=person)
    assert create_team(track=track, name="Kestrel", by=make_organizer(make_task().track))


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase != Phase.OPEN])
def test_track_takes_teams_while_a_task_takes_runs(phase: Phase) -> None:
    task = make_task(phase=phase)
    with pytest.raises(TrackTakesNoTeams):
        create_team(track=task.track, name="Kestrel", by=make_user())
    make_task(task.track, phase=Phase.OPEN)
    create_team(track=task.track, name="Kestrel", by=make_user())


def test_name_is_held_once_a_track_whatever_its_capitals() -> None:
    first, second = make_task().track, make_task().track
    create_team(track=first, name="Kestrel", by=make_user())
    with pytest.raises(TeamNameNotFree):
        create_team(track=first, name="KESTREL", by=make_user())
    create_team(track=second, name="Kestrel", by=make_user())


def test_owner_renames_the_team_until_a_run_is_accepted() -> None:
    task = make_task()
    team = make_team(task.track, name="kestrel")
    make_run(task, team, state=RunState.REJECTED)
    owner = make_team_member(team)
    rename_team(team=team, name="Kestrel", by=owner)
    with pytest.raises(NotOwner):
        rename_team(team=team, name="Other", by=make_team_member(team, role=Role.TEAM_MEMBER))
    with pytest.raises(TeamNameNotFree):
        rename_team(team=team, name=make_team(task.track).name, by=owner)
    make_run(task, team, state=RunState.WITHDRAWN)
    with pytest.raises(TeamNameSettled):
        rename_team(team=team, name="Other", by=owner)
    assert Team.objects.get(pk=team.pk).name == "Kestrel"
