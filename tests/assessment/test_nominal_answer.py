"""The answer beside the grades, such as "Unsure": it counts as judged, and no number has it."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from assessment.assigning.actions import open_queue
from assessment.core.consolidation import ConsolidationRule
from assessment.models import (
    Assignment,
    AssignmentKind,
    CannotJudge,
    JudgedItem,
    Judgment,
    Purpose,
    SharedTally,
    Slot,
)
from assessment.models.replacing import JudgmentConflict, Replaces, ReplacesRule
from assessment.publishing.actions import publish_judgments
from assessment.quality.disagreements import assign_adjudication
from evaluation.models import Criteria, Pool, Task
from evaluation.tracks.actions import save_criteria
from tests.assessment.assigning.sent_judgments import sent
from tests.assessment.factories import adjudicate, judge, make_assignment, make_judging_pool, undo
from tests.assessment.wall.walled import judged, make_walled, send, statuses
from tests.factories import make_assessor, make_pool
from tests.refusals import refused

pytestmark = pytest.mark.django_db

DARK, SMALL = "nominal: too dark", "nominal: too small"


def offer(task: Task, *reasons: str) -> None:
    Criteria.objects.filter(task=task).update(nominal_name="Unsure", nominal_reasons="\n".join(reasons))


def make_pair(*reasons: str) -> tuple[Assignment, Assignment]:
    """An owner and a second assessor of D2, D1 and D3 of topic T1."""
    pool = make_judging_pool()
    offer(pool.task, *reasons)
    return make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)


def outcomes(pool: Pool, rule: ConsolidationRule = ConsolidationRule.OWNER) -> dict[str, tuple[Any, str]]:
    qrels, *_ = publish_judgments(task=pool.task, by=pool.created_by, rule=rule)
    pairs = qrels.pairs.filter(topic="T1").values_list("docno", "grade", "outcome")
    return {docno: (grade, outcome) for docno, grade, outcome in pairs}


@pytest.mark.parametrize("mark", ["nominal", "nominal: too bright", "unsure", "nominal: "])
def test_answer_that_the_criteria_do_not_have_is_refused(mark: str) -> None:
    owner, _ = make_pair("too dark", "too small")
    with refused("answer-not-in-criteria"):
        judge(owner, "D1", mark)
    assert judge(owner, "D1", DARK).words == "Unsure: too dark"


def test_without_the_answer_in_the_criteria_nobody_gives_it() -> None:
    with refused("answer-not-in-criteria"):
        judge(make_assignment(), "D1", "nominal")


def test_it_is_given_by_form_and_by_wall_and_needs_the_picture_that_was_seen(client: Client) -> None:
    walled = make_walled()
    offer(walled.pool.task)
    events = [judged(1, None, reason="nominal"), judged(2, None, reason="nominal: why", wall=1)]
    events.append(judged(3, None, reason="nominal", image_sha256="a" * 64))
    assert statuses(send(client, walled, *events)) == [200, 409, 409]
    assert Judgment.objects.get().words == "Unsure"
    fields = {**sent(reason="nominal", grade=None), "image_sha256": ""}
    place = reverse("judgment_record", args=[walled.pk, 4])
    assert client.post(place, {name: value for name, value in fields.items() if value is not None})
    assert walled.own_judgments().filter(reason="nominal").count() == 2


def test_it_is_judged_and_not_dealt_again() -> None:
    """Not to another owner of the topic in a later pool, nor from a queue, unlike a reason for no grade."""
    owner, _ = make_pair()
    judge(owner, "D1", "nominal")
    judge(owner, "D2", CannotJudge.TOPIC)
    assert owner.open_places() == [owner.items.get(docno="D3").place]
    later = make_pool(owner.pool.task, name="later", pairs=[("T1", "D1"), ("T1", "D2")])
    heir = make_assignment(later)
    assert [item.docno for item in heir.items.all()] == ["D2"]
    queued = make_pool(owner.pool.task, name="queued", pairs=[("T1", "D1"), ("T1", "D2")])
    for _ in range(2):
        make_assessor(queued.task.track)
    open_queue(pool=queued, percent=0, seed=1, assessor_count=2)
    assert list(Slot.objects.values_list("docno", flat=True)) == ["D2"]


def test_unsure_undone_then_graded_counts_as_the_grade_and_back() -> None:
    owner, _ = make_pair()
    unsure = judge(owner, "D1", "nominal")
    undo(owner, unsure)
    assert JudgedItem.objects.get().nominal_count == 0
    grade = judge(owner, "D1", 2)
    assert outcomes(owner.pool)["D1"] == (2, "ok")
    undo(owner, grade)
    judge(owner, "D2", 1)
    judge(owner, "D1", "nominal")
    assert outcomes(owner.pool)["D1"] == (None, "nominal")


def test_another_answer_is_a_conflict_by_its_reason_and_rest_replaces_none() -> None:
    owner, _ = make_pair("too dark", "too small")
    dark = judge(owner, "D1", DARK)
    none = Replaces(ReplacesRule.NONE)
    assert judge(owner, "D1", DARK, replaces=none).mark == DARK  # equal
    for mark in (SMALL, 2):
        with pytest.raises(JudgmentConflict) as conflict:
            judge(owner, "D1", mark, replaces=none)
        assert conflict.value.current is not None
        assert conflict.value.current.mark == DARK
    by_rest = {"wall": 1, "cell": 1, "is_by_rest": True}
    with pytest.raises(JudgmentConflict):
        judge(owner, "D1", 0, replaces=Replaces(ReplacesRule.NAMED, dark.client_uuid), **by_rest)
    latest = owner.own_judgments().last()
    assert latest is not None
    assert latest.mark == DARK
    assert judge(owner, "D1", 2, replaces=Replaces(ReplacesRule.NAMED, latest.client_uuid)).mark == 2


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (ConsolidationRule.OWNER, [(None, "nominal"), (2, "ok")]),
        (ConsolidationRule.MAJORITY, [(None, "needs_adjudication"), (None, "needs_adjudication")]),
        (ConsolidationRule.MEAN, [(2, "ok"), (2, "ok")]),
        (ConsolidationRule.MAX, [(2, "ok"), (2, "ok")]),
    ],
)
def test_unsure_of_one_and_a_grade_of_another(rule: ConsolidationRule, expected: list[Any]) -> None:
    """They share no grades and are disputed; an adjudicator decides for all rules but the owner's."""
    owner, second = make_pair()
    judge(make_assignment(owner.pool, topic="T2"), "D1", 1)
    for docno, own, other in (("D1", "nominal", 2), ("D2", 2, "nominal"), ("D3", "nominal", "nominal")):
        judge(owner, docno, own)
        judge(second, docno, other)
    assert SharedTally.objects.count() == 0
    found = outcomes(owner.pool, rule)
    assert [found["D1"], found["D2"]] == expected
    assert found["D3"] == (None, "nominal")
    items = {item.docno: item for item in JudgedItem.objects.filter(topic="T1")}
    assert [items[docno].is_disputed for docno in ("D1", "D2", "D3")] == [True, True, False]
    assert not any(item.is_refused for item in items.values())
    third = make_assessor(owner.pool.task.track)
    [settling] = assign_adjudication(task=owner.pool.task, to=third, by=owner.pool.created_by)
    judge(settling, "D1", "nominal", purpose=Purpose.ADJUDICATION)
    adjudicate(owner.pool.task, "D2", 1, by=owner.pool.created_by)
    assert JudgedItem.objects.filter(is_settled=True).count() == 2
    if rule != ConsolidationRule.OWNER:
        found = outcomes(owner.pool, rule)
        assert [found["D1"], found["D2"]] == [(None, "nominal"), (1, "ok")]


def test_owner_s_unsure_goes_before_another_owner_s_grade_and_a_reason_does_not() -> None:
    owner, _ = make_pair()
    later = make_assignment(make_pool(owner.pool.task, name="later", pairs=[("T1", "D1"), ("T1", "D2")]))
    judge(owner, "D1", "nominal")
    judge(owner, "D2", CannotJudge.TOPIC)
    for docno in ("D1", "D2"):
        judge(later, docno, 1)
    assert [outcomes(owner.pool)[docno] for docno in ("D1", "D2")] == [(None, "nominal"), (1, "ok")]


def test_qrels_say_how_many_pairs_of_each_topic_got_it() -> None:
    owner, _ = make_pair()
    for docno, mark in (("D1", "nominal"), ("D2", "nominal"), ("D3", 1)):
        judge(owner, docno, mark)
    qrels, *_ = publish_judgments(task=owner.pool.task, by=owner.pool.created_by)
    assert list(qrels.lines()) == ["T1 0 D3 1\n"]
    assert qrels.provenance["outcomes"] == {"nominal": 2, "ok": 1, "unjudged": 1}
    assert (qrels.provenance["nominal_name"], qrels.provenance["nominal"]) == ("Unsure", {"T1": 2})


def test_blind_list_of_disagreements_does_not_show_the_answer(client: Client) -> None:
    owner, second = make_pair("too dark")
    judge(owner, "D1", DARK)
    judge(second, "D1", 2)
    task = owner.pool.task
    client.force_login(owner.pool.created_by)
    address = reverse("disagreement_list", args=[task.track.slug, task.slug])
    assert "too dark" not in client.get(address).content.decode()
    assert "Unsure: too dark" in client.get(address, {"grades": "shown"}).content.decode()


def test_answer_with_reasons_is_saved_with_the_scale_and_a_used_version_stays() -> None:
    owner, _ = make_pair("too dark")
    judge(owner, "D1", DARK)
    task, grades = owner.pool.task, Criteria.objects.current(owner.pool.task).grades
    made = save_criteria(task=task, grades=grades, instructions="", level=1, nominal_name="Unclear")
    assert (made.version, made.nominal_marks) == (2, {"nominal": "Unclear"})
    assert Judgment.objects.get().words == "Unsure: too dark"
    judge(owner, "D2", "nominal", criteria_version=2)
    assert judge(owner, "D3", DARK, client_uuid=uuid.uuid4()).words == "Unsure: too dark"  # an open page


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("", ["too dark"]),
        ("Relevant", []),
        ("Unsure", ["too dark", "too dark"]),
        ("Unsure", ["Unsure"]),
        ("x" * 61, []),
        ("Unsure", ["x" * 81]),
        ("Unsure", [str(number) for number in range(10)]),
        ("Un\0sure", []),
    ],
)
def test_malformed_answer_is_refused(name: str, reasons: list[str]) -> None:
    task = make_judging_pool().task
    grades = Criteria.objects.current(task).grades
    with refused("nominal-malformed"):
        save_criteria(
            task=task, grades=grades, instructions="", level=1, nominal_name=name, nominal_reasons=reasons
        )
