"""Judgments that are refused: for their content, their moment, or the person who sends them."""

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from assessment.assigning.actions import end_assignment, open_queue, pause_assignment
from assessment.judging.leases import lease_items
from assessment.models import (
    Assignment,
    ExtraQuestion,
    GoldItem,
    GoldUse,
    JudgedItem,
    JudgingPlan,
    Judgment,
    Purpose,
)
from evaluation.models import Document, Phase, Task
from tests.assessment.assigning.sent_judgments import post, sent
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import dates_of, make_assessor, make_image

pytestmark = pytest.mark.django_db


def lease_one() -> Assignment:
    """An assignment of D2 in a pool that is judged item by item."""
    pool = make_judging_pool(pairs=[("T1", "D2")])
    person = make_assessor(pool.task.track)
    open_queue(pool=pool, percent=0, seed=1)
    return lease_items(pool=pool, by=person)


@pytest.mark.parametrize(
    "odd",
    [
        {"shown_at": "0001-01-01T00:00:00+14:00"},  # in UTC before the year 1, which no export could read
        {"shown_at": "9999-12-31T23:59:59-12:00"},
        {"reply_why": "a\0b"},
    ],
)
def test_judgment_with_a_value_that_cannot_be_stored_is_refused(client: Client, odd: dict[str, str]) -> None:
    assignment = make_assignment()
    ExtraQuestion.objects.create(task=assignment.pool.task, name="why", text="Why?", is_required=False)
    answer = post(client, "judgment_record", assignment, 1, sent(**odd), by_script=True)
    assert 400 <= answer.status_code < 500
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"grade": None}, "Choose a grade, or a reason"),
        ({"reason": "image"}, "Choose a grade, or a reason"),
        ({"grade": None, "reason": "boring"}, "reason: "),
        ({"grade": 7}, "Grade 7 is not on the scale"),
        ({"image_sha256": "0" * 64}, "The image shown is not this item's"),
        ({"image_sha256": "D1.jpg"}, "image_sha256: "),
        ({"client_uuid": "1"}, "client_uuid: "),
        ({"shown_at": None}, "shown_at: "),
        ({"active_seconds": "nan"}, "active_seconds: "),
        ({"active_seconds": "-1"}, "active_seconds: "),
        ({"comment": "x" * 2001}, "comment: "),
    ],
)
def test_invalid_judgment_is_refused_with_the_reason(
    client: Client, changes: dict[str, Any], words: str
) -> None:
    assignment = make_assignment()
    answer = post(client, "judgment_record", assignment, 1, sent(**changes), by_script=True)
    assert answer.status_code == 409
    assert words in json.loads(answer.content)["error"]
    assert not Judgment.objects.exists()


def test_plain_form_comes_back_with_the_reason(client: Client) -> None:
    assignment = make_assignment()
    Document.objects.filter(docno="D2").update(image=make_image())
    client.force_login(assignment.assessor)
    url = reverse("judgment_record", args=[assignment.pk, 1])
    page = client.post(url, sent(image_sha256=""), follow=True)
    assert page.redirect_chain == [(reverse("judging_item", args=[assignment.pk, 1]), 302)]
    assert "The image shown is not this item&#x27;s" in page.content.decode()


def is_over(assignment: Assignment, *, has_passed: bool) -> None:
    Task.objects.update(**dates_of(Phase.JUDGING if has_passed else Phase.RELEASED))


def is_paused(assignment: Assignment, *, has_passed: bool) -> None:
    pause_assignment(assignment=assignment, is_paused=not has_passed)


def has_exam(assignment: Assignment, *, has_passed: bool) -> None:
    task = assignment.pool.task
    if not has_passed:
        JudgingPlan.objects.create(task=task, pass_percent=100)
        GoldItem.objects.create(task=task, topic="T2", docno="D1", grade=1, use=GoldUse.EXAM)
    else:
        JudgingPlan.objects.update(pass_percent=None)


@pytest.mark.parametrize(
    ("obstacle", "words"),
    [
        (is_over, "not open for judging"),
        (is_paused, "have paused"),
        (has_exam, "take the exam under My topics first"),
    ],
)
def test_judgment_that_may_be_accepted_later_gets_423_and_is_accepted_then(
    client: Client, obstacle: Callable[..., None], words: str
) -> None:
    """On this status the screen keeps the judgment and sends it again later."""
    assignment, fields = make_assignment(), sent()
    obstacle(assignment, has_passed=False)
    answer = post(client, "judgment_record", assignment, 1, fields, by_script=True)
    assert answer.status_code == 423
    assert words in json.loads(answer.content)["error"]
    obstacle(assignment, has_passed=True)
    assert post(client, "judgment_record", assignment, 1, fields, by_script=True).status_code == 200


def test_item_shown_after_its_assignment_ended_is_reported_and_not_lost_in_a_404(client: Client) -> None:
    assignment = make_assignment()
    ended = end_assignment(assignment=assignment, by=assignment.pool.created_by)
    assert ended.ended_at
    late = sent(shown_at=(ended.ended_at + timedelta(seconds=1)).isoformat())
    answer = post(client, "judgment_record", assignment, 1, late, by_script=True)
    assert answer.status_code == 409
    assert "closed" in json.loads(answer.content)["error"]
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("is_leased", [False, True])
def test_item_shown_before_its_assignment_ended_is_stored_as_an_extra_judgment(
    client: Client, is_leased: bool
) -> None:
    assignment = lease_one() if is_leased else make_assignment()
    place = assignment.items.get(docno="D2").place
    ended = end_assignment(assignment=assignment, by=assignment.pool.created_by)
    assert ended.ended_at
    fields = sent(shown_at=(ended.ended_at - timedelta(seconds=1)).isoformat())
    for _ in range(2):  # sent again, it is known
        answer = post(client, "judgment_record", assignment, place, fields, by_script=True)
        assert answer.status_code == 200
        assert "withdrawn the topic" in json.loads(answer.content)["note"]
    [event] = Judgment.objects.all()
    assert (event.purpose, event.docno, event.grade) == (Purpose.EXTRA, "D2", 2)
    assert not JudgedItem.objects.get().grades  # it counts for nothing
    undo = {"undoes": event.client_uuid, "client_uuid": uuid.uuid4()}
    assert post(client, "judgment_undo", assignment, place, undo, by_script=True).status_code == 200
    assert not Judgment.objects.current().exists()


def test_change_of_a_counted_grade_after_the_end_is_an_extra_judgment(client: Client) -> None:
    assignment = make_assignment()
    judge(assignment, "D2", 1)
    ended = end_assignment(assignment=assignment, by=assignment.pool.created_by)
    fields = sent(shown_at=ended.ended_at and ended.ended_at.isoformat(), grade=0)
    assert post(client, "judgment_record", assignment, 1, fields, by_script=True).status_code == 200
    assert sorted(Judgment.objects.current().values_list("purpose", "grade")) == [("extra", 0), ("work", 1)]


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.RELEASED])
def test_judgment_of_a_withdrawn_topic_waits_while_the_phase_is_over(client: Client, phase: Phase) -> None:
    assignment, fields = make_assignment(), sent()
    end_assignment(assignment=assignment, by=assignment.pool.created_by)
    Task.objects.update(**dates_of(phase))
    assert post(client, "judgment_record", assignment, 1, fields, by_script=True).status_code == 423
    Task.objects.update(**dates_of(Phase.JUDGING))
    assert post(client, "judgment_record", assignment, 1, fields, by_script=True).status_code == 200


def test_screen_learns_why_its_items_cannot_be_loaded(client: Client) -> None:
    assignment = make_assignment()
    client.force_login(assignment.assessor)
    url = reverse("judging_status", args=[assignment.pk])
    statuses = [client.get(url).json()]
    pause_assignment(assignment=assignment, is_paused=True)
    statuses.append(client.get(url).json())
    Task.objects.update(**dates_of(Phase.RELEASED))
    statuses.append(client.get(url).json())
    end_assignment(assignment=assignment, by=assignment.pool.created_by)
    statuses.append(client.get(url).json())
    assert [each["status"] for each in statuses] == ["open", "paused", "ended", "withdrawn"]


def test_full_disk_answers_503_and_the_same_judgment_comes_in_later() -> None:
    """The screen keeps judgments without a 200 and sends them again, as after any 5xx."""
    assignment, fields = make_assignment(), sent()
    client = Client(raise_request_exception=False)
    client.force_login(assignment.assessor)
    url = reverse("judgment_record", args=[assignment.pk, 1])
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION disk_is_full() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$;"
            "CREATE TRIGGER disk_is_full BEFORE INSERT ON assessment_judgment"
            " FOR EACH ROW EXECUTE FUNCTION disk_is_full()"
        )
        assert client.post(url, fields, headers={"Accept": "application/json"}).status_code == 503
        cursor.execute("DROP TRIGGER disk_is_full ON assessment_judgment")
    assert not Judgment.objects.exists()
    assert client.post(url, fields, headers={"Accept": "application/json"}).status_code == 200
    assert Judgment.objects.get().client_uuid == fields["client_uuid"]


def test_undo_of_a_missing_judgment_is_refused_and_after_the_deadline_it_waits(client: Client) -> None:
    assignment = make_assignment()
    fields = {"undoes": uuid.uuid4(), "client_uuid": uuid.uuid4()}
    answer = post(client, "judgment_undo", assignment, 1, fields, by_script=True)
    assert answer.status_code == 409
    assert "does not exist" in json.loads(answer.content)["error"]
    fields |= {"undoes": judge(assignment, "D2", 1).client_uuid}
    Task.objects.update(**dates_of(Phase.RELEASED))
    assert post(client, "judgment_undo", assignment, 1, fields, by_script=True).status_code == 423


def test_judgment_without_the_token_of_the_page_is_refused() -> None:
    assignment = make_assignment()
    answer = post(Client(enforce_csrf_checks=True), "judgment_record", assignment, 1, sent(), by_script=True)
    assert answer.status_code == 403
    assert not Judgment.objects.exists()


@pytest.mark.parametrize("place", [0, 4, 999])
def test_place_beyond_the_topic_is_absent(client: Client, place: int) -> None:
    assignment = make_assignment()  # three items
    client.force_login(assignment.assessor)
    for name in ("judging_item", "judging_content"):
        assert client.get(reverse(name, args=[assignment.pk, place])).status_code == 404
    for name in ("judgment_record", "judgment_undo"):
        assert client.post(reverse(name, args=[assignment.pk, place])).status_code == 404


def test_assignment_is_absent_for_another_assessor_of_the_track(client: Client) -> None:
    first = make_assignment()
    second = make_assignment(first.pool, topic="T2")
    post(client, "judgment_record", first, 1, sent(), by_script=True)  # caches the statement for both
    client.force_login(second.assessor)
    for name in ("judgment_record", "judging_content"):
        url = reverse(name, args=[first.pk, 2])
        answer = client.post(url, sent()) if name == "judgment_record" else client.get(url)
        assert answer.status_code == 404
    assert Judgment.objects.count() == 1


def test_revoked_membership_and_ended_assignment_hold_at_the_next_request(client: Client) -> None:
    assignment = make_assignment()
    item = reverse("judging_content", args=[assignment.pk, 1])
    client.force_login(assignment.assessor)
    assert client.get(item).status_code == 200
    end_assignment(assignment=assignment, by=assignment.pool.created_by)
    assert client.get(item).status_code == 404
    kept = sent(shown_at="2099-01-01T00:00:00Z")
    assert post(client, "judgment_record", assignment, 1, kept, by_script=True).status_code == 409
    assignment.assessor.memberships.all().delete()
    assert post(client, "judgment_record", assignment, 1, kept, by_script=True).status_code == 404
