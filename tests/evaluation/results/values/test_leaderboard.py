import csv
import io
import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from evaluation.models import Phase, QrelsKind, Task
from evaluation.results.values.actions import score_runs
from evaluation.results.values.leaderboard import qrels_to_choose
from tests.factories import make_family, make_organizer, make_qrels, make_run, make_task, make_team

pytestmark = pytest.mark.django_db

GOOD: dict[tuple[str, str], int | None] = {("T1", "D1"): 2, ("T1", "D2"): 0, ("T2", "D1"): 1, ("T2", "D2"): 0}
SWAPPED: dict[tuple[str, str], int | None] = {
    ("T1", "D1"): 0, ("T1", "D2"): 2, ("T2", "D1"): 0, ("T2", "D2"): 1,
}  # fmt: skip


@pytest.fixture
def task() -> Task:
    task = make_task(phase=Phase.RELEASED, topic_count=2, document_count=2)
    kestrel, nordlys = make_team(task.track, name="Kestrel"), make_team(task.track, name="Nordlys")
    first = ["D1", "D2"]
    run = make_run(task, kestrel, tag="k-best", results={"T1": first, "T2": first})
    run.families.add(make_family(task, name="CLIP-based"))
    make_run(task, kestrel, tag="k-worse", results={"T1": first[::-1], "T2": first[::-1]})
    make_run(task, nordlys, tag="n-half", results={"T1": first})
    make_qrels(task, name="people", grades=GOOD)
    make_qrels(task, name="clipscore", kind=QrelsKind.MODEL, grades=SWAPPED)
    score_runs(task=task)
    return task


def _address(task: Task, tail: str = "") -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/leaderboard/{tail}"


def _rows(client: Client, task: Task, query: str = "") -> list[dict[str, str]]:
    answer = client.get(_address(task, f"scores.csv{query}"))
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_leaderboard_ranks_by_peoples_qrels_and_the_first_measure(client: Client, task: Task) -> None:
    page = client.get(_address(task)).content.decode()
    assert page.index("k-best") < page.index("k-worse")
    axis, *drawings = (part.split("</svg>")[0] for part in page.split('<svg class="wk')[1:])
    drawn = drawings[::2]  # each is followed by the axis that phones show
    ticks = re.findall(r'<text x="([\d.]+)"', axis)
    assert (len(ticks) > 2, len(drawn)) == (True, 3)
    for drawing in drawn:
        assert re.findall(r'(?:grd|zero)" d="M([\d.]+) ', drawing) == ticks, "its lines run through every row"
    rows = _rows(client, task, "?measure=AP")
    # Two results a topic: Judged@10 is 2 / 10, although both are judged.
    assert [row["Judged@10"] for row in rows] == ["0.2", "0.2", "0.1"]
    assert "or a topic has fewer than ten results" in " ".join(page.split())
    # AP: k-best 1 and 1; k-worse finds it second, 1/2; n-half leaves T2 out, (1 + 0) / 2.
    assert [(row["run"], row["rank"], row["AP"]) for row in rows] == [
        ("k-best", "1", "1"), ("k-worse", "2", "0.5"), ("n-half", "3", "0.5"),
    ]  # fmt: skip
    found = json.loads(client.get(_address(task, "scores.json?measure=AP")).content)
    assert found["rows"][0][0] == "k-best"
    assert "people, version 1" in found["basis"]
    assert client.get(_address(task, "scores.xls")).status_code == 404


def test_leaderboard_takes_qrels_filters_and_order_from_the_address(client: Client, task: Task) -> None:
    model = task.qrels.get(kind=QrelsKind.MODEL)
    assert _rows(client, task, f"?qrels={model.pk}&measure=AP")[0]["run"] == "k-worse"
    assert [row["run"] for row in _rows(client, task, "?team=Nordlys")] == ["n-half"]
    assert [row["run"] for row in _rows(client, task, "?family=CLIP-based")] == ["k-best"]
    assert [row["run"] for row in _rows(client, task, "?best=1&measure=AP")] == ["k-best", "n-half"]
    assert [row["run"] for row in _rows(client, task, "?sort=team&measure=AP")] == [
        "k-best",
        "k-worse",
        "n-half",
    ]
    assert "No run matches this choice" in client.get(_address(task, "?team=Nobody")).content.decode()


def test_best_run_of_a_team_is_the_first_by_tag_on_ties(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=1, document_count=2)
    kestrel = make_team(task.track, name="Kestrel")
    make_run(task, kestrel, tag="a-worse", results={"T1": ["D2", "D1"]})
    for tag in ("k-b", "k-a", "k-c"):
        make_run(task, kestrel, tag=tag, results={"T1": ["D1", "D2"]})
    make_qrels(task, name="people", grades={("T1", "D1"): 2})
    score_runs(task=task)
    assert [row["run"] for row in _rows(client, task, "?best=1&measure=AP")] == ["k-a"]


def test_grades_of_people_are_offered_first_and_the_newest_of_a_kind_before_older_ones(task: Task) -> None:
    now = timezone.now()
    for hours, (name, kind) in enumerate(
        [
            ("clip", QrelsKind.MODEL),
            ("again", QrelsKind.SECOND),
            ("later", QrelsKind.HUMAN),
            ("new", QrelsKind.HUMAN),
        ]
    ):
        make_qrels(task, name=name, kind=kind, grades=GOOD, created_at=now + timedelta(hours=hours))
    make_qrels(task, name="people", version=2, grades=GOOD, created_at=now + timedelta(hours=2.5))
    offered = [(each.name, each.version) for each in qrels_to_choose(task, AnonymousUser())]
    assert offered == [("new", 1), ("people", 2), ("later", 1), ("again", 1), ("clip", 1), ("clipscore", 1)]


def test_leaderboard_has_filters_and_orders_of_its_own(client: Client, task: Task) -> None:
    task.runs.filter(tag="n-half").update(type="manual")
    assert [row["run"] for row in _rows(client, task, "?type=manual")] == ["n-half"]
    best_first = ["k-worse", "k-best", "n-half"]
    model = task.qrels.get(kind=QrelsKind.MODEL).pk
    assert [row["run"] for row in _rows(client, task, f"?qrels={model}&measure=AP")] == best_first
    assert [row["run"] for row in _rows(client, task, f"?qrels={model}&measure=AP&sort=run")] == sorted(
        best_first
    )
    assert _rows(client, task, f"?qrels={model}&sort=team&measure=AP")[0]["run"] == "k-worse"


def test_leaderboard_without_qrels_shows_organizers_the_next_step(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    assert client.get(_address(task)).status_code == 404
    client.force_login(make_organizer(task.track))
    assert "No qrels yet" in client.get(_address(task)).content.decode()


@pytest.mark.parametrize("is_new", ["qrels", "measure"])
def test_leaderboard_is_empty_until_the_runs_are_scored(client: Client, task: Task, is_new: str) -> None:
    if is_new == "qrels":
        make_qrels(task, name="people", version=2, grades=GOOD)
    else:
        Task.objects.filter(pk=task.pk).update(measures=["P@3"])
    assert "No run has values under these qrels yet" in client.get(_address(task)).content.decode()
    for form in ("csv", "json", "tex"):
        assert client.get(_address(task, f"scores.{form}")).status_code == 200
    assert _rows(client, task) == []


def test_leaderboard_file_holds_no_formula_that_a_team_wrote(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=2, document_count=2)
    for name, tag in (('=HYPERLINK("http://x")', "-tag"), ("@SUM(A1)", "plain")):
        make_run(task, make_team(task.track, name=name), tag=tag, results={"T1": ["D1", "D2"]})
    make_qrels(task, name="people", grades=GOOD)
    score_runs(task=task)

    rows = _rows(client, task, "?measure=AP")

    assert {(row["team"], row["run"]) for row in rows} == {
        ("'=HYPERLINK(\"http://x\")", "'-tag"), ("'@SUM(A1)", "plain"),
    }  # fmt: skip
