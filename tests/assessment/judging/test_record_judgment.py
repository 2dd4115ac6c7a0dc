import hashlib
import uuid

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from assessment.judging.actions import JudgingNotOpen
from assessment.models import AssignmentKind, CannotJudge, Judgment
from evaluation.models import Criteria, Document, Phase, Task, Topic
from evaluation.running.hosting.verify import differences
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import GRADES, dates_of, make_assessor, make_image, make_user
from tests.refusals import refused
from trackside.text.hashes import text_sha256, topic_sha256

pytestmark = pytest.mark.django_db


def test_judgment_keeps_what_was_sent_and_the_time_of_the_database() -> None:
    assignment = make_assignment()
    shown_at = timezone.now()
    judgment = judge(assignment, "D1", 2, comment="the lake", active_seconds=4.25, shown_at=shown_at)
    judgment.refresh_from_db()
    assert (judgment.topic, judgment.docno, judgment.grade, judgment.reason) == ("T1", "D1", 2, "")
    assert (judgment.comment, judgment.active_seconds, judgment.shown_at) == ("the lake", 4.25, shown_at)
    assert judgment.assessor == assignment.assessor
    assert judgment.criteria.version == 1
    assert shown_at < judgment.judged_at < timezone.now()
    other = judge(assignment, "D2", CannotJudge.LANGUAGE)
    assert (other.grade, other.reason) == (None, "language")


def test_judgment_sent_twice_is_stored_once() -> None:
    assignment, key = make_assignment(), uuid.uuid4()
    first = judge(assignment, "D1", 2, client_uuid=key)
    assert judge(assignment, "D1", 2, client_uuid=key) == first
    Task.objects.update(**dates_of(Phase.RELEASED))
    assert judge(assignment, "D1", 2, client_uuid=key) == first
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize(("docno", "mark"), [("D2", 2), ("D1", 1), ("D1", CannotJudge.IMAGE)])
def test_another_judgment_under_a_used_uuid_is_refused(docno: str, mark: int | CannotJudge) -> None:
    assignment, key = make_assignment(), uuid.uuid4()
    judge(assignment, "D1", 2, client_uuid=key)
    with refused("judgment-id-taken"):
        judge(assignment, docno, mark, client_uuid=key)
    second = make_assignment(assignment.pool, kind=AssignmentKind.SECOND)
    with refused("judgment-id-taken"):
        judge(second, "D1", 2, client_uuid=key)
    assert Judgment.objects.count() == 1


def test_image_that_is_not_the_items_is_refused() -> None:
    assignment = make_assignment()
    shown, others = make_image(), make_image()
    Document.objects.filter(docno="D1").update(image=shown)
    with refused("wrong-image"):
        judge(assignment, "D1", 2, image_sha256=others.pk)
    with refused("wrong-image"):
        judge(assignment, "D1", 2, image_sha256="")
    with refused("wrong-image"):
        judge(assignment, "D2", 2, image_sha256=shown.pk)
    assert judge(assignment, "D1", 2, image_sha256=shown.pk).image_sha256 == shown.pk


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase != Phase.JUDGING])
def test_judging_outside_its_phase_is_refused(phase: Phase) -> None:
    with pytest.raises(JudgingNotOpen):
        judge(make_assignment(make_judging_pool(phase=phase)), "D1", 2)


def test_other_topics_other_people_s_assignments_and_grades_off_the_scale_are_refused() -> None:
    assignment = make_assignment(topic="T2")
    with refused("not-assigned"):
        judge(assignment, "D2", 2)
    for person in (make_assessor(assignment.pool.task.track), make_user()):
        with refused("not-assigned"):
            judge(assignment, "D1", 2, by=person)
    with refused("grade-not-in-criteria", match=r"Grade 3 is not on the scale .* 0, 1, 2\."):
        judge(assignment, "D1", 3)


def test_judgment_names_the_version_of_the_criteria_it_was_made_under() -> None:
    assignment = make_assignment()
    four = [*GRADES, {"grade": 3, "name": "Perfect", "text": "The best there is."}]
    Criteria.objects.create(task=assignment.pool.task, version=2, grades=four)
    assert judge(assignment, "D1", 3, criteria_version=2).criteria.version == 2
    assert judge(assignment, "D2", 2, criteria_version=1).criteria.version == 1
    with refused("unknown-criteria"):
        judge(assignment, "D3", 2, criteria_version=3)


def test_judgment_keeps_the_hashes_of_several_images_and_freezes_them() -> None:
    assignment = make_assignment()
    first, *more = (make_image().pk for _ in range(3))
    for rows in (Topic.objects.filter(number="T1"), Document.objects.filter(docno="D1")):
        rows.update(image=first, more_images=more)
    topic, document = Topic.objects.get(number="T1"), Document.objects.get(docno="D1")
    event = judge(assignment, "D1", 2)
    event.refresh_from_db()
    assert (event.image_sha256, event.text_sha256) == (first, text_sha256(document.fields, more))
    assert event.topic_sha256 == topic_sha256(topic.fields, first, more)
    for rows in (Topic.objects.filter(number="T1"), Document.objects.filter(docno="D1")):
        with pytest.raises(DatabaseError, match="judged or released"), transaction.atomic():
            rows.update(more_images=more[::-1])
    assert list(differences()) == []


def test_judgment_keeps_the_hashes_of_what_was_judged_and_freezes_it() -> None:
    assignment = make_assignment()
    text = [["caption", 'A "tarn"\\ \n\t\x1f\x7f, Étang 🦆 '], ["empty", ""]]
    Document.objects.filter(docno="D1").update(fields=text)
    Topic.objects.filter(number="T1").update(fields=text, image=make_image())
    topic, document = Topic.objects.get(number="T1"), Document.objects.get(docno="D1")
    event = judge(assignment, "D1", 2)
    event.refresh_from_db()
    assert event.text_sha256 == text_sha256(document.fields)
    assert event.topic_sha256 == topic_sha256(topic.fields, topic.image_id)
    # printf '[["caption", "Caption of D2"]]' | sha256sum
    other = judge(assignment, "D2", 0)
    other.refresh_from_db()
    assert other.text_sha256 == hashlib.sha256(b'[["caption", "Caption of D2"]]').hexdigest()
    for rows in (Topic.objects.filter(number="T1"), Document.objects.filter(docno="D1")):
        with pytest.raises(DatabaseError, match="judged or released"), transaction.atomic():
            rows.update(fields=[["caption", "bent"]])
    criteria = Criteria.objects.filter(pk=event.criteria_id)
    with pytest.raises(DatabaseError, match="Cannot update or delete"), transaction.atomic():
        criteria.update(instructions="Other.")
    assert Document.objects.filter(docno="D3").update(fields=[["caption", "mended"]]) == 1
    assert Topic.objects.filter(number="T2").update(fields=[["title", "mended"]]) == 1
