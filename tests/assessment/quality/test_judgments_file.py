"""The file of judgments: every event, by pseudonym or by name."""

import csv
import io
import json

import pytest
from django.test import Client

from assessment.models import ExtraQuestion, Judgment
from tests.assessment.factories import address, judge, make_two, remark, undo

pytestmark = pytest.mark.django_db


def test_file_has_every_event_by_pseudonym_and_no_name(client: Client) -> None:
    owner, _ = make_two()
    first = Judgment.objects.earliest("pk")
    undo(owner, first)
    client.force_login(owner.pool.created_by)
    answer = client.get(address("judgments_export", owner, "csv"))
    text = b"".join(answer).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["assessor"] for row in rows] == ["A1", "A1", "A2", "A1"]
    assert [row["grade"] for row in rows] == ["0", "1", "2", ""]
    assert rows[3]["undoes"] == rows[0]["event"] == str(first.client_uuid)
    assert rows[0]["comment"] == "'=nothing fits"  # no formula for a spreadsheet
    assert rows[0]["judged_at"] == first.judged_at.isoformat()
    assert "Ann" not in text
    assert "example.org" not in text


def test_file_has_remarks_after_the_judgments(client: Client) -> None:
    owner, _ = make_two()
    remark(owner, "D1", "=on second thought", is_flagged=True)
    client.force_login(owner.pool.created_by)
    text = b"".join(client.get(address("judgments_export", owner, "csv"))).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 4
    last = rows[-1]
    assert (last["assessor"], last["docno"], last["grade"], last["is_flagged"]) == ("A1", "D1", "", "True")
    assert last["comment"] == "'=on second thought"


def test_json_lines_hold_the_same_and_names_on_request(client: Client) -> None:
    owner, second = make_two()
    ExtraQuestion.objects.create(task=owner.pool.task, name="right", text="Which one?", is_required=False)
    judge(second, "D2", 0, replies={"right": "Lake Bled"})
    client.force_login(owner.pool.created_by)
    lines = b"".join(client.get(address("judgments_export", owner, "jsonl") + "?names=yes")).splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["email"] for row in rows] == [owner.assessor.email] * 2 + [second.assessor.email] * 2
    assert rows[0]["comment"] == "=nothing fits"
    assert rows[2]["active_seconds"] == 2.0
    assert rows[2]["is_flagged"] is False
    assert [row["replies"] for row in rows[2:]] == [{}, {"right": "Lake Bled"}]
    assert client.get(address("judgments_export", owner, "xls")).status_code == 404
