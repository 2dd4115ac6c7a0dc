"""One request stores a wall's judgments and undos, each by itself."""

import json
import uuid

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from assessment.assigning.actions import end_assignment, pause_assignment
from assessment.models import Judgment
from tests.assessment.wall.walled import judged, make_walled, send, statuses, undone

pytestmark = pytest.mark.django_db


def marks() -> dict[str, int | str]:
    return {each.docno: each.mark for each in Judgment.objects.current()}


def test_judgments_know_their_wall_and_cell(client: Client) -> None:
    assignment = make_walled()
    events = [
        judged(1, 2, is_opened="on"),
        judged(3, None, reason="upset"),
        judged(24, 0, is_by_rest="on"),
        judged(25, 1, wall=2, cell=1),
        judged(60, 1, wall=None, cell=None),
    ]
    response = send(client, assignment, *events)
    assert statuses(response) == [200] * 5
    assert [each["client_uuid"] for each in response["results"]] == [
        each["fields"]["client_uuid"] for each in events
    ]
    assert response["results"][0]["today"].startswith("Today 5 judged")
    rows = Judgment.objects.order_by("pk")
    assert list(rows.values_list("docno", "wall", "cell", "is_opened", "is_by_rest")) == [
        ("D1", 1, 1, True, False),
        ("D3", 1, 3, False, False),
        ("D24", 1, 24, False, True),
        ("D25", 2, 1, False, False),
        ("D60", None, None, False, False),
    ]


def test_page_of_a_wall_gives_the_token_that_its_events_need() -> None:
    assignment, client = make_walled(1), Client(enforce_csrf_checks=True)
    client.force_login(assignment.assessor)
    client.get(reverse("judging_wall", args=[assignment.pk, 1]))
    answer = client.post(
        reverse("events_record", args=[assignment.pk]),
        {"events": json.dumps([judged(1)])},
        headers={"X-CSRFToken": client.cookies["csrftoken"].value},
    )
    assert answer.status_code == 200
    assert statuses(answer.json()) == [200]


def test_time_of_a_wall_is_shared_over_its_judgments(client: Client) -> None:
    assignment = make_walled()
    events = [
        judged(1, active_seconds=9),
        judged(2, active_seconds=2),
        judged(3, active_seconds=1),
        judged(4, active_seconds=None),
        judged(25, wall=2, cell=1, active_seconds=5),
    ]
    assert statuses(send(client, assignment, *events)) == [200] * 5
    seconds = dict(Judgment.objects.values_list("docno", "active_seconds"))
    assert seconds == {"D1": 4.0, "D2": 4.0, "D3": 4.0, "D4": None, "D25": 5.0}  # (9 + 2 + 1) / 3


def test_events_sent_again_store_nothing_and_get_the_same_receipts(client: Client) -> None:
    assignment = make_walled()
    events = [judged(place, place % 3) for place in range(1, 25)]
    events.append(undone(events[4]))
    first, again = send(client, assignment, *events), send(client, assignment, *events)
    assert statuses(first) == [200] * 25
    assert first["results"] == again["results"]
    assert Judgment.objects.count() == 25
    assert marks() == {f"D{place}": place % 3 for place in range(1, 25) if place != 5}


def test_each_event_is_refused_by_itself_with_its_reason(client: Client) -> None:
    assignment = make_walled()
    kept = judged(1, 2)
    unknown = {**undone(kept), "fields": {"undoes": str(uuid.uuid4()), "client_uuid": str(uuid.uuid4())}}
    events = [
        judged(2, 7),
        kept,
        judged(61),
        judged(3, image_sha256="a" * 64),
        unknown,
        judged(4, shown_at="x"),
    ]
    response = send(client, assignment, *events, undone(kept))
    assert statuses(response) == [409, 200, 409, 409, 409, 409, 200]
    assert [bool(each.get("error")) for each in response["results"]] == [True, False, *[True] * 4, False]
    assert "7" in response["results"][0]["error"]
    assert Judgment.objects.count() == 2
    assert marks() == {}


@pytest.mark.parametrize(
    "events",
    ["", "{}", "[1]", '[{"place": 1}]', '[{"place": 1, "kind": "remark", "fields": {}}]', "[" * 5_000],
    ids=["empty", "object", "number", "no kind", "remark", "deep"],
)
def test_what_is_no_list_of_events_is_refused(client: Client, events: str) -> None:
    assignment = make_walled(1)
    client.force_login(assignment.assessor)
    answer = client.post(f"/judging/{assignment.pk}/events", {"events": events})
    assert answer.status_code == 409
    assert answer.json()["error"]


def test_request_of_too_many_events_is_refused_as_a_whole(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assessment.wall.pages.MOST_EVENTS", 2)
    assignment = make_walled(3)
    events = [judged(place) for place in (1, 2, 3)]
    assert send(client, assignment, *events)["code"] == 409
    assert not Judgment.objects.exists()
    assert statuses(send(client, assignment, *events[:2])) == [200, 200]


@pytest.mark.parametrize("place", [0, -1, 2**31, 1.5, None, "1"])
def test_place_that_no_column_holds_is_refused(client: Client, place: object) -> None:
    assignment = make_walled(1)
    assert send(client, assignment, {**judged(1), "place": place})["code"] == 409


def test_paused_topic_keeps_the_events_in_the_browser_and_a_withdrawn_one_stores_what_was_seen(
    client: Client,
) -> None:
    assignment = make_walled()
    pause_assignment(assignment=assignment, is_paused=True)
    assert statuses(send(client, assignment, judged(1))) == [423]
    pause_assignment(assignment=assignment, is_paused=False)
    end_assignment(assignment=assignment, by=assignment.pool.created_by)
    [result] = send(client, assignment, judged(1))["results"]
    assert result["note"]
    assert Judgment.objects.get().wall == 1


def test_database_refuses_a_cell_without_a_wall(client: Client) -> None:
    assignment = make_walled()
    send(client, assignment, judged(1))
    [stored] = Judgment.objects.values()
    for changes in ({"wall": None}, {"cell": 25}, {"wall": None, "cell": None, "is_opened": True}):
        fields = {**stored, "id": None, "client_uuid": uuid.uuid4(), **changes}
        with pytest.raises(IntegrityError, match="judgment_has_wall_and_cell"), transaction.atomic():
            Judgment.objects.create(**fields)
