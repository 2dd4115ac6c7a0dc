"""What the page of a task shows of judging: days, paces, shares of the work and workload."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.db.models import Count, Min
from django.utils import timezone

from assessment.dashboard.forecasts import days_and_paces
from assessment.dashboard.progress import counted_share, measured_workload
from assessment.models import AssignmentKind, CurrentJudgment, Purpose
from assessment.models.purposes import NOT_SHOWN
from evaluation.models import PoolKind
from evaluation.results.qrels.shares import JudgedShare, judged_share
from evaluation.tracks.panels import Workload, workload_of
from tests.aggregates_sql import QUARTERS
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.assessment.random_judging import make_judged
from tests.factories import make_assessor, make_pool, make_qrels

pytestmark = pytest.mark.django_db

TOKYO = ZoneInfo("Asia/Tokyo")
EVENING = datetime(2026, 3, 1, 14, 59, tzinfo=UTC)  # 23:59 in Tokyo
NIGHT = datetime(2026, 3, 1, 15, 1, tzinfo=UTC)  # 0:01 of the next day there


def count_quarters() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM assessment_judgedquarter")
        cursor.execute(QUARTERS)


def test_days_are_those_of_the_task_s_time_zone_and_paces_those_of_all_days() -> None:
    pool = make_judging_pool()
    pool.task.time_zone = "Asia/Tokyo"
    owner, second = make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)
    today = timezone.now() - timedelta(minutes=1)
    given = [
        (owner, "D1", NIGHT),
        (owner, "D2", EVENING),
        (owner, "D3", today),
        (second, "D1", EVENING),
        (second, "D2", EVENING),
    ]
    for assignment, docno, moment in given:
        made = judge(assignment, docno, 1)
        CurrentJudgment.objects.filter(judgment=made).update(judged_at=moment)
    settled = judge(second, "D3", 2)
    CurrentJudgment.objects.filter(judgment=settled).update(purpose=Purpose.ADJUDICATION)
    count_quarters()
    days, paces = days_and_paces(pool.task)
    assert days == [
        (datetime(2026, 3, 1, tzinfo=TOKYO), 3),
        (datetime(2026, 3, 2, tzinfo=TOKYO), 1),
        (today.astimezone(TOKYO).replace(hour=0, minute=0, second=0, microsecond=0), 1),
    ]
    assert paces == {owner.assessor_id: (1, EVENING), second.assessor_id: (0, EVENING)}


def test_the_week_begins_within_a_quarter_of_an_hour() -> None:
    """Of three judgments around the moment a week ago, the two after it count, whatever their quarter."""
    pool = make_judging_pool()
    owner = make_assignment(pool)
    week_ago = timezone.now() - timedelta(days=7)
    for docno, minute in (("D1", -1), ("D2", 1), ("D3", 20)):
        made = judge(owner, docno, 1)
        moment = week_ago + timedelta(minutes=minute)
        CurrentJudgment.objects.filter(judgment=made).update(judged_at=moment)
    count_quarters()
    _, paces = days_and_paces(pool.task)
    assert paces == {owner.assessor_id: (2, week_ago + timedelta(minutes=-1))}


@pytest.mark.parametrize("seed", range(4))
def test_days_and_paces_are_those_of_the_judgments_one_by_one(seed: int) -> None:
    task = make_judged(seed).pool.task
    paced = CurrentJudgment.objects.exclude(purpose__in=NOT_SHOWN)
    days, paces = days_and_paces(task)
    assert sum(count for _, count in days) == paced.count()
    found = paced.order_by().values_list("assessor").annotate(Count("pk"), Min("judged_at"))
    assert paces == {assessor: (count, first_at) for assessor, count, first_at in found}


def test_share_counts_items_once_and_judgments_since_the_qrels() -> None:
    pool = make_judging_pool()  # T1: D2, D1, D3; T2: D1
    make_pool(pool.task, pairs=[("T1", "D1")])  # pooled twice
    make_pool(pool.task, pairs=[("T2", "D3")], kind=PoolKind.CHECK)  # asked for by a model
    published = make_qrels(pool.task, grades={("T1", "D2"): 1, ("T2", "D1"): None})
    judge(make_assignment(pool), "D1", 2)
    assert counted_share(pool.task, published) == JudgedShare(2, 4, 1)
    published.created_at += timedelta(minutes=1)
    assert judged_share(pool.task, published) == JudgedShare(2, 4, 0)


@pytest.mark.parametrize(
    ("share", "is_partial"),
    [(JudgedShare(3, 4, 0), True), (JudgedShare(4, 4, 1), True), (JudgedShare(4, 4, 0), False)],
)
def test_share_is_partial_while_the_report_may_change(share: JudgedShare, is_partial: bool) -> None:
    assert share.is_partial == is_partial


def test_workload_is_the_median_and_the_people() -> None:
    assignment = make_assignment()
    make_assessor(assignment.pool.task.track)
    assert workload_of(assignment.pool.task) == Workload(None, 2)
    for docno, seconds in (("D1", 4.0), ("D2", 9.0), ("D3", 5.0)):
        judge(assignment, docno, 1, active_seconds=seconds)
    assert measured_workload(assignment.pool.task) == Workload(5.0, 2)
    assert Workload(5.0, 2).hours(1440) == 1.0  # 1440 x 5 s are two hours, for two people


def test_hours_are_unknown_before_anything_is_measured() -> None:
    assert Workload(None, 2).hours(100) is None
    assert Workload(5.0, 0).hours(100) is None
