import pytest
from django.test import Client

from evaluation.models import MeasureValue, Phase, Run, RunState, Task, Team, Track, User
from evaluation.results.values.actions import score_runs
from evaluation.submissions.runs.editing import withdraw_run
from tests.factories import (
    make_blob,
    make_organizer,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_verdict,
)
from trackside.checks import check_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def task() -> Task:
    return make_task(phase=Phase.OPEN, topic_count=1)


@pytest.fixture
def member(task: Task) -> User:
    return make_team_member(make_team(task.track))


def _team_of(member: User) -> Team:
    return Team.objects.get(memberships__user=member)


def _address(run: Run, tail: str = "") -> str:
    return f"/tracks/{run.task.track.slug}/tasks/{run.task.slug}/runs/{run.pk}/{tail}"


def test_run_page_polls_while_the_check_runs_and_reloads_after(
    client: Client, task: Task, member: User
) -> None:
    run = make_run(task, _team_of(member), state=RunState.RECEIVED)
    client.force_login(member)
    page = client.get(_address(run)).content.decode()
    assert 'hx-trigger="every 1s"' in page
    assert f'<a class="btn" href="{_address(run)}">Reload</a>' in page  # for readers without scripts
    assert client.get(_address(run), headers={"HX-Request": "true"}).status_code == 204
    assert client.get(_address(run, "verdict.json")).status_code == 404
    done = make_run(task, _team_of(member))
    answer = client.get(_address(done), headers={"HX-Request": "true"})
    assert answer.headers["HX-Refresh"] == "true"
    assert "hx-get" not in client.get(_address(done)).content.decode()


def test_run_page_shows_every_kind_of_fault_and_the_file_at_a_glance(
    client: Client, task: Task, member: User
) -> None:
    verdict = check_run(b"T1 Q0 D1 1 nan tag\nT9 Q0 <b>D2 1 1.0 tag\n", topics={"T1"})
    run = make_run(task, _team_of(member), state=RunState.REJECTED, verdict=make_verdict(verdict))
    client.force_login(member)
    page = client.get(_address(run)).content.decode()
    assert "2 kinds of fault to fix" in page
    for fault in verdict.faults:
        assert fault.title in page
        assert fault.first in page
    assert "<mark>nan</mark>" in page
    assert "<b>D2" not in page
    verdict = check_run(b"T1 Q0 D1 1 2.5 tag\nT1 Q0 D2 2 -1 tag\n", topics={"T1", "T2"})
    run = make_run(task, _team_of(member), state=RunState.REJECTED, verdict=make_verdict(verdict))
    page = client.get(_address(run)).content.decode()
    for glance in ("−1.0000 to 2.5000", "<dd>1 of 2</dd>", "2 to 2, median 2"):
        assert glance in page


def test_run_page_offers_withdrawal_of_an_accepted_run_only_and_names_versions_of_its_tag(
    client: Client, task: Task, member: User
) -> None:
    Task.objects.filter(pk=task.pk).update(time_zone="Asia/Kathmandu")
    client.force_login(member)
    old = make_run(task, _team_of(member), tag="kestrel-1", state=RunState.REPLACED)
    new = make_run(task, _team_of(member), tag="kestrel-1", replaces=old)
    answer = client.get(_address(new))
    page = answer.content.decode()
    assert answer.context["versions"] == [new, old]
    assert f'href="{_address(old)}"' in page
    assert f"/runs/upload/?replaces={new.pk}" in page
    assert "+0545" in page, "the zone of the task"
    assert "data-local" not in page, "a script would show the reader's own zone"
    for state, is_offered in (
        (RunState.ACCEPTED, True),
        (RunState.REJECTED, False),
        (RunState.WITHDRAWN, False),
    ):
        run = make_run(task, _team_of(member), state=state)
        assert (_address(run, "withdraw/") in client.get(_address(run)).content.decode()) is is_offered


def test_run_page_compares_a_scored_run_with_the_others(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=2, document_count=2)
    run = make_run(task, tag="good", results={"T1": ["D1", "D2"], "T2": ["D1"]})
    make_run(task, tag="half", results={"T1": ["D2", "D1"], "T2": ["D1"]})
    bad = make_run(task, tag="bad", results={"T1": ["D2"], "T2": ["D2"]})
    make_qrels(task, grades={("T1", "D1"): 1, ("T1", "D2"): 0, ("T2", "D1"): 1})
    score_runs(task=task)
    values = client.get(_address(run), {"measure": "AP"}).context["values"]
    [row] = [row for row in values.rows if row.measure == "AP"]
    # AP of good is 1 and 1, of half 1/2 and 1, of bad 0 and 0: means 1, 0.75 and 0.
    assert (row.mean, row.rank, row.median, row.best) == (1.0, 1, 0.75, 1.0)
    assert [(each.topic, each.value, each.median, each.best) for each in values.topics] == [
        ("T1", 1.0, 0.5, 1.0),
        ("T2", 1.0, 1.0, 1.0),
    ]
    assert (values.won, values.lost) == (1, 0)
    assert dict(values.judged)[10] == pytest.approx(0.15)  # two of ten and one of ten
    assert values.unique == 0
    page = client.get(_address(run)).content.decode()
    assert "Precision at eleven points of recall" in page
    values = client.get(_address(bad), {"measure": "no measure"}).context["values"]
    assert (values.measure, values.won, values.lost) == ("nDCG@10", 0, 2)
    withdraw_run(run=run, by=make_organizer(task.track), reason="Trained on the topics.")
    client.force_login(run.received_by)
    assert client.get(_address(run)).context["values"] is None, "its values count for nothing"
    rest = client.get(_address(bad), {"measure": "AP"}).context["values"]
    assert (rest.run_count, [row.best for row in rest.rows if row.measure == "AP"]) == (2, [0.75])


def test_run_values_come_as_a_file_with_the_means_last(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=1, document_count=2)
    run = make_run(task, tag="good")
    make_qrels(task)
    score_runs(task=task)
    header, topic, means = client.get(_address(run, "scores.csv")).content.decode().splitlines()
    place = header.split(",").index("AP")
    assert (topic.split(",")[0], topic.split(",")[place]) == ("T1", "1")
    assert means.split(",")[0] == "all"
    assert client.get(_address(run, "scores.xls")).status_code == 404


def test_run_file_is_everybody_s_where_the_track_publishes_runs(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED)
    run = make_run(task, tag="good", file_name="c-users-me.run.gz")
    assert client.get(_address(run, "file")).status_code == 404
    Track.objects.update(has_public_runs=True)
    assert _address(run, "file") in client.get(_address(run)).content.decode()
    answer = client.get(_address(run, "file"))
    assert answer.headers["Content-Disposition"] == 'attachment; filename="good.run.gz"'
    answer.close()


def test_run_page_after_the_release_shows_everybody_the_values_but_not_the_upload(client: Client) -> None:
    task = make_task(phase=Phase.RELEASED, topic_count=1)
    run = make_run(task, make_team(task.track), file_name="secret-path.run", description="A dense one.")
    MeasureValue.objects.create(
        run=run, qrels=make_qrels(task), measure="nDCG@10", values=[0.5], mean=0.4321, code_version="1"
    )
    page = client.get(_address(run)).content.decode()
    assert "0.4321" in page
    assert "A dense one." in page
    assert "secret-path" not in page
    assert run.received_by.name not in page
    for tail in ("file", "verdict.json", "verdict.txt"):
        assert client.get(_address(run, tail)).status_code == 404


def test_run_file_is_downloaded_byte_for_byte(client: Client, task: Task, member: User) -> None:
    upload = b"\xef\xbb\xbfT1 Q0 D1 1 1.0 tag\r\n"
    run = make_run(task, _team_of(member), upload=make_blob(upload), file_name="mine.run")
    client.force_login(member)
    answer = client.get(_address(run, "file"))
    assert answer.getvalue() == upload
    answer.close()
    assert answer.headers["Content-Disposition"] == 'attachment; filename="mine.run"'
    assert answer.headers["Content-Type"] == "application/octet-stream"


def test_run_verdict_comes_as_json_and_as_text(client: Client, task: Task, member: User) -> None:
    verdict = check_run(b"T01 Q0 D2 1 1.0 tag\n", topics={"T1"})
    run = make_run(
        task, _team_of(member), state=RunState.REJECTED, verdict=make_verdict(verdict), file_name="mine.run"
    )
    client.force_login(member)
    assert client.get(_address(run, "verdict.json")).json() == verdict.to_json()
    text = client.get(_address(run, "verdict.txt"))
    assert text.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert text.content.decode().startswith("Rejected: mine.run")
    line = "1 of 1 topics have no result; the run has T01; did you mean T1?"
    assert line in text.content.decode()
    assert line in client.get(_address(run)).content.decode()


def test_run_page_leads_to_the_results_of_an_accepted_run_by_topic(
    client: Client, task: Task, member: User
) -> None:
    run = make_run(task, _team_of(member))
    client.force_login(member)
    page = f"/tracks/{task.track.slug}/tasks/{task.slug}/topics/{task.topics.get().pk}/?a={run.pk}"
    assert f'href="{page}"' in client.get(_address(run)).content.decode()
    rejected = make_run(task, _team_of(member), state=RunState.REJECTED)
    assert "Results by topic" not in client.get(_address(rejected)).content.decode()
