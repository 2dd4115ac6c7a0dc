import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Operation, Phase, Pool, PoolRun, RunState, Task
from evaluation.submissions.pools.forms import PoolBuildForm
from evaluation.tasks import run_operations
from tests.factories import (
    dates_of,
    make_document,
    make_image,
    make_organizer,
    make_pool,
    make_run,
    make_task,
    make_team,
)

pytestmark = pytest.mark.django_db


def _address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/pools/"


def _sent(client: Client, task: Task, form: dict[str, str]) -> str:
    """The page that a browser shows once a worker has run what the form asks for."""
    answer = client.post(_address(task), form)
    assert answer.status_code == 302, answer.content.decode()
    run_operations()
    return client.get(answer["Location"]).content.decode()


def test_pool_page_freezes_a_pool_of_the_chosen_depths(client: Client) -> None:
    task = make_task(phase=Phase.CLOSED)
    team = make_team(task.track)
    first = make_run(task, team, tag="a", results={"T1": ["D1", "D2", "D3"]})
    second = make_run(task, team, tag="b", results={"T1": ["D4", "D5", "D6"]})
    organizer = make_organizer(task.track)
    client.force_login(organizer)
    form = {"name": "shallow", "seed": "7", f"depth_{first.pk}": "2", f"depth_{second.pk}": "1"}
    page = _sent(client, task, form)
    pool = Pool.objects.get()
    assert (pool.name, pool.seed, pool.created_by) == ("shallow", 7, organizer)
    assert set(pool.items.values_list("topic", "docno")) == {("T1", "D1"), ("T1", "D2"), ("T1", "D4")}
    assert set(PoolRun.objects.values_list("run", "depth")) == {(first.pk, 2), (second.pk, 1)}
    assert "Pool shallow is frozen: 3 items." in page


def test_depth_of_the_table_is_chosen_for_all_runs_and_waiting_runs_are_named(client: Client) -> None:
    task = make_task(phase=Phase.CLOSED)
    run = make_run(task, results={"T1": ["D1", "D2"]})
    make_run(task, state=RunState.ASKED)
    client.force_login(make_organizer(task.track))
    page = client.get(_address(task), {"depth": "20"}).content.decode()
    assert f'name="depth_{run.pk}"' in page
    assert 'value="20"' in page.partition(f'name="depth_{run.pk}"')[2].partition(">")[0]
    assert "uploads that their teams must confirm: 1." in page
    form = {"name": "first", "seed": "7", f"depth_{run.pk}": "2"}
    assert "Runs would miss the pool" in client.post(_address(task), form).content.decode()
    assert "Pool first is frozen: 2 items." in _sent(client, task, form | {"without_waiting": "on"})
    make_run(task, results={"T1": ["D3"]})
    page = client.get(_address(task)).content.decode()
    assert "1 accepted run is in no" in page


def test_pool_page_shows_why_a_pool_cannot_be_frozen(client: Client) -> None:
    task = make_task(phase=Phase.CLOSED)
    run = make_run(task)
    make_pool(task, name="taken")
    client.force_login(make_organizer(task.track))
    answer = client.post(_address(task), {"name": "taken", "seed": "7", f"depth_{run.pk}": "2"})
    assert answer.status_code == 200
    assert answer.context["form"].non_field_errors()
    assert Pool.objects.count() == 1


def test_pool_page_without_runs_names_what_is_missing(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    client.force_login(make_organizer(task.track))
    page = client.get(_address(task)).content.decode()
    assert "There is no accepted run to pool yet" in page
    assert "Freeze the pool" not in page
    Task.objects.update(**dates_of(Phase.DRAFT))
    page = client.get(_address(task)).content.decode()
    assert reverse("setup_open", args=[task.track.slug, task.slug]) in page.partition("no accepted run")[2]


@pytest.mark.parametrize(
    ("fields", "kind", "size"),
    [
        ({"method": "rrf", "per_topic": "2"}, "budget", 2),
        ({"method": "strata", "strata": "1:1 3:0.5"}, "sample", 2),
        ({"method": "mtf", "per_topic": "1"}, "adaptive", 1),
    ],
)
def test_pool_page_previews_and_draws_by_other_recipes(
    client: Client, fields: dict[str, str], kind: str, size: int
) -> None:
    task = make_task(phase=Phase.CLOSED)
    run = make_run(task, tag="a", results={"T1": ["D1", "D2", "D3"]})
    client.force_login(make_organizer(task.track))
    form = {"name": "other", "seed": "7", f"depth_{run.pk}": "3"} | fields
    client.post(_address(task), form | {"preview": "yes"})
    run_operations()
    page = client.get(f"{_address(task)}previews/{Operation.objects.get().pk}/")
    preview, sent = page.context["draw"], page.context["form"]
    assert (preview.size, preview.topics) == (size, [["T1", size, size]])
    assert {name: str(sent[name].value()) for name in form} == form, "the form is shown as it was sent"
    assert not Pool.objects.exists()
    _sent(client, task, form)
    pool = Pool.objects.get()
    assert (pool.kind, pool.items.count()) == (kind, size)
    _sent(client, task, form | {"name": "again", "preview": "yes"})
    [topics] = Operation.objects.order_by("-pk").values_list("findings__topics", flat=True)[:1]
    assert topics == [["T1", size, 1 if kind == "adaptive" else 0]]  # this draws what is not pooled yet


def test_sample_goes_through_its_strata_in_every_run_that_has_a_depth(client: Client) -> None:
    task = make_task(phase=Phase.CLOSED)
    docnos = ["D1", "D2", "D3"]
    run, left_out = (make_run(task, tag=tag, results={"T1": docnos}) for tag in "ab")
    client.force_login(make_organizer(task.track))
    form = {"name": "sample", "seed": "7", "method": "strata", "strata": "1:1 3:1"}
    _sent(client, task, form | {f"depth_{run.pk}": "1", f"depth_{left_out.pk}": "0"})
    pool = Pool.objects.get()
    assert sorted(pool.items.values_list("docno", flat=True)) == docnos
    assert list(pool.pool_runs.values_list("run", "depth")) == [(run.pk, 3)]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"method": "rbp", "per_topic": ""}, "per_topic"),
        ({"method": "strata", "strata": "10 20"}, "strata"),
        ({"method": "strata", "strata": ""}, "strata"),
        ({"method": "strata", "strata": "0:1"}, "strata"),
        ({"method": "strata", "strata": f"10:1 {10**20}:0.5"}, "strata"),
        ({"method": "strata", "strata": "9:1 3:1"}, "__all__"),
    ],
)
def test_pool_page_names_what_a_recipe_lacks(client: Client, fields: dict[str, str], fault: str) -> None:
    task = make_task(phase=Phase.CLOSED)
    run = make_run(task)
    client.force_login(make_organizer(task.track))
    answer = client.post(_address(task), {"name": "other", "seed": "7", f"depth_{run.pk}": "3"} | fields)
    assert list(answer.context["form"].errors) == [fault]
    assert not Pool.objects.exists()


def test_items_without_a_picture_are_reported_before_and_after_a_pool_is_frozen(client: Client) -> None:
    task = make_task(phase=Phase.CLOSED)
    make_document(task.collection, docno="text")
    make_document(task.collection, docno="picture", image=make_image())
    make_document(task.collection, docno="nothing", fields=[])
    run = make_run(task, results={"T1": ["text", "picture", "nothing"]})
    client.force_login(make_organizer(task.track))
    page = client.get(_address(task)).content.decode()
    assert "1 result with neither text nor picture would be left out" in page
    assert "1 would be pooled without a picture" in page
    form = {"name": "first", "seed": "7", f"depth_{run.pk}": "3"}
    shown = _sent(client, task, form | {"preview": "yes"})
    assert "1 result with neither text nor picture is left out" in shown
    assert "1 result has no picture and is drawn from" in shown
    frozen = _sent(client, task, form)
    assert "1 of them have no picture. Import it before they are graded." in frozen
    assert (
        "1 item of the task's pools has no picture"
        in client.get(reverse("topics_assign", args=[task.track.slug, task.slug])).content.decode()
    )
    form |= {"name": "second", "leaves_out_bare": "on"}
    _sent(client, task, form)
    assert Pool.objects.get(name="second").items.get().docno == "picture"


def test_pool_form_starts_from_the_depth_of_each_run_and_leaves_out_those_not_wanted() -> None:
    task = make_task(pool_depth=30, baseline_pool_depth=25, max_per_topic=1000)
    team, baseline = make_team(task.track), make_team(task.track, is_baseline=True)
    runs = [
        make_run(task, team, pool_priority=1),
        make_run(task, team, pool_depth=50, pool_priority=2),
        make_run(task, baseline),
    ]
    assert [(run, field.value()) for run, field in PoolBuildForm(runs=runs).rows] == [
        (runs[0], 30), (runs[1], 50), (runs[2], 25)
    ]  # fmt: skip
    sent = {"name": "deep", "seed": "7"} | {f"depth_{run.pk}": "40" for run in runs}
    for changes, pooled in (
        ({f"depth_{runs[1].pk}": "0"}, [runs[0], runs[2]]),
        ({"max_priority": "1"}, [runs[0]]),
    ):
        form = PoolBuildForm(sent | changes, runs=runs)
        assert form.is_valid()
        assert form.depths == {run.pk: 40 for run in pooled}
    for depth in ("-1", "1001", "ten", ""):
        form = PoolBuildForm(sent | {f"depth_{runs[2].pk}": depth}, runs=runs)
        assert list(form.errors) == [f"depth_{runs[2].pk}"]
