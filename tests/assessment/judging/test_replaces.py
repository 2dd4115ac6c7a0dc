"""A judgment names the one that it replaces; one that names another than the current one is a conflict."""

import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from assessment.models import Assignment, CannotJudge, Judgment
from assessment.models.replacing import JudgmentConflict, Replaces, ReplacesRule
from evaluation.models import Document, Topic
from tests.assessment.assigning.sent_judgments import post, sent
from tests.assessment.factories import adjudicate, judge, make_assignment, make_two, remark, undo
from tests.assessment.wall.walled import judged, make_walled, send, statuses, undone
from tests.factories import make_image, make_organizer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_singles")]


@pytest.fixture(autouse=True)
def pool_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walls keep the order of the pool, so that the item at place 1 is D1."""
    monkeypatch.setattr("assessment.assigning.layout.order_of_walls", lambda docnos, _seed: docnos)


NOT_SAID, NONE, ANY = (Replaces(rule) for rule in (ReplacesRule.UNKNOWN, ReplacesRule.NONE, ReplacesRule.ANY))


def named(judgment: Judgment | uuid.UUID) -> Replaces:
    uuid_of = judgment.client_uuid if isinstance(judgment, Judgment) else judgment
    return Replaces(ReplacesRule.NAMED, uuid_of)


def current() -> dict[str, int | str]:
    return {each.docno: each.mark for each in Judgment.objects.current()}


@pytest.mark.parametrize("replaces", [NOT_SAID, NONE, ANY])
def test_first_judgment_of_an_item_replaces_none(replaces: Replaces) -> None:
    event = judge(make_assignment(), "D1", 1, replaces=replaces)
    event.refresh_from_db()
    assert (event.replaces_rule, event.replaces) == replaces


@pytest.mark.parametrize("replaces", [NOT_SAID, NONE, named(uuid.uuid4())])
def test_judgment_that_does_not_name_the_current_one_is_a_conflict(replaces: Replaces) -> None:
    assignment = make_assignment()
    first = judge(assignment, "D1", 1)
    with pytest.raises(JudgmentConflict) as caught:
        judge(assignment, "D1", 0, replaces=replaces)
    assert caught.value.current == first
    assert current() == {"D1": 1}


@pytest.mark.parametrize("mark", [1, CannotJudge.UPSET])
@pytest.mark.parametrize("replaces", [NOT_SAID, NONE, named(uuid.uuid4())])
def test_equal_mark_is_no_conflict(mark: int | CannotJudge, replaces: Replaces) -> None:
    assignment = make_assignment()
    judge(assignment, "D1", mark)
    judge(assignment, "D1", mark, replaces=replaces)
    assert Judgment.objects.count() == 2


def test_named_or_any_judgment_is_replaced() -> None:
    assignment = make_assignment()
    first = judge(assignment, "D1", 1)
    second = judge(assignment, "D1", 0, replaces=named(first))
    judge(assignment, "D1", 2, replaces=ANY)
    assert current() == {"D1": 2}
    undo(assignment, Judgment.objects.last() or uuid.uuid4())
    judge(assignment, "D1", 1, replaces=named(second))  # current again after the undo: replaced a second time
    assert list(Judgment.objects.order_by("pk").values_list("replaces", flat=True)) == [
        None,
        first.client_uuid,
        None,
        None,
        second.client_uuid,
    ]


def test_judgment_that_replaces_an_undone_one_is_a_conflict() -> None:
    assignment = make_assignment()
    first = judge(assignment, "D1", 1)
    undo(assignment, first)
    with pytest.raises(JudgmentConflict) as caught:
        judge(assignment, "D1", 2, replaces=named(first))
    assert caught.value.current is None


@pytest.mark.parametrize("rule", ["none", "named", "any"])
def test_rest_never_replaces_a_judgment(client: Client, rule: str) -> None:
    assignment = make_walled()
    first = judged(1, 2)
    send(client, assignment, first)
    replaces = first["fields"]["client_uuid"] if rule == "named" else rule
    [result] = send(client, assignment, judged(1, 0, is_by_rest="on", replaces=replaces))["results"]
    assert (result["status"], result["is_conflict"], result["current"]["mark"]) == (409, True, 2)
    assert current() == {"D1": 2}


def test_conflict_tells_the_current_judgment_and_the_choice_is_stored(client: Client) -> None:
    assignment = make_walled()
    first, other = judged(1, 2, replaces="none"), judged(1, 0, replaces="none")
    assert statuses(send(client, assignment, first)) == [200]
    # The second names an event that was refused: a conflict, too.
    [refused, after] = send(client, assignment, other, judged(1, 1, replaces=other["fields"]["client_uuid"]))[
        "results"
    ]
    for result in (refused, after):
        assert result["is_conflict"]
        assert result["current"]["client_uuid"] == first["fields"]["client_uuid"]
    assert "Choose which one counts" in refused["error"]
    chosen = judged(1, 0, replaces=first["fields"]["client_uuid"])
    assert statuses(send(client, assignment, chosen)) == [200]
    assert current() == {"D1": 0}


def test_undo_of_a_replaced_judgment_tells_the_current_one(client: Client) -> None:
    assignment = make_walled()
    first = judged(1, 2)
    second = judged(1, 1, replaces=first["fields"]["client_uuid"])
    [*_, refused] = send(client, assignment, first, second, undone(first))["results"]
    assert (refused["status"], refused["is_conflict"]) == (409, False)
    assert refused["current"]["mark"] == 1


def test_answer_has_what_was_stored_since(client: Client) -> None:
    assignment = make_walled()
    first = judged(1, 2)
    send(client, assignment, first, judged(2, 1), undone(first))
    client.force_login(assignment.assessor)
    answer = client.get(f"/judging/{assignment.pk}/walls/2/content", {"since": "2000-01-01T00:00:00Z"})
    assert b'id="news"' in answer.content
    answer = client.post(
        f"/judging/{assignment.pk}/events",
        {"events": json.dumps([first]), "since": "2000-01-01T00:00:00Z"},
    )
    events = answer.json()["news"]["events"]
    assert [(event["place"], event.get("mark"), event.get("undoes")) for event in events] == [
        (1, 2, None),
        (2, 1, None),
        (1, None, first["fields"]["client_uuid"]),
    ]
    assert b'id="news"' not in client.get(f"/judging/{assignment.pk}/walls/2/content").content


SINCE = {"since": "2000-01-01T00:00:00Z"}


def news_in(answer: Any) -> list[tuple[Any, ...]]:
    found = re.search(r'<script id="news"[^>]*>(.*?)</script>', answer.content.decode())
    assert found
    events = json.loads(found[1])["events"]
    names = ("place", "key", "mark", "undoes", "comment", "is_flagged")
    return [tuple(event[name] for name in names if name in event) for event in events]


def test_content_of_one_item_has_what_was_stored_since(client: Client) -> None:
    assignment = make_assignment()  # places of D2, D1, D3
    first = judge(assignment, "D2", 1)
    judge(assignment, "D1", 2, comment="dark")
    remark(assignment, "D1", "light", is_flagged=True)
    remark(assignment, "D3", "sky")
    undo(assignment, first)
    client.force_login(assignment.assessor)
    address = f"/judging/{assignment.pk}/items/3/content"
    assert b"news" not in client.get(address).content
    assert news_in(client.get(address, SINCE)) == [
        (1, 1, "", False),
        (2, 2, "light", True),
        (1, str(first.client_uuid)),
        (3, "sky", False),
    ]


def test_content_in_adjudication_has_own_grades_that_stand(client: Client) -> None:
    owner, _ = make_two()
    task, by = owner.pool.task, owner.pool.created_by
    keys = {each.docno: f"{Topic.objects.get(number='T1').pk}-{each.pk}" for each in Document.objects.all()}
    adjudicate(task, "D1", 2, by=by, comment="a ridge")
    adjudicate(task, "D2", 1, by=by)
    adjudicate(task, "D2", 0, by=make_organizer(task.track))
    client.force_login(by)
    address = reverse("disagreement_list", args=[task.track.slug, task.slug]) + f"items/{keys['D1']}/content"
    assert news_in(client.get(address, SINCE)) == [(keys["D1"], 2, "a ridge", False)]


def test_plain_form_names_what_it_shows(client: Client) -> None:
    assignment: Assignment = make_assignment()
    post(client, "judgment_record", assignment, 1, sent(grade=1, replaces="none"), by_script=False)
    first = Judgment.objects.get()
    page = client.get(f"/judging/{assignment.pk}/items/1/").content.decode()
    assert f'name="replaces" value="{first.client_uuid}"' in page
    assert 'name="replaces" value="none"' in client.get(f"/judging/{assignment.pk}/items/2/").content.decode()
    post(client, "judgment_record", assignment, 1, sent(grade=0, replaces="none"), by_script=False)
    assert Judgment.objects.current().get().grade == 1


def test_reason_may_come_without_the_picture_and_a_grade_may_not(client: Client) -> None:
    assignment = make_assignment()
    Document.objects.filter(docno="D2").update(image=make_image())  # the item at place 1
    answers: list[Any] = [
        post(client, "judgment_record", assignment, 1, fields, by_script=True)
        for fields in (sent(grade=1), sent(grade=None, reason="image"))
    ]
    assert [answer.status_code for answer in answers] == [409, 200]


def test_adjudication_names_its_own_judgment_and_a_conflict_tells_no_grade(client: Client) -> None:
    owner, _ = make_two()
    task, by = owner.pool.task, owner.pool.created_by
    first = adjudicate(task, "D1", 2, by=by, replaces=NONE)
    with pytest.raises(JudgmentConflict):
        adjudicate(task, "D1", 0, by=by, replaces=NONE)
    client.force_login(by)
    topic, document = Topic.objects.get(number="T1").pk, Document.objects.get(docno="D1").pk
    url = reverse("item_adjudicate", args=[task.track.slug, task.slug, topic, document])
    answer = client.post(url, sent(grade=0, replaces="none"), headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["is_conflict"]) == (409, True)
    assert answer.json()["current"] == {"client_uuid": str(first.client_uuid), "mark": None, "replies": {}}
    assert adjudicate(task, "D1", 1, by=by, replaces=named(first)).grade == 1
