import pytest

from evaluation.actions.receive_run import NotOfTeam
from evaluation.actions.withdraw_run import RunNotAccepted, withdraw_run
from evaluation.models import Ranking, RunState
from tests.factories import make_organizer, make_run, make_team, make_team_member

pytestmark = pytest.mark.django_db


def test_withdraw_run_takes_the_run_out_and_keeps_all_of_it() -> None:
    run = make_run()
    withdrawn = withdraw_run(run=run, by=run.received_by)
    withdrawn.refresh_from_db()
    assert (withdrawn.state, withdrawn.tag) == (RunState.WITHDRAWN, run.tag)
    assert Ranking.objects.filter(run=run).exists()


def test_withdraw_run_is_for_its_team_and_the_organizers() -> None:
    run = make_run()
    with pytest.raises(NotOfTeam):
        withdraw_run(run=run, by=make_team_member(make_team(run.task.track)))
    assert withdraw_run(run=run, by=make_organizer(run.task.track)).state == RunState.WITHDRAWN


@pytest.mark.parametrize("state", [state for state in RunState if state != RunState.ACCEPTED])
def test_withdraw_run_refuses_what_does_not_count(state: RunState) -> None:
    run = make_run(state=state)
    with pytest.raises(RunNotAccepted, match="Only an accepted run"):
        withdraw_run(run=run, by=run.received_by)
