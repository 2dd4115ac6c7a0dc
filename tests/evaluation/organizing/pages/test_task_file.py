"""Organizers' downloads of a task: complete tables as CSV and JSON."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Run, RunState, RunType, SubmissionQuestion, TeamLimit
from tests.factories import (
    make_family,
    make_organizer,
    make_pool,
    make_run,
    make_task,
    make_team,
    make_team_member,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(client: Client) -> Run:
    task = make_task(max_runs=3)
    client.force_login(make_organizer(task.track))
    SubmissionQuestion.objects.create(task=task, name="data", text="Trained on?")
    team = make_team(task.track, name="Heron")
    TeamLimit.objects.create(task=task, team=team, max_runs=5)
    member = make_team_member(team, email="ann@example.org")
    said: dict[str, Any] = {"type": RunType.MANUAL, "replies": {"data": "=COCO"}, "pool_priority": 1}
    made = make_run(task, team, tag="deep", received_by=member, **said)
    made.families.add(make_family(task, name="CLIP-based"), make_family(task, name="fused"))
    make_run(task, team, state=RunState.REJECTED, received_by=member)
    make_pool(task, name="first", runs=[made])
    return made


def _rows(client: Client, run: Run, rows: str) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    names = [run.task.track.slug, run.task.slug, rows]
    as_json = json.loads(client.get(reverse("task_file", args=[*names, "json"])).getvalue())
    as_csv = client.get(reverse("task_file", args=[*names, "csv"])).getvalue().decode()
    return as_json, list(csv.DictReader(io.StringIO(as_csv)))


def test_runs_have_everything_that_is_known_of_an_upload(client: Client, run: Run) -> None:
    rows, lines = _rows(client, run, "runs")
    assert [(row["tag"], row["state"], row["faults"]) for row in rows] == [
        ("deep", "accepted", []),
        ("", "rejected", ["empty_file"]),
    ]
    assert rows[0]["sha256"] == run.upload_id
    assert (rows[0]["reply_data"], rows[0]["type"], rows[0]["pool_priority"]) == ("=COCO", "manual", 1)
    assert rows[0]["received_at"] == run.received_at.isoformat(timespec="microseconds")
    assert list(lines[0]) == list(rows[0])
    assert lines[0]["families"] == "CLIP-based fused"
    assert lines[0]["reply_data"] == "'=COCO"  # no formula for the organizer's spreadsheet
    # Codes and counts of verdicts are computed by the database.
    for row, stored in zip(rows, run.task.runs.select_related("verdict").order_by("pk"), strict=True):
        assert stored.verdict
        content, summary = stored.verdict.content, stored.verdict.content["summary"]
        assert row["faults"] == [fault["code"] for fault in content["faults"]]
        assert row["warnings"] == [fault["code"] for fault in content["warnings"]]
        counts = [summary.get(name) for name in ("line_count", "topic_count", "docno_count")]
        assert [row[name] for name in ("lines", "topics", "documents")] == counts


def test_teams_faults_and_pools_have_a_row_each_and_nothing_else_has_a_file(client: Client, run: Run) -> None:
    ((team,), _) = _rows(client, run, "teams")
    assert (team["team"], team["members"], team["runs_allowed"]) == ("Heron", ["ann@example.org"], 5)
    assert (team["accepted"], team["rejected"], team["withdrawn"]) == (1, 1, 0)
    ((fault,), _) = _rows(client, run, "faults")
    named = (fault["team"], fault["code"], fault["severity"], fault["count"])
    assert named == ("Heron", "empty_file", "error", 1)
    ((pool,), _) = _rows(client, run, "pools")
    assert (pool["pool"], pool["items"], pool["tag"], pool["depth"]) == ("first", 2, "deep", 30)
    assert json.loads(pool["recipe"]) == {}
    for rows, form in (("people", "csv"), ("runs", "xml")):
        address = reverse("task_file", args=[run.task.track.slug, run.task.slug, rows, form])
        assert client.get(address).status_code == 404


def test_page_of_replies_shows_them_to_organizers(client: Client, run: Run) -> None:
    address = reverse("run_replies", args=[run.task.track.slug, run.task.slug])
    page = client.get(address).content.decode()
    assert '<th scope="col" role="columnheader">Trained on?</th>' in page
    assert "=COCO" in page
    assert page.count('class="tag"') == 1
    assert "asks no questions" not in page
    run.task.submission_questions.all().delete()
    assert "asks no questions" in client.get(address).content.decode()
    client.force_login(run.received_by)
    assert client.get(address).status_code == 404
