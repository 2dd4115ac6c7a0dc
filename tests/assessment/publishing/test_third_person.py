"""A third person's grades: for one sentence of the report, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from assessment.assigning.actions import assign_topics, open_queue, reassign_topic
from assessment.assigning.counts import count_assignments
from assessment.core.consolidation import ConsolidationRule
from assessment.models import Assignment, AssignmentKind, JudgedItem, Judgment, Purpose
from assessment.publishing.actions import publish_judgments
from assessment.quality.figures import quality_of
from evaluation.models import Phase, Pool, PoolKind, Qrels, QrelsKind, Report, Task
from evaluation.results.reports.actions import compute_report, freeze_third_pool, third_choices
from evaluation.submissions.pools.actions import freeze_pairs
from tests.assessment.factories import judge, make_assignment, make_judging_pool, rows_of
from tests.factories import (
    make_assessor,
    make_family,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
)
from tests.refusals import refused
from trackside.findings.provenance import PeopleProvenance
from trackside.reporting.views.sentences import takes_words

pytestmark = pytest.mark.django_db
PAIRS = [("T1", "D1"), ("T1", "D2")]


def make_third_pool(pool: Pool) -> Pool:
    reason = {"method": "third", "judge": "clip", "family": "CLIP-based", "report": "0" * 64}
    return freeze_pairs(
        task=pool.task, name="third person 1", pairs=PAIRS, reason=reason, seed=1, by=pool.created_by
    )


def make_judged_twice() -> tuple[Assignment, Assignment]:
    """T1, judged by its owner and by a second assessor."""
    pool = make_judging_pool()
    owner, second = make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)
    for docno, one, other in (("D1", 0, 1), ("D2", 1, 1), ("D3", 2, 2)):
        judge(owner, docno, one)
        judge(second, docno, other)
    return owner, second


def grade_as_third(pool: Pool, *, grade: int = 2) -> Assignment:
    make_assessor(pool.task.track)
    [third] = assign_topics(pool=make_third_pool(pool), second_percent=50, seed=1, by=pool.created_by)
    for docno in ("D1", "D2"):
        judge(third, docno, grade, purpose=Purpose.CHECK)
    return third


def shown_quality(task: Task) -> list[object]:
    """Agreement of pairs of people and of the group, and the mean grades, as the page on quality shows."""
    quality = quality_of(task)
    return [quality.crowd, list(quality.pairs), quality.group, list(quality.rows), list(quality.walls)]


def test_grades_of_a_third_person_leave_qrels_agreement_and_disagreements_as_they_are() -> None:
    owner, _ = make_judged_twice()
    task, by = owner.pool.task, owner.pool.created_by
    before = publish_judgments(task=task, by=by, rule=ConsolidationRule.MAX)
    quality, items = shown_quality(task), list(JudgedItem.objects.order_by("pk").values())
    third = grade_as_third(owner.pool)
    after = publish_judgments(task=task, by=by, rule=ConsolidationRule.MAX)
    assert [qrels.kind for qrels in after] == [QrelsKind.HUMAN, QrelsKind.SECOND]
    assert [rows_of(qrels) for qrels in after] == [rows_of(qrels) for qrels in before]
    assert [qrels.sha256 for qrels in after] == [qrels.sha256 for qrels in before]
    assert after[0].provenance["third"] == {"T1": {"D1": 2, "D2": 2}}
    assert [qrels.provenance | {"third": {}} for qrels in after] == [qrels.provenance for qrels in before]
    assert shown_quality(task) == quality
    assert list(JudgedItem.objects.order_by("pk").values()) == items
    assert (third.kind, third.pool.kind) == (AssignmentKind.CHECK, PoolKind.CHECK)
    assert set(Judgment.objects.filter(assessor=third.assessor).values_list("purpose", flat=True)) == {
        "check"
    }
    counts = count_assignments(task)[third.pk]
    assert (counts.item_count, counts.judged_count) == (2, 2)


def test_a_third_person_has_judged_none_of_the_items() -> None:
    owner, second = make_judged_twice()
    pool = make_third_pool(owner.pool)
    with refused("no-assessors"):
        assign_topics(pool=pool, second_percent=0, seed=1, by=pool.created_by)
    third = make_assessor(pool.task.track)
    [assignment] = assign_topics(pool=pool, second_percent=0, seed=1, by=pool.created_by)
    assert assignment.assessor == third
    with refused("cannot-take-topic"):
        reassign_topic(assignment=assignment, to=second.assessor, by=pool.created_by)
    with refused("topics-already-assigned"):
        assign_topics(pool=pool, second_percent=0, seed=1, by=pool.created_by)
    with refused("third-by-topic"):
        open_queue(pool=pool, percent=0, seed=1)


def test_a_third_persons_earlier_work_on_the_topic_stays_what_it_was() -> None:
    """The person is no owner of the topic by the check: grades of other items stay a second assessor's."""
    pool = make_judging_pool()
    owner, second = make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)
    judge(owner, "D1", 1)
    judge(second, "D3", 2)
    third = make_assignment(make_third_pool(pool), assessor=second.assessor, kind=AssignmentKind.CHECK)
    judge(third, "D1", 2, purpose=Purpose.CHECK)
    people, _ = publish_judgments(task=pool.task, by=pool.created_by, rule=ConsolidationRule.MAX)
    graded = {docno: grade for _, docno, grade, _ in rows_of(people) if grade is not None}
    assert graded == {"D1": 1, "D3": 2}  # of all assessors of the pool, as without the check


def test_a_check_for_any_other_reason_counts_for_qrels() -> None:
    pool = make_judging_pool()
    third = make_third_pool(pool)
    other = freeze_pairs(
        task=pool.task, name="unsure", pairs=PAIRS, reason={"judge": "clip"}, seed=1, by=pool.created_by
    )
    assert set(pool.task.pools.for_qrels()) == {pool, other}
    assert third not in pool.task.pools.for_qrels()


def make_favoured_task() -> tuple[Task, Report]:
    """Four runs on twelve topics, two of a family whose results the judge raises."""
    draw = np.random.default_rng(2)
    task = make_task(phase=Phase.JUDGING, topic_count=12, document_count=12)
    family = make_family(task, name="CLIP-based")
    docnos = [f"D{number}" for number in range(1, 13)]
    truth = {
        (f"T{topic}", docno): int(draw.choice(3, p=(0.5, 0.3, 0.2)))
        for topic in range(1, 13)
        for docno in docnos
    }
    judged = dict(truth)
    for run in range(4):
        results = {f"T{topic}": draw.permutation(docnos)[:5].tolist() for topic in range(1, 13)}
        made = make_run(task, tag=f"run{run}", results=results)
        if run < 2:
            made.families.add(family)
            judged |= {
                (topic, docno): min(2, truth[topic, docno] + 1)
                for topic, own in results.items()
                for docno in own
            }
    make_pool(task, pairs=list(truth))
    make_qrels(task, name="people", grades=dict(truth))
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=dict(judged))
    report = compute_report(task=task)
    assert report
    return task, report


def test_from_the_report_to_the_sentence(client: Client) -> None:
    task, report = make_favoured_task()
    organizer = make_organizer(task.track)
    client.force_login(organizer)
    [(name, finding)] = third_choices(report)
    names = [task.track.slug, task.slug]
    assert b"Ask a third person about a favour" in client.get(reverse("report_detail", args=names)).content
    sent = {"judge": name, "family": finding.family}
    client.post(reverse("report_third", args=names), sent)
    pool = Pool.objects.get(kind=PoolKind.CHECK)
    assert set(pool.items.values_list("topic", "docno")) == {
        (row.topic, row.docno) for row in finding.deciding
    }
    assert name not in pool.name
    assert finding.family not in pool.name
    with refused("third-pool-exists"):
        freeze_third_pool(report=report, **sent, by=organizer)
    with refused("nothing-to-check"):
        freeze_third_pool(report=report, judge=name, family="unknown", by=organizer)
    make_assessor(task.track)
    for assignment in assign_topics(pool=pool, second_percent=0, seed=1, by=organizer):
        for item in assignment.items.all():
            judge(assignment, item.docno, 2, purpose=Purpose.CHECK)
    third: dict[str, dict[str, int]] = {}
    for topic, docno in pool.items.values_list("topic", "docno"):
        third.setdefault(topic, {})[docno] = 2
    people = Qrels.objects.get(task=task, name="people")
    grades = {(row.topic, row.docno): row.grade for row in people.pairs.all()}
    provenance = PeopleProvenance(third=third).to_json()
    make_qrels(task, name="people", version=2, grades=grades, provenance=provenance)
    after = compute_report(task=task)
    assert after
    [(_, said)] = third_choices(after)
    assert (takes_words(said) or "").startswith(f"{takes_words(finding)}. A third person graded ")
    one, other = (made.summary.judges[0] for made in (report, after))
    assert replace(one, families=()) == replace(other, families=())
    assert [replace(found, third=None) for found in other.families] == list(one.families)
