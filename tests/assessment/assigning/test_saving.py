"""Judgments are saved by the screen's script and by a plain form."""

from __future__ import annotations

import json
import uuid
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from assessment.assigning.actions import open_queue
from assessment.assigning.changes import end_assignment, pause_assignment
from assessment.judging.leases import lease_items
from assessment.models import ExtraQuestion, GoldItem, GoldUse, JudgingPlan, Judgment, Purpose
from evaluation.models import Document, Phase, Task
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import dates_of, make_assessor, make_image

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test.client import _MonkeyPatchedWSGIResponse as Answer
    from pytest_django import DjangoAssertNumQueries

    from assessment.models import Assignment

pytestmark = pytest.mark.django_db


def sent(**changes: Any) -> dict[str, Any]:
    fields = {
        "client_uuid": uuid.uuid4(),
        "criteria_version": 1,
        "image_sha256": "",
        "shown_at": "2026-09-01T12:00:00.250Z",
        "active_seconds": "3.5",
        "grade": 2,
        "comment": "",
    } | changes
    return {name: value for name, value in fields.items() if value is not None}


def post(
    client: Client, name: str, assignment: Assignment, place: int, fields: dict[str, Any], *, by_script: bool
) -> Answer:
    client.force_login(assignment.assessor)
    headers = {"Accept": "application/json"} if by_script else {}
    return client.post(reverse(name, args=[assignment.pk, place]), fields, headers=headers)


def test_script_gets_a_receipt_that_names_its_uuid(client: Client) -> None:
    assignment = make_assignment()
    fields = sent(comment="the shore")
    answer = post(client, "judgment_record", assignment, 2, fields, by_script=True)
    judgment = Judgment.objects.get()
    assert answer.status_code == 200
    assert json.loads(answer.content) == {
        "client_uuid": str(fields["client_uuid"]),
        "judged_at": judgment.judged_at.isoformat(),
        "today": "Today 1 judged in 0 min of active time, median 4 s an item.",  # 3.5 s, to the even
        "note": "",
    }
    assert (judgment.docno, judgment.grade, judgment.comment) == ("D1", 2, "the shore")
    assert judgment.shown_at is not None
    assert judgment.shown_at.isoformat() == "2026-09-01T12:00:00.250000+00:00"
    assert judgment.active_seconds == 3.5


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


def test_judgment_sent_again_after_a_lost_reply_gets_the_same_receipt(client: Client) -> None:
    assignment, fields = make_assignment(), sent()
    first = post(client, "judgment_record", assignment, 1, fields, by_script=True)
    again = post(client, "judgment_record", assignment, 1, fields, by_script=True)
    assert first.content == again.content
    assert Judgment.objects.count() == 1


def test_plain_form_continues_to_the_next_open_item_and_round(client: Client) -> None:
    assignment = make_assignment()
    judge(assignment, "D1", 0)  # the second of three
    answer = post(client, "judgment_record", assignment, 1, sent(active_seconds=None), by_script=False)
    assert answer["Location"] == reverse("judging_item", args=[assignment.pk, 3])
    assert Judgment.objects.latest("pk").active_seconds is None
    answer = post(client, "judgment_record", assignment, 3, sent(), by_script=False)
    assert answer["Location"] == reverse("judging_items", args=[assignment.pk])


def test_plain_form_wraps_round_to_an_item_passed_over(client: Client) -> None:
    assignment = make_assignment()
    answer = post(client, "judgment_record", assignment, 3, sent(), by_script=False)
    assert answer["Location"] == reverse("judging_item", args=[assignment.pk, 1])


def test_reason_is_taken_instead_of_a_grade(client: Client) -> None:
    assignment = make_assignment()
    post(client, "judgment_record", assignment, 1, sent(grade=None, reason="upset"), by_script=True)
    assert Judgment.objects.get().mark == "upset"


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
    [(is_over, "not open for judging"), (is_paused, "have paused"), (has_exam, "take the exam first")],
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


def test_undo_after_the_deadline_gets_423(client: Client) -> None:
    assignment = make_assignment()
    fields = {"undoes": judge(assignment, "D2", 1).client_uuid, "client_uuid": uuid.uuid4()}
    Task.objects.update(**dates_of(Phase.RELEASED))
    assert post(client, "judgment_undo", assignment, 1, fields, by_script=True).status_code == 423


def test_judgment_of_an_item_that_somebody_else_has_now_is_stored_as_extra(client: Client) -> None:
    pool = make_judging_pool()
    assessor = make_assessor(pool.task.track)
    open_queue(pool=pool, percent=0, seed=1)
    leased = lease_items(pool=pool, by=assessor)
    wrong = post(client, "judgment_record", leased, 1, sent(grade=7), by_script=True)
    leased.slots.all().delete()
    lost = post(client, "judgment_record", leased, 1, sent(), by_script=True)
    assert (wrong.status_code, lost.status_code) == (409, 200)
    assert "somebody else had it" in json.loads(lost.content)["note"]
    assert Judgment.objects.get().purpose == Purpose.EXTRA


def test_judgment_on_an_ended_assignment_is_reported_and_not_lost_in_a_404(client: Client) -> None:
    assignment = make_assignment()
    end_assignment(assignment=assignment, by=assignment.pool.created_by)
    answer = post(client, "judgment_record", assignment, 1, sent(), by_script=True)
    assert answer.status_code == 409
    assert "closed" in json.loads(answer.content)["error"]


def test_full_disk_is_an_error_of_the_server_and_the_same_judgment_comes_in_later() -> None:
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
        assert client.post(url, fields, headers={"Accept": "application/json"}).status_code == 500
        cursor.execute("DROP TRIGGER disk_is_full ON assessment_judgment")
    assert not Judgment.objects.exists()
    assert client.post(url, fields, headers={"Accept": "application/json"}).status_code == 200
    assert Judgment.objects.get().client_uuid == fields["client_uuid"]


def test_replies_come_in_with_the_grade(client: Client) -> None:
    assignment = make_assignment()
    ExtraQuestion.objects.create(task=assignment.pool.task, name="sure", text="Sure?", choices="yes\nno")
    refused = post(client, "judgment_record", assignment, 1, sent(), by_script=True)
    assert json.loads(refused.content)["error"] == "Reply to this first: Sure?"
    post(client, "judgment_record", assignment, 1, sent(reply_sure="no"), by_script=True)
    assert Judgment.objects.get().replies == {"sure": "no"}


def test_undo_gets_a_receipt_and_the_item_is_open_again(client: Client) -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D2", 1)
    fields = {"undoes": judgment.client_uuid, "client_uuid": uuid.uuid4()}
    answer = post(client, "judgment_undo", assignment, 1, fields, by_script=True)
    assert json.loads(answer.content)["client_uuid"] == str(fields["client_uuid"])
    assert assignment.open_places() == [1, 2, 3]


def test_plain_undo_goes_back_to_the_item(client: Client) -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D2", 1)
    fields = {"undoes": judgment.client_uuid, "client_uuid": uuid.uuid4()}
    answer = post(client, "judgment_undo", assignment, 1, fields, by_script=False)
    assert answer["Location"] == reverse("judging_item", args=[assignment.pk, 1])
    assert not Judgment.objects.standing().exists()


def test_undo_of_a_missing_judgment_is_refused(client: Client) -> None:
    assignment = make_assignment()
    fields = {"undoes": uuid.uuid4(), "client_uuid": uuid.uuid4()}
    answer = post(client, "judgment_undo", assignment, 1, fields, by_script=True)
    assert answer.status_code == 409
    assert "does not exist" in json.loads(answer.content)["error"]


def test_judgment_without_the_token_of_the_page_is_refused() -> None:
    assignment = make_assignment()
    answer = post(Client(enforce_csrf_checks=True), "judgment_record", assignment, 1, sent(), by_script=True)
    assert answer.status_code == 403
    assert not Judgment.objects.exists()


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
    kept = sent()
    assert post(client, "judgment_record", assignment, 1, kept, by_script=True).status_code == 409
    assignment.assessor.memberships.all().delete()
    assert post(client, "judgment_record", assignment, 1, kept, by_script=True).status_code == 404


def test_judgment_and_next_item_take_few_statements(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    assignment, image = make_assignment(), make_image()
    Document.objects.filter(docno="D1").update(image=image)
    client.force_login(assignment.assessor)
    saving = reverse("judgment_record", args=[assignment.pk, 1])
    with django_assert_max_num_queries(11):  # with the savepoint of the test's own transaction and its end
        assert client.post(saving, sent(), headers={"Accept": "application/json"}).status_code == 200
    with django_assert_max_num_queries(5):
        assert client.get(reverse("judging_content", args=[assignment.pk, 2])).status_code == 200
    with (
        django_assert_max_num_queries(4),
        closing(client.get(reverse("image", args=[image.pk, "display"]))) as answer,
    ):
        assert answer.status_code == 200
