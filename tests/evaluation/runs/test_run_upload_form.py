import pytest

from evaluation.models import User
from evaluation.runs.forms import RunUploadForm, teams_to_upload_for
from tests.factories import make_assessor, make_organizer, make_task, make_team, make_team_member, make_track

pytestmark = pytest.mark.django_db


def test_upload_form_offers_members_their_own_teams_of_the_track() -> None:
    task = make_task()
    own = make_team(task.track)
    make_team(task.track)
    make_team(task.track, is_baseline=True)
    make_team(make_track())
    assert list(teams_to_upload_for(task, make_team_member(own))) == [own]


def test_upload_form_offers_organizers_the_baselines() -> None:
    task = make_task()
    baseline = make_team(task.track, is_baseline=True)
    make_team(task.track)
    make_team(make_track(), is_baseline=True)
    assert list(teams_to_upload_for(task, make_organizer(task.track))) == [baseline]


@pytest.mark.parametrize("is_assessor", [True, False])
def test_upload_form_offers_others_no_team(*, is_assessor: bool) -> None:
    task = make_task()
    make_team(task.track, is_baseline=True)
    person: User = make_assessor(task.track) if is_assessor else make_organizer(make_track())
    assert not teams_to_upload_for(task, person).exists()


def test_upload_form_refuses_a_team_of_others() -> None:
    task = make_task()
    other = make_team(task.track)
    form = RunUploadForm({"team": other.pk}, task=task, by=make_team_member(make_team(task.track)))
    assert "team" in form.errors
