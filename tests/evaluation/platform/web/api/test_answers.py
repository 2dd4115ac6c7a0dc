"""Common properties of all answers: problems, pages, ETags."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.config.api import api
from evaluation.models import Phase, RunState, Task, Team, Topic, Track
from tests.addresses.rows_read import rows_read
from tests.evaluation.platform.web.api.conftest import address_of, program_of
from tests.factories import make_pool, make_qrels, make_run, make_task, make_topic, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("get", "/api/v1/no-such-thing", 404),
        ("get", "/api/v1/tracks/", 404),
        ("get", "/api/v2/tracks", 404),
        ("put", "/api/v1/tracks", 405),
        ("get", "/api/v1/tracks?limit=0", 422),
        ("get", "/api/v1/tracks?offset=-1", 422),
    ],
)
def test_errors_are_problems(program: Client, method: str, address: str, status: int) -> None:
    answer = getattr(program, method)(address)
    found = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert (found["status"], bool(found["title"]), bool(found["detail"])) == (status, True, True)
    assert ("Allow" in answer) == (status == 405)


def test_value_that_does_not_fit_is_named(program: Client) -> None:
    found = program.get("/api/v1/tracks?limit=x").json()
    assert found["errors"][0]["where"] == "query limit"
    assert "query limit: " in found["detail"]


def test_internal_error_is_a_problem_too(
    program: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the innards")

    monkeypatch.setattr("evaluation.platform.web.api.operations.page_of", broken)
    program.raise_request_exception = False
    answer = program.get("/api/v1/tracks")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert "innards" not in answer.content.decode()
    assert "the innards" in caplog.text


def test_lists_come_in_pages_that_name_their_neighbours(program: Client, task: Task) -> None:
    address = address_of(task, "/topics")
    answer = program.get(address, {"limit": 2})
    assert (answer.json()["count"], [each["topic"] for each in answer.json()["items"]]) == (3, ["T1", "T2"])
    names = {name: link for link, name in re.findall(r'<([^>]+)>; rel="(\w+)"', answer["Link"])}
    assert set(names) == {"first", "next", "last"}
    rest = program.get(names["next"])
    assert [each["topic"] for each in rest.json()["items"]] == ["T3"]
    assert 'rel="prev"' in rest["Link"]
    assert 'rel="next"' not in rest["Link"]


def _next(answer: Any) -> str | None:
    link = re.search(r'<([^>]+)>; rel="next"', answer["Link"])
    return link[1] if link else None


def test_next_link_neither_skips_nor_repeats_an_item_when_others_come_and_go(
    program: Client, task: Task
) -> None:
    answer = program.get(address_of(task, "/topics"), {"limit": 2})
    make_topic(task, number="T0")
    Topic.objects.filter(task=task, number="T1").delete()
    rest = program.get(str(_next(answer)))
    assert [each["topic"] for each in rest.json()["items"]] == ["T3"]
    assert rest.json()["count"] == 3


def test_next_link_keeps_the_filter_and_leads_through_the_list_once(
    program: Client, task: Task, team: Team
) -> None:
    runs = [make_run(task, team).pk for _ in range(5)]
    make_run(task, team, state=RunState.REJECTED)
    found, address = [], f"{address_of(task, '/runs')}?state=accepted&limit=2"
    while address:
        answer = program.get(address)
        found += [each["id"] for each in answer.json()["items"]]
        address = _next(answer) or ""
    assert found == runs


def test_pages_after_the_first_read_no_rows_before_them(program: Client, task: Task) -> None:
    for number in range(300):
        make_topic(task, number=f"U{number:03d}")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE evaluation_topic")
    answer = program.get(address_of(task, "/topics"), {"limit": 10})
    for _ in range(20):
        answer = program.get(str(_next(answer)))
    with rows_read() as reading:
        answer = program.get(str(_next(answer)))
    assert answer.json()["items"][0]["topic"] == "U207"
    assert reading.rows < 100


@pytest.mark.parametrize("cursor", ["", "x", "W10:x", "é"])
def test_cursor_that_no_list_gave_is_refused(program: Client, task: Task, cursor: str) -> None:
    answer = program.get(address_of(task, "/topics"), {"cursor": cursor})
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:trackside:unknown-cursor")


def test_cursor_of_another_list_is_refused(program: Client, task: Task) -> None:
    cursor = str(_next(program.get(address_of(task, "/topics"), {"limit": 1}))).rpartition("cursor=")[2]
    assert program.get(f"{address_of(task, '/runs')}?cursor={cursor}").status_code == 422


def test_unchanged_content_is_not_sent_again(program: Client, task: Task) -> None:
    first = program.get(address_of(task))
    again = program.get(address_of(task), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (first["Cache-Control"], first["Vary"]) == ("private, no-cache", "Authorization")
    task.name = "Another name"
    task.save()
    assert program.get(address_of(task), headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_run_file_has_its_hash_as_etag(program: Client, task: Task, team: Team) -> None:
    run = make_run(task, team)
    address = address_of(task, f"/runs/{run.pk}/file")
    answer = program.get(address)
    assert (b"".join(answer), answer["ETag"]) == (run.upload.read(), f'"{run.upload_id}"')
    assert program.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_head_is_the_get_without_its_content(program: Client, task: Task, team: Team) -> None:
    run = make_run(task, team)
    for rest in ("", "/topics", f"/runs/{run.pk}/file", "/runs/0"):
        got, head = program.get(address_of(task, rest)), program.head(address_of(task, rest))
        assert (head.status_code, dict(head.headers)) == (got.status_code, dict(got.headers))
        assert b"".join(got)
        assert not b"".join(head)


def test_published_file_goes_by_its_tag() -> None:
    task = make_task(phase=Phase.RELEASED)
    run = make_run(task, tag="good", file_name="c-users-me.run.gz")
    stranger = program_of(make_user())
    addresses = [address_of(task, rest) for rest in ("/runs", f"/runs/{run.pk}", f"/runs/{run.pk}/file")]
    shown = [stranger.get(address) for address in addresses]
    assert [shown[0].json()["items"][0]["file"], shown[1].json()["file"]] == [None, None]
    assert shown[2].status_code == 404
    Track.objects.update(has_public_runs=True)
    shown = [stranger.get(address) for address in addresses]
    assert [shown[0].json()["items"][0]["file"], shown[1].json()["file"]] == ["good.run.gz"] * 2
    assert (shown[1].json()["upload"], b"".join(shown[2])) == (None, run.upload.read())


def test_number_of_statements_does_not_grow_with_the_list(program: Client, task: Task, team: Team) -> None:
    counts = []
    for _ in range(2):
        for _ in range(3):
            run = make_run(task, team)
            make_qrels(task, pool=make_pool(task, runs=[run]))
        with CaptureQueriesContext(connection) as statements:
            for rest in ("/runs", "/scores?per_topic=true", "/qrels", "/topics", ""):
                assert program.get(address_of(task, rest)).status_code == 200
        counts.append(len(statements))
    assert counts[0] == counts[1]


def test_every_operation_can_answer_with_a_problem_and_asks_for_a_token() -> None:
    operations = [each for path in api.get_openapi_schema()["paths"].values() for each in path.values()]
    assert len(operations) > 20
    for operation in operations:
        assert "application/problem+json" in operation["responses"]["default"]["content"]
        assert operation["security"] == [{"Bearer": []}], operation["operationId"]
