"""The list of a task's runs: who sees which runs, their order, and the number of queries."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, Run, RunState, Task
from evaluation.values.actions import compute_values
from tests.factories import (
    make_assessor,
    make_family,
    make_organizer,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
)

pytestmark = pytest.mark.django_db


def address_of(task: Task) -> str:
    return reverse("run_list", args=[task.track.slug, task.slug])


def listed(client: Client, task: Task) -> list[Run]:
    return list(client.get(address_of(task)).context["runs"])


def test_list_has_a_team_s_own_uploads_and_all_of_them_for_organizers(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    first, second = make_team(task.track, name="Avocet"), make_team(task.track, name="Bittern")
    theirs = [make_run(task, second, tag=tag) for tag in ("b", "a")]
    own = make_run(task, first, tag="c")
    rejected = make_run(task, first, state=RunState.REJECTED)
    make_run()  # of another task
    client.force_login(make_team_member(first))
    assert listed(client, task) == [rejected, own]
    client.force_login(make_organizer(task.track))
    assert listed(client, task) == [rejected, own, theirs[1], theirs[0]]


def test_list_shows_families_to_who_may_see_them(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    run = make_run(task)
    run.families.add(make_family(task, name="sparse"))
    client.force_login(run.received_by)
    assert b"sparse" not in client.get(address_of(task)).content
    client.force_login(make_organizer(task.track))
    assert b"sparse" in client.get(address_of(task)).content


def test_list_is_filtered_by_team_family_and_state(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    first, second = make_team(task.track, name="Avocet"), make_team(task.track, name="Bittern")
    sparse, dense = make_family(task, name="sparse"), make_family(task, name="dense")
    runs = [make_run(task, first, tag="a"), make_run(task, second, tag="b"), make_run(task, second, tag="c")]
    rejected = make_run(task, first, state=RunState.REJECTED)
    runs[0].families.add(sparse)
    runs[1].families.add(sparse, dense)
    client.force_login(make_organizer(task.track))
    for asked, wanted in (
        ({"team": "Bittern"}, runs[1:]),
        ({"family": "sparse"}, runs[:2]),
        ({"state": "rejected"}, [rejected]),
        ({"team": "Bittern", "family": "dense", "state": "accepted"}, [runs[1]]),
        ({"team": "Nobody"}, []),
    ):
        page = client.get(address_of(task), asked)
        assert list(page.context["runs"]) == wanted
    assert b"No run meets these filters." in page.content
    client.force_login(make_team_member(first))
    page = client.get(address_of(task))
    assert b"Bittern" not in page.content
    assert b"sparse" not in page.content  # a team sees no family before the release


def test_list_has_the_first_measure_where_its_qrels_are_visible_and_leads_to_the_comparison(
    client: Client,
) -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=1, measures=["P@1", "AP"])
    run = make_run(task, tag="a", results={"T1": ["D1", "D2"]})
    qrels = make_qrels(task, name="people", grades={("T1", "D1"): 1})
    compute_values(qrels=qrels, runs=[run], measures=["P@1", "AP"])
    client.force_login(make_team_member(run.team))
    page = client.get(address_of(task))
    assert page.context["rows"] == [(run, None)]
    assert b"people" not in page.content
    client.force_login(make_organizer(task.track))
    page = client.get(address_of(task))
    assert page.context["rows"] == [(run, 1.0)]
    compared = f"?number=T1&amp;a={run.pk}"
    assert compared in page.content.decode()
    address = reverse("topic_list", args=[task.track.slug, task.slug])
    topic = client.get(f"{address}{compared}".replace("&amp;", "&"), follow=True)
    assert topic.context["runs"][0] == run
    assert topic.headers["X-Robots-Tag"] == "noindex, nofollow"
    plain = reverse("topic_detail", args=[task.track.slug, task.slug, task.topics.get().pk])
    assert "X-Robots-Tag" not in client.get(plain).headers
    client.force_login(make_assessor(task.track))
    assert "?number=" not in client.get(address_of(task)).content.decode()
