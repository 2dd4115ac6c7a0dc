"""Three published studies, set up by forms only and run at a small scale, up to their statistics."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from assessment.models import AssignedItem, GoldItem
from assessment.quality.figures import quality_of
from evaluation.models import Criteria, Document, Phase, Pool, Task, Topic, User
from evaluation.tasks import run_operations
from tests.factories import make_assessor, make_organizer, make_pool, make_task

Pair = tuple[str, str]
Form = dict[str, Any]  # a grade with its comment, flag and replies

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Study:
    """A task in judging, its pool, its organizer's browser and its assessors."""

    task: Task
    pool: Pool
    organizer: Client
    assessors: list[User]

    def address(self, name: str, *args: str | int) -> str:
        return reverse(name, args=[self.task.track.slug, self.task.slug, *args])

    def add(self, model: str, **fields: Any) -> None:
        """Add a valid row of the task."""
        row = apps.get_model(model.replace("_", "."))(task=self.task, **fields)
        row.full_clean()
        row.save()

    def set_scale(self, *names: str) -> None:
        grades = [{"grade": grade, "name": name, "text": ""} for grade, name in enumerate(names)]
        self.add("evaluation_criteria", version=2, grades=grades, instructions="How to judge")

    def open_items(self, assessor_count: int) -> None:
        """Open every item for this many assessors, who take items from the queue."""
        form = {"pool": self.pool.pk, "way": "items", "second_percent": 100, "seed": 1}
        self.organizer.post(self.address("topics_assign"), form | {"assessor_count": assessor_count})
        run_operations()

    def publish(self, rule: str) -> dict[Pair, int | None]:
        self.organizer.post(self.address("judgments_publish"), {"rule": rule})
        run_operations()
        pairs = self.task.qrels.filter(kind="human").latest("pk").pairs
        return {(pair.topic, pair.docno): pair.grade for pair in pairs.all()}

    def rows(self) -> list[dict[str, Any]]:
        """The exported judgments."""
        answer = self.organizer.get(self.address("judgments_export", "jsonl"))
        return [json.loads(line) for line in b"".join(answer).splitlines()]


def make_study(pairs: Sequence[Pair], assessor_count: int) -> Study:
    task = make_task(phase=Phase.JUDGING, topic_count=3, document_count=3)
    organizer = make_organizer(task.track)
    client = Client()
    client.force_login(organizer)
    assessors = [make_assessor(task.track) for _ in range(assessor_count)]
    return Study(task, make_pool(task, pairs=pairs, created_by=organizer), client, assessors)


def take(study: Study, assessor: User) -> Client:
    """The assessor's browser after a press on "Take the next items"."""
    browser = Client()
    browser.force_login(assessor)
    browser.post(reverse("items_take"), {"pool": study.pool.pk})
    return browser


def work(study: Study, assessor: User, given: Mapping[Pair, Form]) -> None:
    """Take items until none are left, and grade each as given."""
    left = dict(given)
    while left:
        browser = take(study, assessor)
        open_items = AssignedItem.objects.filter(assignment__assessor=assessor).select_related("assignment")
        taken = [item for item in open_items if (item.assignment.topic, item.docno) in left]
        assert taken
        for item in taken:
            form = {"client_uuid": uuid.uuid4(), "criteria_version": 2, "shown_at": "2026-09-01T12:00:00Z"}
            form |= left.pop((item.assignment.topic, item.docno))
            address = reverse("judgment_record", args=[item.assignment_id, item.place])
            answer = browser.post(address, form, headers={"Accept": "application/json"})
            assert answer.status_code == 200, answer.content


def test_newsclippings_five_workers_a_pair_with_confidence() -> None:
    """As NewsCLIPpings (Luo, Darrell and Rohrbach, 2021): is the caption the picture's own, and how sure?"""
    gold = {("T1", "D1"): 1, ("T1", "D2"): 0, ("T2", "D1"): 0}
    study = make_study(list(gold), 5)
    study.set_scale("Falsified", "Pristine")
    for (topic, docno), grade in gold.items():
        study.add("assessment_golditem", topic=topic, docno=docno, grade=grade, use="mixed")
    for name, text, choices in (("sure", "How sure?", "1\n2\n3"), ("web", "Would a search help?", "yes\nno")):
        asked = {"name": name, "text": text, "choices": choices}
        study.add("assessment_extraquestion", place=1, is_required=True, **asked)
    study.open_items(5)
    answers = {("T1", "D1"): "11110", ("T1", "D2"): "00111", ("T2", "D1"): "11111"}
    for turn, worker in enumerate(study.assessors):
        grades = {pair: int(column[turn]) for pair, column in answers.items()}
        # 1 is very sure: those who are right are, all others are half sure.
        sure = {pair: "1" if grade == gold[pair] else "2" for pair, grade in grades.items()}
        forms: dict[Pair, Form] = {
            pair: {"grade": grade, "reply_sure": sure[pair], "reply_web": "yes"}
            for pair, grade in grades.items()
        }
        work(study, worker, forms)
    crowd = quality_of(study.task).crowd
    # Right: 4, 2 and 0 of 5. So 6 of 15 answers; of the pairs two by somebody, one by most, none by all.
    assert crowd.answer_count == 15
    assert crowd.accuracy.average.value == pytest.approx(6 / 15)
    assert [row.share.value for row in crowd.shares] == pytest.approx([2 / 3, 1 / 3, 0])
    [(question, confidence)] = crowd.confidences
    assert question.name == "sure"
    assert confidence.overall.value == pytest.approx((6 * 1 + 9 * 2) / 15)
    assert (confidence.when_right.value, confidence.when_wrong.value) == (1.0, 2.0)
    # Right where 0 is right: 2 and 0 of 5, where 1 is right 4 of 5; all are right who are very sure.
    assert [(row.key, row.count) for row in crowd.classes] == [(0, 10), (1, 5)]
    assert [row.accuracy.value for row in crowd.classes] == pytest.approx([0.2, 0.8])
    [(question, levels)] = crowd.levels
    assert question.name == "sure"
    assert [(row.key, row.count, row.accuracy.value) for row in levels] == [(1, 6, 1.0), (2, 9, 0.0)]
    page = study.organizer.get(study.address("judging_quality")).content.decode()
    assert "40 %" in page
    assert study.publish("majority") == dict.fromkeys(gold, 1)


def test_oven_three_people_an_item_with_exam_and_corrections() -> None:
    """As OVEN (Hu et al., 2023): trained people confirm an entity, or name the right one."""
    lake, hill = ("T1", "D1"), ("T2", "D2")
    study = make_study([lake, hill], 4)
    study.set_scale("Another entity", "This entity")
    study.add(
        "assessment_judgingplan",
        gold_percent=0,
        repeat_percent=0,
        pass_percent=100,
        lease_minutes=30,
        surface="single",
    )
    for topic, grade in (("T1", 1), ("T2", 0)):
        study.add("assessment_golditem", topic=topic, docno="D3", grade=grade, use="exam")
    study.add("assessment_extraquestion", place=1, name="right", text="Which one?", is_required=False)
    study.open_items(3)
    *able, careless = study.assessors
    for assessor in study.assessors:
        browser = Client()
        browser.force_login(assessor)
        for item in GoldItem.objects.all():
            form = {"client_uuid": uuid.uuid4(), "grade": 0 if assessor == careless else item.grade}
            browser.post(study.address("training_answer", item.pk), form)
    take(study, careless)
    assert not AssignedItem.objects.filter(assignment__assessor=careless).exists()
    right: Form = {"grade": 1}
    wrong: Form = {"grade": 0, "reply_right": "Lake Bled"}
    for assessor, of_lake, of_hill in zip(able, (right, right, wrong), (wrong, wrong, right), strict=True):
        work(study, assessor, {lake: of_lake, hill: of_hill})
    assert study.publish("majority") == {lake: 1, hill: 0}
    replied = [row for row in study.rows() if row["replies"]]
    corrections = sorted((row["topic"], row["replies"]["right"]) for row in replied)
    assert corrections == [("T1", "Lake Bled"), ("T2", "Lake Bled"), ("T2", "Lake Bled")]
    assert quality_of(study.task).group.unanimous.value == 0.0


def test_imp_good_bad_unsure_twice_with_head_review() -> None:
    """As IMP: good, bad or unsure, by two people each; the head settles what they differ on."""
    alike, settled, left = ("T1", "D1"), ("T1", "D2"), ("T2", "D1")
    study = make_study([alike, settled, left], 2)
    study.set_scale("Bad", "Unsure", "Good")
    study.open_items(2)
    first, second = study.assessors
    doubt = {"grade": 1, "is_flagged": "on", "comment": "too dark to tell"}
    work(study, first, {alike: {"grade": 2}, settled: {"grade": 2}, left: doubt})
    work(study, second, {alike: {"grade": 2}, settled: {"grade": 0}, left: {"grade": 0}})
    page = study.organizer.get(study.address("disagreement_list"), {"grades": "shown"}).content.decode()
    assert page.index("too dark to tell") < page.index(">D2<")  # the flagged one goes first
    review = {"client_uuid": uuid.uuid4(), "shown_at": "2026-09-01T12:00:00Z", "comment": "good enough"}
    topic = Topic.objects.get(task=study.task, number=settled[0])
    document = Document.objects.get(collection=study.task.collection, docno=settled[1])
    address = study.address("item_adjudicate", topic.pk, document.pk)
    study.organizer.post(address, review | {"grade": 2})
    # Two opposite grades are no majority: items that the head has not settled stay gaps.
    assert study.publish("majority") == {alike: 2, settled: 2, left: None}
    quality = quality_of(study.task)
    assert quality.group.unanimous.value == pytest.approx(1 / 3)
    assert [pair.observed.value for pair in quality.pairs] == pytest.approx([1 / 3])
    assert Criteria.objects.current(study.task).version == 2
