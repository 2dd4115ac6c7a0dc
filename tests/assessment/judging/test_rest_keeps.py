"""Rest and copies replace no judgment, not even an equal one, and no comment that their page lacks."""

from typing import Any

import pytest
from django.test import Client

from assessment.assigning.actions import end_assignment
from assessment.models import Assignment, ExtraQuestion, Judgment
from tests.assessment.assigning.sent_judgments import post, sent
from tests.assessment.factories import judge, remark, undo
from tests.assessment.wall.walled import judged, make_walled, send, statuses

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_singles")]

WAYS: dict[str, dict[str, Any]] = {
    "rest": {"is_by_rest": "on"},
    "copy": {"copied_from": "00000000-0000-4000-8000-000000000001"},
}


@pytest.fixture(autouse=True)
def pool_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Walls keep the order of the pool, so that the item at place 1 is D1."""
    monkeypatch.setattr("assessment.assigning.layout.order_of_walls", lambda docnos, _seed: docnos)


def make_graded(mark: int = 0) -> tuple[Assignment, Judgment]:
    """An assignment with walls whose first item has a grade with a comment and a flag."""
    assignment = make_walled(30)
    return assignment, judge(assignment, "D1", mark, comment="a moraine", is_flagged=True)


def words() -> list[tuple[str, int | str, str, bool]]:
    return [(each.docno, each.mark, each.comment, each.is_flagged) for each in Judgment.objects.current()]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rule", ["", "none", "named", "any"])
def test_equal_grade_stays_with_its_comment_and_flag(client: Client, way: str, rule: str) -> None:
    assignment, first = make_graded()
    replaces = str(first.client_uuid) if rule == "named" else rule
    event = judged(1, 0, replaces=replaces, **WAYS[way])
    for _ in range(2):  # the answer may get lost
        [result] = send(client, assignment, event)["results"]
        assert (result["status"], result["client_uuid"]) == (200, event["fields"]["client_uuid"])
        assert result["current"]["client_uuid"] == str(first.client_uuid)
    answer = post(
        client, "judgment_record", assignment, 1, judged(1, 0, **WAYS[way])["fields"], by_script=True
    )
    assert answer.json()["current"]["mark"] == 0
    assert list(Judgment.objects.all()) == [first]


@pytest.mark.parametrize("way", WAYS)
def test_item_that_is_open_after_an_undo_is_graded(client: Client, way: str) -> None:
    assignment, first = make_graded()
    undo(assignment, first)
    assert statuses(send(client, assignment, judged(1, 0, replaces="none", **WAYS[way]))) == [200]
    assert words() == [("D1", 0, "", False)]


def test_rest_after_the_end_of_the_topic_keeps_any_grade(client: Client) -> None:
    assignment, first = make_graded(2)
    end_assignment(assignment=assignment, by=assignment.pool.created_by)
    [kept, extra, again] = send(
        client,
        assignment,
        judged(1, 0, is_by_rest="on"),
        judged(2, 2, is_opened="on"),
        judged(2, 0, is_by_rest="on"),
    )["results"]
    assert kept["current"]["client_uuid"] == str(first.client_uuid)
    assert again["current"]["client_uuid"] == extra["client_uuid"]
    assert Judgment.objects.count() == 2


def test_reply_that_is_changed_for_the_wall_is_stored(client: Client) -> None:
    assignment = make_walled(3)
    ExtraQuestion.objects.create(task=assignment.pool.task, name="sure", text="Sure?", is_required=False)
    first = judged(1, 0, is_by_rest="on", reply_sure="no")
    named = first["fields"]["client_uuid"]
    again = judged(1, 0, is_by_rest="on", reply_sure=" no ", replaces=named)
    changed = judged(1, 0, is_by_rest="on", reply_sure="yes", replaces=named)
    assert statuses(send(client, assignment, first, again, changed)) == [200] * 3
    assert [each.replies for each in Judgment.objects.order_by("pk")] == [{"sure": "no"}, {"sure": "yes"}]


def test_copy_that_names_a_grade_replaces_it(client: Client) -> None:
    assignment, first = make_graded()
    event = judged(1, 2, replaces=first.client_uuid, **WAYS["copy"])
    assert statuses(send(client, assignment, event)) == [200]
    assert words() == [("D1", 2, "a moraine", True)]


@pytest.mark.parametrize("way", [{}, *WAYS.values()])
def test_wall_keeps_a_comment_and_a_flag_given_elsewhere(client: Client, way: dict[str, Any]) -> None:
    assignment = make_walled(30)
    remark(assignment, "D1", "dark", is_flagged=True)
    send(client, assignment, judged(1, 0, replaces="none", **way))
    assert words() == [("D1", 0, "dark", True)]
    remark(assignment, "D1", "darker")
    named = Judgment.objects.get().client_uuid
    send(client, assignment, judged(1, 1, replaces=named))
    assert words() == [("D1", 1, "darker", False)]


def test_equal_grade_of_a_page_that_knows_none_keeps_the_comment_and_one_that_knows_it_clears_it(
    client: Client,
) -> None:
    assignment, _ = make_graded()
    post(client, "judgment_record", assignment, 1, sent(grade=0, replaces="none"), by_script=True)
    assert words() == [("D1", 0, "a moraine", True)]
    named = Judgment.objects.latest("pk").client_uuid
    post(client, "judgment_record", assignment, 1, sent(grade=1, replaces=named), by_script=True)
    assert words() == [("D1", 1, "", False)]
