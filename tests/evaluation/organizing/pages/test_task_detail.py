from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Phase, QrelsKind, RunState, Task
from evaluation.results.values.actions import score_runs
from evaluation.tracks import panels
from tests.assessment.factories import make_assignment
from tests.factories import (
    dates_of,
    make_assessor,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)

pytestmark = pytest.mark.django_db


def _page(client: Client, task: Task) -> Any:
    return client.get(f"/tracks/{task.track.slug}/tasks/{task.slug}/")


def test_dashboard_counts_uploads_by_team_and_state(client: Client) -> None:
    task = make_task(phase=Phase.OPEN, topic_count=1, document_count=2)
    kestrel = make_team(task.track, name="Kestrel")
    baseline = make_team(task.track, name="baseline", is_baseline=True)
    for state in (RunState.ACCEPTED, RunState.ACCEPTED, RunState.REJECTED, RunState.WITHDRAWN):
        make_run(task, kestrel, state=state)
    make_run(task, baseline)
    make_run(make_task(task.track, phase=Phase.OPEN), kestrel)
    client.force_login(make_organizer(task.track))
    context = _page(client, task).context
    counts = {
        team.name: (team.accepted_count, team.replaced_count, team.rejected_count, team.withdrawn_count)
        for team in context["teams"]
    }
    assert counts == {"Kestrel": (2, 0, 1, 1), "baseline": (1, 0, 0, 0)}
    assert (context["accepted_count"], context["baseline_count"]) == (3, 1)


def test_dashboard_shows_pools_and_current_qrels(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=1, document_count=2)
    pool = make_pool(task, name="depth 30", pairs=[("T1", "D1"), ("T1", "D2")])
    for version in (1, 2):
        make_qrels(task, name="people", version=version)
    make_qrels(task, name="clipscore", kind=QrelsKind.MODEL, pool=pool)
    client.force_login(make_organizer(task.track))
    answer = _page(client, task)
    page = answer.content.decode()
    assert "depth 30" in page
    assert [(each.name, each.version) for each in answer.context["qrels"]] == [
        ("people", 2),
        ("clipscore", 1),
    ]
    assert "people (version 2)" in page


def test_dashboard_names_what_an_empty_task_needs(client: Client) -> None:
    task = make_task(phase=Phase.DRAFT)
    client.force_login(make_organizer(task.track))
    answer = _page(client, task)
    page = answer.content.decode()
    # Runs open in half a day, close a day later, and judging opens another day later: dates come last.
    assert [need.text for need in answer.context["needs"]] == [
        "The collection is empty",
        "There is no active topic",
        "There are no guidelines",
        "There is no assessor",
        "Runs open in 12 h",
        "Runs close in 36 h",
        "Judging opens in 2 d",
    ]
    assert "Needs you: 7" in page
    assert f'href="{reverse("setup_collection", args=[task.track.slug, task.slug])}"' in page
    assert "The track has no team yet" in page


def test_task_page_shows_a_team_its_own_runs_only(client: Client) -> None:
    task = make_task(phase=Phase.OPEN, topic_count=1)
    kestrel = make_team(task.track)
    make_run(task, make_team(task.track), tag="nordlys-1")
    client.force_login(make_team_member(kestrel))
    assert "Nothing uploaded yet" in _page(client, task).content.decode()
    make_run(task, kestrel, tag="kestrel-1")
    page = _page(client, task).content.decode()
    assert "kestrel-1" in page
    assert "nordlys-1" not in page
    assert "Upload a run" in page


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        (Phase.OPEN, "open for runs"),
        (Phase.CLOSED, "judging opens"),
        (Phase.JUDGING, "releases"),
        (Phase.RELEASED, "released"),
    ],
)
def test_task_page_shows_the_phase_and_the_next_date(client: Client, phase: Phase, words: str) -> None:
    page = _page(client, make_task(phase=phase)).content.decode()
    assert words in page
    assert ("appear here with" in page) == (phase != Phase.RELEASED)
    assert ("Read and download" in page) == (phase == Phase.RELEASED)


def test_task_page_leads_to_what_is_released(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=1)
    # Two documents, both graded 1 or 2, and one of them first: nDCG@10 is 1 for the order of the grades.
    run = make_run(task, tag="best", results={"T1": ["D1", "D2"]})
    make_qrels(task, name="people", grades={("T1", "D1"): 2, ("T1", "D2"): 1})
    score_runs(task=task)
    answer = _page(client, task)
    assert answer.context["facts"].leaders.best[0].run == run
    page = answer.content.decode()
    assert "leads with nDCG@10" in page
    for name in ("leaderboard", "collection_release", "topics_file"):
        assert reverse(name, args=[task.track.slug, task.slug]) in page


def test_task_page_shows_the_panels_meant_for_the_reader(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = make_task(make_track(), phase=Phase.JUDGING)
    organizer = make_organizer(task.track)
    panel = panels.Panel(
        place=1,
        template="evaluation/pages/dates.html",
        context=lambda task, user, facts: {} if user == organizer else None,
    )
    monkeypatch.setattr(panels, "_panels", [panel])
    client.force_login(organizer)
    assert [each.template for each in _page(client, task).context["panels"]] == [panel.template]
    client.force_login(make_user())
    assert _page(client, task).context["panels"] == []


def test_dashboard_counts_faults_by_kind_and_late_uploads(client: Client) -> None:
    task = make_task(phase=Phase.CLOSED)
    for _ in range(2):
        make_run(task, state=RunState.REJECTED)
    make_run(task, is_late=True)
    client.force_login(make_organizer(task.track))
    answer = client.get(reverse("task_detail", args=[task.track.slug, task.slug]))
    assert answer.context["faults"] == [("File has no results", 2, 2)]
    assert "1 late" in answer.content.decode()


def test_task_page_leads_to_the_upload_as_long_as_runs_are_taken(client: Client) -> None:
    for grace, is_taken in ((timedelta(days=1), True), (timedelta(), False)):
        task = make_task(phase=Phase.CLOSED, judging_at=None, releases_at=None, grace=grace)
        client.force_login(make_team_member(make_team(task.track)))
        assert ("Upload a late run" in _page(client, task).content.decode()) == is_taken


def test_task_page_leads_everybody_to_their_next_action(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    actions = ("Sign in to take part", "Make a team to take part", "Upload a run")

    def offered() -> list[str]:
        page = _page(client, task).content.decode()
        return [action for action in actions if action in page]

    assert offered() == ["Sign in to take part"]
    for person, action in (
        (make_user(), ["Make a team to take part"]),
        (make_team_member(make_team(task.track)), ["Upload a run"]),
        (make_assessor(task.track), []),
    ):
        client.force_login(person)
        assert offered() == action
    Task.objects.update(**dates_of(Phase.CLOSED))
    client.force_login(make_user())
    assert offered() == []


@pytest.mark.parametrize(("phase", "is_offered"), [(Phase.CLOSED, False), (Phase.JUDGING, True)])
def test_task_page_leads_assessors_to_their_items(client: Client, phase: Phase, is_offered: bool) -> None:
    assignment = make_assignment()
    Task.objects.update(**dates_of(phase))
    client.force_login(assignment.assessor)
    page = _page(client, assignment.pool.task).content.decode()
    assert ("Continue judging" in page) == is_offered
    assert f'href="{reverse("judging_list")}"' in page
