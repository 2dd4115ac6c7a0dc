"""Judgments by day and the pace of each assessor, for the page of a task."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.db.models import Count, Min
from django.utils import timezone

from assessment.dashboard.progress import days_and_paces
from assessment.models import AssignmentKind, CurrentJudgment, Purpose
from assessment.models.purposes import NOT_SHOWN
from tests.aggregates_sql import QUARTERS
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.assessment.random_judging import make_judged

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
