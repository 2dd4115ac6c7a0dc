import pytest
from django.forms.models import model_to_dict

from evaluation.forms.setup import MembershipForm, RunMetadataForm, TaskForm
from evaluation.models import Role
from tests.factories import (
    make_collection,
    make_family,
    make_run,
    make_task,
    make_team,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db


def test_membership_form_refuses_a_team_of_another_track() -> None:
    team = make_team()
    fields = {"user": make_user().pk, "track": make_track().pk, "role": Role.TEAM_MEMBER, "team": team.pk}
    assert MembershipForm(fields).errors == {
        "team": [f"{team} is a team of {team.track}. Choose one of the track above."]
    }


@pytest.mark.parametrize("role", [Role.ORGANIZER, Role.TEAM_MEMBER])
def test_membership_form_wants_a_team_for_team_roles_only(role: Role) -> None:
    track = make_track()
    team = "" if role == Role.TEAM_MEMBER else make_team(track).pk
    form = MembershipForm({"user": make_user().pk, "track": track.pk, "role": role, "team": team})
    assert "Name a team for a team role" in str(form.errors)


def test_task_form_refuses_a_collection_of_another_track() -> None:
    task = make_task()
    form = TaskForm(model_to_dict(task) | {"collection": make_collection().pk}, instance=task)
    assert list(form.errors) == ["collection"]


def test_task_form_keeps_the_collection_that_runs_were_checked_against() -> None:
    task = make_task()
    change = model_to_dict(task) | {"collection": make_collection(task.track).pk}
    assert TaskForm(change, instance=task).is_valid()
    make_run(task)
    task.refresh_from_db()
    assert TaskForm(change, instance=task).errors == {
        "collection": ["Runs were checked against the collection. Make a new task instead."]
    }


def test_task_form_says_that_dates_are_out_of_order() -> None:
    task = make_task()
    form = TaskForm(
        model_to_dict(task) | {"closes_at": task.releases_at, "releases_at": task.closes_at}, instance=task
    )
    assert "Dates go in order" in str(form.errors)


def test_run_form_offers_families_of_the_run_s_task() -> None:
    task = make_task()
    family = make_family(task)
    make_family(make_task())
    form = RunMetadataForm(instance=make_run(task))
    assert list(form.fields["families"].queryset) == [family]  # type: ignore[attr-defined]
