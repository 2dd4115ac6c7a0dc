import json
from typing import Any

import pytest
from django.test import Client

from evaluation.core.report.sections.summary.in_short import JUDGES
from evaluation.models import Phase, QrelsKind, Report, ReportProgress, Task
from evaluation.reports.actions import compute_report
from evaluation.tasks import run_reports
from tests.evaluation.report_findings import stored_findings
from tests.factories import (
    make_assessor,
    make_family,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_user,
)

pytestmark = pytest.mark.django_db


def _address(task: Task) -> str:
    return f"/tracks/{task.track.slug}/tasks/{task.slug}/report/"


def _make_report(task: Task, **found: Any) -> Report:
    return Report.objects.create(
        task=task,
        reference=make_qrels(task),
        inputs_sha256="0" * 64,
        **(found or stored_findings()),
        code_version="1.2.3",
    )


@pytest.fixture
def page(client: Client) -> str:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    return client.get(_address(task)).content.decode()


def test_report_page_shows_the_finding_and_the_key_figures(page: str) -> None:
    assert (
        '<h1 class="lead wide2">Nearest to people is clipscore; no sign about CLIP-based runs.</h1>' in page
    )
    assert "Orders the 3 runs much as people do; shows no sign of favouring CLIP-based runs." in page
    assert "<b>0.81</b> <small>tau, 0.60 to 0.92</small>" in page
    assert "<b>0.31</b>" in page
    assert "<small>none, 12 topics</small>" in page
    assert "<b>+21.2</b><small>−30.5 to +40.5</small>" in page
    assert '<span class="st ok">no sign</span>' in page


def test_report_page_ranks_the_runs_and_shows_a_gap_as_a_dash(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    rows = client.get(_address(task)).context["shown"].rows
    # People: bm25 0.75, clip-a 0.5, clip-b 0.25; the model has no value for bm25.
    assert [(row.tag, row.cells) for row in rows] == [
        ("bm25", (("0.7500", "1"), ("–", "–"))),
        ("clip-a", (("0.5000", "2"), ("0.6000", "1"))),
        ("clip-b", (("0.2500", "3"), ("0.5000", "2"))),
    ]


def test_report_page_shows_sections_for_the_measure_and_family_chosen(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    first = client.get(_address(task)).content.decode()
    assert 'id="order"' in first
    assert "<small>0.60 to 0.92</small>" in first
    chosen = {"measure": "AP", "family": "lexical"}
    assert "<small>0.60 to 0.92</small>" not in client.get(_address(task), chosen).content.decode()
    order, bias = (f"{_address(task)}sections/{name}/" for name in ("order", "bias"))
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in client.get(order).content.decode()
    assert "Ranks" not in client.get(order, chosen).content.decode()
    assert 'id="table-bias"' not in client.get(bias).content.decode()  # it has rows of lexical runs only
    page = client.get(bias, chosen).content.decode()
    assert 'id="table-bias"' in page
    assert "−21.2" in page


def test_report_page_on_its_making_names_hashes_and_version(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    page = client.get(f"{_address(task)}sections/methods/").content.decode()
    assert "Qrels by SHA-256: people abababababab." in page
    assert "code version 1.2.3" in page


def test_report_page_shows_how_much_is_judged(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=2, document_count=20)
    _make_report(task)  # its qrels have grades of D1 and D2 on T1
    pairs = [(f"T{topic}", f"D{number}") for topic in (1, 2) for number in range(1, 21)]
    make_pool(task, pairs=pairs)
    assert "people have judged 2 of 40 items of the pools." in client.get(_address(task)).content.decode()


@pytest.mark.parametrize(("power", "is_explained"), [(None, False), ({"value": 9.0}, True)])
def test_report_page_explains_the_size_that_would_show_only_beside_one(
    client: Client, power: dict[str, float] | None, is_explained: bool
) -> None:
    task = make_task(phase=Phase.RELEASED)
    found = stored_findings()
    place = [column.name for column in JUDGES].index("would show")
    for row in found["sections"][0]["tables"][2]["rows"]:
        row[place] = power
    _make_report(task, **found)
    page = client.get(_address(task)).content.decode()
    assert ("from <b>9</b>" in page) is is_explained
    assert ("From: excess found" in page) is is_explained


def test_report_page_shows_the_undefined_with_its_reason(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    page = client.get(_address(task), {"measure": "AP"}).content.decode()
    assert "undefined (all values are equal)" in page
    assert "nan" not in page.lower()


def test_report_page_falls_back_to_the_first_choice(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    context = client.get(_address(task), {"measure": "no such", "family": "none"}).context
    assert (context["measure"], context["family"]) == ("nDCG@10", "CLIP-based")


@pytest.fixture
def running() -> Task:
    """Three runs of two teams on two topics, with a report of all."""
    task = make_task(phase=Phase.RELEASED, topic_count=2, document_count=2)
    teams = [make_team(task.track), make_team(task.track, is_baseline=True)]
    for tag, team, order in (("a", 0, "D1 D2"), ("b", 0, "D2 D1"), ("c", 1, "D2")):
        make_run(task, tag=tag, team=teams[team], results={f"T{n}": order.split() for n in (1, 2)})
    grades = {(f"T{topic}", f"D{number}"): number for topic in (1, 2) for number in (1, 2)}
    make_qrels(task, name="people", grades=dict(grades))
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=grades | {("T1", "D1"): 0})
    assert compute_report(task=task)
    return task


def test_report_page_offers_groups_and_single_runs_and_topics(client: Client, running: Task) -> None:
    form = client.get(_address(running)).context["form"]
    assert [(group.words, group.members) for group in form.run_groups] == [
        ("all (3)", ("a", "b", "c")),
        ("best of each team (2)", ("b", "c")),
        ("participants only (2)", ("a", "b")),
    ]
    assert form.topic_groups[0].members == ("T1", "T2")
    assert [(box.words, box.is_ticked) for box in form.runs] == [("a", False), ("b", False), ("c", False)]


def _ask(task: Task, query: str = "") -> str:
    return f"{_address(task)}ask/?{query}"


def test_report_page_of_a_choice_shows_how_far_it_is_and_then_shows_it(client: Client, running: Task) -> None:
    client.force_login(make_user())
    given = {"runs": "participants", "topic": "T2"}
    page = client.get(_address(running), given).content.decode()
    assert "There is no report of this choice" in page
    assert not ReportProgress.objects.exclude(choice={}).exists()  # opening the page queues nothing
    asked = client.post(_ask(running, "runs=participants&topic=T2"))
    assert asked.headers["Location"] == f"{_address(running)}?runs=participants&topic=T2"
    page = client.get(_address(running), given).content.decode()
    assert "This choice is being computed" in page
    assert "Waiting for a worker" in page
    part = client.get(_address(running), given, headers={"HX-Request": "true"})
    assert part.content.decode().startswith('<div id="progress"')
    run_reports()
    assert client.get(_address(running), given, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    answer = client.get(_address(running), given)
    assert [row.tag for row in answer.context["shown"].rows] == ["b", "a"]
    assert "Chosen: 2 of 3 runs, 1 of 2 topics." in answer.content.decode()
    of = f"?of={answer.context['report'].pk}"
    assert of in answer.content.decode()
    table = client.get(_address(running) + "tables/order.csv" + of).content.decode()
    assert table.splitlines()[1].startswith("nDCG@10,clip,1,2,")


def test_report_page_computes_a_choice_for_the_signed_in_alone(client: Client, running: Task) -> None:
    page = client.get(_address(running), {"runs": "participants"}).content.decode()
    assert "Sign in</a> to have it computed" in page
    assert client.post(_ask(running, "runs=participants")).headers["Location"].startswith("/account/login/")
    assert not ReportProgress.objects.exclude(choice={}).exists()


def test_report_page_of_an_empty_choice_is_the_whole_report(client: Client, running: Task) -> None:
    answer = client.get(_address(running), {"runs": "participants", "run": str(running.runs.get(tag="c").pk)})
    assert answer.context["form"].is_empty
    assert len(answer.context["shown"].rows) == 3


def test_report_page_recomputes_an_outdated_report(client: Client, running: Task) -> None:
    changed = "have changed since this report was computed"
    assert changed not in client.get(_address(running)).content.decode()
    running.runs.get(tag="a").families.add(make_family(running))
    assert changed in client.get(_address(running)).content.decode()
    assert not ReportProgress.objects.waiting().exists()
    client.force_login(make_user())
    assert "Compute it again" in client.get(_address(running)).content.decode()
    client.post(_ask(running))
    page = client.get(_address(running)).content.decode()
    assert "Runs, families or qrels have changed since this report. Waiting for a worker." in page
    assert ReportProgress.objects.waiting().filter(task=running, choice={}).exists()


def test_report_page_draws_without_style_attributes(page: str) -> None:
    assert "style=" not in page


def test_report_page_shows_organizers_what_is_missing(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    client.force_login(make_organizer(task.track))
    assert "No report yet" in client.get(_address(task)).content.decode()


def test_report_page_without_a_report_asks_again_by_itself(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    client.force_login(make_organizer(task.track))
    assert 'hx-trigger="every 10s"' in client.get(_address(task)).content.decode()
    part = client.get(_address(task), headers={"HX-Request": "true"})
    assert "HX-Refresh" not in part.headers
    assert 'hx-trigger="every 10s"' in part.content.decode()
    _make_report(task)
    assert client.get(_address(task), headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"


def test_report_page_before_the_release_is_for_organizers_only(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    _make_report(task)
    for person in (make_user(), make_assessor(task.track), make_team_member(make_team(task.track))):
        client.force_login(person)
        assert client.get(_address(task)).status_code == 404
    client.force_login(make_organizer(task.track))
    assert client.get(_address(task)).status_code == 200


def test_report_page_after_the_release_is_for_all_but_the_track_s_assessors(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    assert client.get(_address(task)).status_code == 200
    client.force_login(make_assessor(task.track))
    assert client.get(_address(task)).status_code == 404


def test_report_page_keeps_no_part_that_is_an_organizer_s_alone(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    _make_report(task)
    anybody, organizer = Client(), client
    organizer.force_login(make_organizer(task.track))
    assert "Bundle (zip)" in organizer.get(_address(task)).content.decode()
    assert "Bundle (zip)" not in anybody.get(_address(task)).content.decode()


def test_report_page_shows_the_parts_of_the_latest_report(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    first = _make_report(task)
    assert "0.81" in client.get(_address(task)).content.decode()
    later = json.loads(json.dumps(stored_findings()).replace("0.81", "0.42"))
    Report.objects.create(
        task=task, reference=first.reference, inputs_sha256="1" * 64, code_version="1.2.3", **later
    )
    page = client.get(_address(task)).content.decode()
    assert "0.42" in page
    assert "0.81" not in page


def test_person_has_one_choice_computed_at_a_time(client: Client, running: Task) -> None:
    first, second = make_user(), make_user()
    client.force_login(first)
    for topic in ("T1", "T2"):
        client.post(_ask(running, f"topic={topic}"))
    assert ReportProgress.objects.exclude(choice={}).count() == 1
    assert "Another choice of yours is being computed" in client.get(_address(running)).content.decode()
    client.force_login(second)
    client.post(_ask(running, "topic=T2"))
    assert ReportProgress.objects.exclude(choice={}).count() == 2


def test_report_is_asked_for_by_those_who_may_see_it(client: Client, running: Task) -> None:
    Task.objects.filter(pk=running.pk).update(releases_at=None)
    client.force_login(make_user())
    assert client.post(_ask(running, "topic=T2")).status_code == 404
    assert client.get(_ask(running, "topic=T2")).status_code == 405
    assert not ReportProgress.objects.waiting().exists()
