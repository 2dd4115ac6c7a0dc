import pytest

from evaluation.pools.forms import PoolBuildForm
from tests.factories import make_run, make_task, make_team

pytestmark = pytest.mark.django_db


def test_pool_form_starts_from_the_depth_of_each_run() -> None:
    task = make_task(pool_depth=30, baseline_pool_depth=25)
    team, baseline = make_team(task.track), make_team(task.track, is_baseline=True)
    runs = [make_run(task, team), make_run(task, team, pool_depth=50), make_run(task, baseline)]
    form = PoolBuildForm(runs=runs)
    assert [(run, field.value()) for run, field in form.rows] == [(runs[0], 30), (runs[1], 50), (runs[2], 25)]


def test_pool_form_leaves_out_runs_of_depth_0() -> None:
    task = make_task()
    first, second = make_run(task), make_run(task)
    form = PoolBuildForm(
        {"name": "deep", "seed": "7", f"depth_{first.pk}": "40", f"depth_{second.pk}": "0"},
        runs=[first, second],
    )
    assert form.is_valid()
    assert form.depths == {first.pk: 40}


@pytest.mark.parametrize("depth", ["-1", "1001", "ten", ""])
def test_pool_form_refuses_depths_that_no_run_has(depth: str) -> None:
    run = make_run(make_task(max_per_topic=1000))
    form = PoolBuildForm({"name": "deep", "seed": "7", f"depth_{run.pk}": depth}, runs=[run])
    assert list(form.errors) == [f"depth_{run.pk}"]


def test_pool_form_leaves_out_runs_of_a_lower_priority_than_wanted() -> None:
    task = make_task()
    runs = [make_run(task, pool_priority=priority) for priority in (1, 2, None)]
    sent = {"name": "deep", "seed": "7", "max_priority": "1"} | {f"depth_{run.pk}": "40" for run in runs}
    form = PoolBuildForm(sent, runs=runs)
    assert form.is_valid()
    assert form.depths == {runs[0].pk: 40}
