"""A grade of a page that has no news of a comment or a flag given elsewhere keeps both."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from assessment.models import Judgment, Purpose
from assessment.quality.actions import comment_adjudication
from evaluation.models import Document, Task, Topic, User
from tests.assessment.assigning.sent_judgments import post, sent
from tests.assessment.factories import adjudicate, judge, make_assignment, make_two, remark

pytestmark = pytest.mark.django_db

BY_SCRIPT = {"given_at": "2026-09-01T12:00:02Z"}


def words() -> tuple[int | str, str, bool]:
    judgment = Judgment.objects.latest("pk")
    return judgment.mark, judgment.comment, judgment.is_flagged


@pytest.mark.parametrize("purpose", [Purpose.WORK, Purpose.ADJUDICATION])
@pytest.mark.parametrize("stale", ["", "dar"])
def test_grade_keeps_a_comment_and_a_flag_given_elsewhere(
    client: Client, purpose: Purpose, stale: str
) -> None:
    assignment = make_assignment()
    items, named = assignment.items, "none"
    item = {"docno": "D1", "purpose": purpose}
    place = (items.filter(**item).first() or items.create(place=99, **item)).place
    for grade, comment in enumerate(("dark", "darker")):  # on an open item, and on a graded one
        remark(assignment, "D1", comment, is_flagged=True, purpose=purpose)
        fields = sent(grade=grade, replaces=named, comment=stale, **BY_SCRIPT)
        assert post(client, "judgment_record", assignment, place, fields, by_script=True).status_code == 200
        assert words() == (grade, comment, True)
        named = fields["client_uuid"]


def test_comment_and_flag_that_the_page_takes_back_before_its_grade_are_gone(client: Client) -> None:
    assignment = make_assignment()
    first = judge(assignment, "D1", 0, comment="dark", is_flagged=True)
    remark(assignment, "D1", "")
    place = assignment.items.get(docno="D1").place
    fields = sent(grade=1, replaces=first.client_uuid, **BY_SCRIPT)
    post(client, "judgment_record", assignment, place, fields, by_script=True)
    assert words() == (1, "", False)


@pytest.mark.parametrize(("comment", "is_flagged"), [("darker", False), ("", True)])
def test_words_sent_with_a_grade_by_a_page_without_a_script_stand(
    client: Client, comment: str, is_flagged: bool
) -> None:
    """A comment alone, or a flag alone, on an item whose judgment elsewhere the page does not know."""
    assignment = make_assignment()
    judge(assignment, "D1", 0, comment="dark")
    place = assignment.items.get(docno="D1").place
    fields = sent(grade=0, comment=comment) | ({"is_flagged": "on"} if is_flagged else {})
    post(client, "judgment_record", assignment, place, fields, by_script=False)
    assert Judgment.objects.count() == 2
    assert words() == (0, comment, is_flagged)


def adjudicated(task: Task, by: User, client: Client, **fields: Any) -> str:
    """Send the grade of D1 as the page's script does; return what the page shows next as its comment."""
    topic = Topic.objects.get(task=task, number="T1").pk
    names = [task.track.slug, task.slug, topic, Document.objects.get(docno="D1").pk]
    client.force_login(by)
    given = sent(**BY_SCRIPT, **fields)
    answer = client.post(
        reverse("item_adjudicate", args=names), given, headers={"Accept": "application/json"}
    )
    assert answer.status_code == 200
    return str(client.get(reverse("adjudication_item", args=names)).context["said"]["comment"])


@pytest.mark.parametrize("stale", ["", "a rid"])
def test_adjudication_keeps_a_comment_given_elsewhere(client: Client, stale: str) -> None:
    owner, _ = make_two()
    task, by = owner.pool.task, owner.pool.created_by
    pair: dict[str, Any] = {"task": task, "topic": "T1", "docno": "D1", "by": by}
    comment_adjudication(**pair, comment="a ridge", client_uuid=uuid.uuid4())
    shown = adjudicated(task, by, client, grade=2, comment=stale, replaces="none")
    assert (words()[:2], shown) == ((2, "a ridge"), "a ridge")
    comment_adjudication(**pair, comment="a moraine", client_uuid=uuid.uuid4())
    named = Judgment.objects.latest("pk").client_uuid
    shown = adjudicated(task, by, client, grade=1, comment=stale, replaces=named)
    assert (words()[:2], shown) == ((1, "a moraine"), "a moraine")


def test_adjudications_page_shows_the_latest_comment_of_its_person(client: Client) -> None:
    owner, _ = make_two()
    task, by = owner.pool.task, owner.pool.created_by
    pair: dict[str, Any] = {"task": task, "topic": "T1", "docno": "D1", "by": by}
    names = [task.track.slug, task.slug, Topic.objects.get(task=task, number="T1").pk]
    names.append(Document.objects.get(docno="D1").pk)
    client.force_login(by)
    for comment, step in (("a lake", None), ("a ridge", 2), ("a moraine", None)):
        comment_adjudication(**pair, comment=comment, client_uuid=uuid.uuid4())
        if step:
            adjudicate(task, "D1", step, by=by, comment=comment)
        context = client.get(reverse("adjudication_item", args=names)).context
        assert context["said"]["comment"] == comment
        place = context["state"]["place"]
        assert context["state"]["said"][place]["comment"] == comment
