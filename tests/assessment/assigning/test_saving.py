"""Judgments are saved by the screen's script and by a plain form."""

import json
import uuid
from contextlib import closing

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from assessment.assigning.actions import open_queue
from assessment.judging.leases import lease_items
from assessment.models import ExtraQuestion, Judgment, Purpose
from evaluation.models import Document
from tests.assessment.assigning.sent_judgments import post, sent
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import make_assessor, make_image

pytestmark = pytest.mark.django_db


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
        "latest_version": 1,
    }
    assert (judgment.docno, judgment.grade, judgment.comment) == ("D1", 2, "the shore")
    assert judgment.shown_at is not None
    assert judgment.shown_at.isoformat() == "2026-09-01T12:00:00.250000+00:00"
    assert judgment.active_seconds == 3.5
    again = post(client, "judgment_record", assignment, 2, fields, by_script=True)
    assert again.content == answer.content, "sent again after a lost reply"
    post(client, "judgment_record", assignment, 1, sent(grade=None, reason="upset"), by_script=True)
    assert [each.mark for each in Judgment.objects.order_by("pk")] == [2, "upset"]


def test_plain_form_continues_to_the_next_open_item_and_round(client: Client) -> None:
    other = make_assignment()
    answer = post(client, "judgment_record", other, 3, sent(), by_script=False)
    assert answer["Location"] == reverse("judging_item", args=[other.pk, 1]), "an item passed over"
    assignment = make_assignment()
    judge(assignment, "D1", 0)  # the second of three
    answer = post(client, "judgment_record", assignment, 1, sent(active_seconds=None), by_script=False)
    assert answer["Location"] == reverse("judging_item", args=[assignment.pk, 3])
    assert Judgment.objects.latest("pk").active_seconds is None
    answer = post(client, "judgment_record", assignment, 3, sent(), by_script=False)
    assert answer["Location"] == reverse("judging_items", args=[assignment.pk])


def test_judgment_of_an_item_that_somebody_else_has_now_is_stored_as_extra(client: Client) -> None:
    pool = make_judging_pool()
    assessor = make_assessor(pool.task.track)
    open_queue(pool=pool, percent=0, seed=1)
    leased = lease_items(pool=pool, by=assessor)
    wrong = post(client, "judgment_record", leased, 1, sent(grade=7), by_script=True)
    leased.slots.all().delete()
    lost = post(client, "judgment_record", leased, 1, sent(), by_script=True)
    assert (wrong.status_code, lost.status_code) == (409, 200)
    assert "somebody else got it" in json.loads(lost.content)["note"]
    assert Judgment.objects.get().purpose == Purpose.EXTRA


def test_replies_come_in_with_the_grade(client: Client) -> None:
    assignment = make_assignment()
    ExtraQuestion.objects.create(task=assignment.pool.task, name="sure", text="Sure?", choices="yes\nno")
    refused = post(client, "judgment_record", assignment, 1, sent(), by_script=True)
    words = "Reply to this first: Sure? If the page does not ask it, load it again."
    assert json.loads(refused.content)["error"] == words
    post(client, "judgment_record", assignment, 1, sent(reply_sure="no"), by_script=True)
    assert Judgment.objects.get().replies == {"sure": "no"}


def test_undo_gets_a_receipt_and_the_item_is_open_again(client: Client) -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D2", 1)
    fields = {"undoes": judgment.client_uuid, "client_uuid": uuid.uuid4()}
    answer = post(client, "judgment_undo", assignment, 1, fields, by_script=True)
    assert json.loads(answer.content)["client_uuid"] == str(fields["client_uuid"])
    assert assignment.open_places() == [1, 2, 3]
    fields = {"undoes": judge(assignment, "D2", 1).client_uuid, "client_uuid": uuid.uuid4()}
    answer = post(client, "judgment_undo", assignment, 1, fields, by_script=False)
    assert answer["Location"] == reverse("judging_item", args=[assignment.pk, 1])
    assert not Judgment.objects.not_undone().exists()


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
