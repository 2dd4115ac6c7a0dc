"""Organizers' pages on quality: numbers and adjudication."""

import json
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from assessment.assigning.actions import end_assignment
from assessment.models import CannotJudge, ExtraQuestion, GoldItem, Judgment, Purpose
from assessment.models.purposes import AdjudicationMode
from assessment.quality import figures
from assessment.quality.actions import undo_adjudication
from assessment.quality.disagreements import assign_adjudication, find_disagreements
from assessment.quality.figures import quality_of
from evaluation.models import QrelsKind
from evaluation.tasks import run_operations
from tests.assessment.factories import address, adjudicate, judge, make_assignment, make_two
from tests.factories import make_assessor, make_organizer, make_qrels

pytestmark = pytest.mark.django_db


def test_pace_is_of_the_last_judgments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "RECENT", 2)
    owner, _ = make_two()
    judge(owner, "D3", 1, active_seconds=5.0)
    judge(owner, "D1", CannotJudge.IMAGE, active_seconds=1.0)  # no grade now
    judge(owner, "D2", 2, active_seconds=9.0)
    ann = quality_of(owner.pool.task).assessors[0]
    # Of D3 in 5 s and D2 again in 9 s; a third would be the median of three otherwise.
    assert (ann.count, ann.pace.median.value) == (2, 7.0)
    monkeypatch.setattr(figures, "RECENT", 1)
    assert quality_of(owner.pool.task).assessors[0].pace.median.value == 9.0


def test_quality_is_measured_by_assessor_and_by_pair() -> None:
    owner, _ = make_two()
    task = owner.pool.task
    GoldItem.objects.create(task=task, topic="T1", docno="D1", grade=2)
    owner.items.create(place=99, docno="D2", purpose=Purpose.REPEAT)
    judge(owner, "D2", 1, purpose=Purpose.REPEAT, active_seconds=3.0)
    quality = quality_of(task)
    ann, ben = quality.assessors
    assert ann.name.startswith("Ann")
    assert (ann.gold.count, ann.gold.of, ben.gold.count, ben.gold.of) == (0, 1, 1, 1)
    assert (ann.repeats.count, ann.repeats.of, ben.repeats.of) == (1, 1, 0)
    # Ann: 8, 4 and 3 seconds in this order, ever faster.
    assert (ann.pace.median.value, ann.pace.tau.value) == (4.0, -1.0)
    [pair] = quality.pairs
    assert (pair.item_count, pair.observed.value) == (1, 0.0)
    assert quality.group.item_count == 1
    assert quality.group.unanimous.value == 0.0
    # D1 has 0 and 2, D2 has 1: the mean of all is 1, Ann's 0.5, Ben's 2.
    rows = {(row.kind, row.name): row for row in quality.rows}
    assert [part.count for part in rows["all", "All"].distribution] == [1, 1, 1, 0]
    of_people = [(row.mean, row.difference) for row in quality.rows if row.kind == "assessor"]
    assert of_people == [(0.5, -0.5), (2.0, 1.0)]


def test_organizers_see_looks_back_and_judgments_that_do_not_count(client: Client) -> None:
    owner, second = make_two()
    judge(owner, "D3", 1, looks_back=3)
    judge(owner, "D3", 2, looks_back=1)
    ended = end_assignment(assignment=second, by=owner.pool.created_by)
    for docno, mark in (("D1", 0), ("D2", CannotJudge.UPSET), ("D3", 2)):
        judge(second, docno, mark, shown_at=ended.ended_at)
    quality = quality_of(owner.pool.task)
    assert [each.look_count for each in quality.assessors] == [4, 0]
    [extra] = quality.extras
    assert (extra.topic, extra.count) == ("T1", 3)
    assert [part.count for part in extra.distribution] == [1, 0, 1, 1]
    client.force_login(owner.pool.created_by)
    page = client.get(address("judging_quality", owner)).content.decode()
    assert "Judgments that do not count" in page
    lines = b"".join(client.get(address("judgments_export", owner, "jsonl"))).splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["looks_back"] for row in rows] == [0, 0, 0, 3, 1, 0, 0, 0]
    assert [row["purpose"] for row in rows][-3:] == ["extra"] * 3


def test_gold_is_counted_by_answer_and_by_item_with_the_confidence_stated() -> None:
    owner, second = make_two()
    task = owner.pool.task
    for docno, grade in (("D1", 2), ("D2", 0)):
        GoldItem.objects.create(task=task, topic="T1", docno=docno, grade=grade)
    ExtraQuestion.objects.create(task=task, name="sure", text="How sure?", choices="1\n2\n3")
    ExtraQuestion.objects.create(task=task, name="why", text="Why?", is_required=False)
    judge(second, "D2", 0, replies={"sure": "3"})
    judge(owner, "D2", 1, replies={"sure": "1", "why": "no 7"})
    # D1: 0 and 2 of gold 2. D2: 1 and 0 of gold 0. Of each item one answer of two is right.
    crowd = quality_of(task).crowd
    assert (crowd.item_count, crowd.answer_count, crowd.accuracy.average.value) == (2, 4, 0.5)
    assert [row.share.value for row in crowd.shares] == [1.0, 0.0, 0.0]
    # Two of two: the lower end is the square root of 0.025 (Clopper and Pearson).
    assert crowd.shares[0].interval.low == pytest.approx(0.025**0.5)
    assert crowd.shares[0].interval.high == 1.0
    [(question, confidence)] = crowd.confidences
    assert question.name == "sure"
    assert (confidence.overall.value, confidence.when_right.value, confidence.when_wrong.value) == (2, 3, 1)


def test_quality_page_shows_the_numbers_and_works_without_any(client: Client) -> None:
    empty = make_assignment()
    client.force_login(empty.pool.created_by)
    assert "Nobody has graded anything yet." in client.get(address("judging_quality", empty)).content.decode()
    owner, _ = make_two()
    client.force_login(owner.pool.created_by)
    page = client.get(address("judging_quality", owner)).content.decode()
    assert " ".join(page.split()).count("fewer than ten topics") == 1  # in the caption, not in each cell
    assert "no interval" not in page
    assert "undefined" in page


def test_disagreements_show_both_sides_and_are_settled_in_the_open(client: Client) -> None:
    owner, second = make_two()
    client.force_login(owner.pool.created_by)
    page = client.get(address("disagreement_list", owner), {"grades": "shown"}).content.decode()
    for words in ("Ann", "Ben", "it fits", "Settle them one by one"):
        assert words in page
    cases = client.get(address("adjudication_next", owner), {"grades": "shown"}, follow=True)
    assert "it fits" in cases.content.decode()
    assert "Ben" not in cases.content.decode()
    assert 'name="saw_record"' in cases.content.decode()
    form = {
        "client_uuid": uuid.uuid4(),
        "shown_at": "2026-09-01T12:00:00Z",
        "grade": 1,
        "comment": "in between",
        "saw_record": "on",
    }
    page = client.post(f"{cases.request['PATH_INFO']}judgment", form, follow=True).content.decode()
    assert "in between" in page
    assert "with the grades on record in view" in page
    settled = Judgment.objects.get(purpose=Purpose.ADJUDICATION)
    assert settled.mode == AdjudicationMode.OPEN
    assert (settled.assessor, settled.grade) == (owner.pool.created_by, 1)
    assert second.own_judgments().count() == 1


def test_adjudicator_grades_before_the_grades_on_record_are_sent(client: Client) -> None:
    owner, _ = make_two()
    person = owner.pool.created_by
    client.force_login(person)
    item = client.get(address("adjudication_next", owner), follow=True)
    content = f"{item.request['PATH_INFO']}content"
    for page in (item, client.get(content), client.get(address("disagreement_list", owner))):
        assert "it fits" not in page.content.decode()
        assert "data-mark" not in page.content.decode()
    first = adjudicate(owner.pool.task, "D1", 1, by=person)
    assert "it fits" in client.get(content).content.decode()
    assert "it fits" in client.get(address("disagreement_list", owner)).content.decode()
    second = adjudicate(owner.pool.task, "D1", 2, by=person)
    other = adjudicate(owner.pool.task, "D1", 0, by=make_organizer(owner.pool.task.track))
    assert [each.mode for each in (first, second, other)] == ["blind", "open", "blind"]
    undo_adjudication(
        task=owner.pool.task,
        topic="T1",
        docno="D1",
        undoes=second.client_uuid,
        client_uuid=uuid.uuid4(),
        by=person,
    )
    assert "it fits" in client.get(content).content.decode()  # the person has seen it
    assert adjudicate(owner.pool.task, "D1", 2, by=person).mode == AdjudicationMode.OPEN


def test_grades_of_a_third_assessor_are_blind() -> None:
    owner, _ = make_two()
    third = make_assessor(owner.pool.task.track)
    [handed] = assign_adjudication(task=owner.pool.task, to=third, by=owner.pool.created_by)
    event = judge(handed, "D1", 1, purpose=Purpose.ADJUDICATION)
    assert event.mode == AdjudicationMode.BLIND
    assert judge(owner, "D2", 2).mode == ""


def test_form_without_scripts_stays_in_the_list_of_a_judge(client: Client) -> None:
    owner, _ = make_two()
    judged = make_qrels(owner.pool.task, kind=QrelsKind.MODEL, grades={("T1", "D2"): 0}, pool=owner.pool)
    client.force_login(owner.pool.created_by)
    item = client.get(address("adjudication_next", owner), {"judge": judged.pk}, follow=True)
    form = {"client_uuid": uuid.uuid4(), "shown_at": "2026-09-01T12:00:00Z", "grade": 1}
    answer = client.post(item.context["judgment_url"], form)
    assert answer.headers["Location"] == f"{address('adjudication_next', owner)}?judge={judged.pk}"


def test_flagged_items_are_listed_first_though_nobody_disagrees(client: Client) -> None:
    owner, second = make_two()
    judge(owner, "D3", CannotJudge.UPSET, is_flagged=True, comment="see for yourself")
    listed = [
        (each.docno, each.is_flagged, each.distance) for each in find_disagreements(task=owner.pool.task)
    ]
    assert listed == [("D3", True, 0), ("D1", False, 2)]
    client.force_login(owner.pool.created_by)
    page = client.get(address("disagreement_list", owner), {"grades": "shown"}).content.decode()
    assert page.index("see for yourself") < page.index("it fits")
    assert "I would rather not look at it" in page
    # Judged once more without the flag, the item is as any other.
    judge(owner, "D3", 0)
    assert [each.docno for each in find_disagreements(task=owner.pool.task)] == ["D1"]
    assert not second.own_judgments().filter(is_flagged=True).exists()


def test_flag_on_a_second_showing_is_one_on_the_item() -> None:
    owner, _ = make_two()
    owner.items.create(place=99, docno="D2", purpose=Purpose.REPEAT)
    judge(owner, "D2", 1, purpose=Purpose.REPEAT, is_flagged=True)
    [flagged, _] = find_disagreements(task=owner.pool.task)
    assert (flagged.docno, flagged.is_flagged, len(flagged.judgments)) == ("D2", True, 1)


def test_disagreements_are_assigned_to_a_third_assessor(client: Client) -> None:
    owner, _ = make_two()
    third = make_assessor(owner.pool.task.track)
    client.force_login(owner.pool.created_by)
    url = address("adjudication_assign", owner)
    assert "Handed over items of 1 topic." in client.post(url, {"to": third.pk}, follow=True).content.decode()
    assert "can settle nothing now" in client.post(url, {"to": third.pk}, follow=True).content.decode()
    client.force_login(third)
    assert client.get(reverse("judging_list")).content.decode().count(">Start<") == 1


def test_rule_of_publishing_is_chosen_and_kept(client: Client) -> None:
    owner, _ = make_two()
    client.force_login(owner.pool.created_by)
    url = address("judgments_publish", owner)
    client.post(url, {"rule": "max"})
    run_operations()
    qrels = owner.pool.task.qrels.get(kind="human")
    assert qrels.provenance["rule"].startswith("max")
    assert qrels.pairs.get(topic="T1", docno="D1").grade == 2
    assert "rule:" in client.post(url, {"rule": "dice"}, follow=True).content.decode()
