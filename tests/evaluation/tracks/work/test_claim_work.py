"""Long work: claimed in fair shares, ended by the holder of the claim, released, parked and retried."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from evaluation.models import Import, ImportKind, ImportState, ReportProgress, Scoring, Task, Topic, User
from evaluation.organizing.imports.actions import ImportNotTried, confirm_import, receive_import, run_import
from evaluation.organizing.imports.reading import read_rows
from evaluation.results.reports.actions import ask_report
from evaluation.tracks.work.models import LOST_AFTER, MOST_ATTEMPTS
from evaluation.tracks.work.queueing import (
    ClaimLost,
    claim_work,
    end_work,
    lock_claim,
    queue_work,
    release_claim,
    retry_work,
    run_claimed,
    run_waiting,
)
from evaluation.tracks.work.recomputing.actions import ask_results
from tests.factories import make_organizer, make_task, make_user
from tests.refusals import refused
from trackside.reporting.design import Choice

pytestmark = pytest.mark.django_db

TOPICS = b"id,title\nT1,Tarn\n"


def _queued(task: Task, *, by: User | None = None, content: bytes = TOPICS) -> Import:
    file = ContentFile(content, "topics.csv")
    by = by or make_organizer(task.track)
    return receive_import(task=task, kind=ImportKind.TOPICS, file=file, by=by)


def _claim(worker: str = "a") -> Import | None:
    return claim_work(Import, worker=worker)


def _lose(row: Import | None) -> None:
    """Set the last heartbeat of a claimed row to too long ago."""
    assert row is not None
    row.as_claimed().update(seen_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))


def test_two_line_import_waits_behind_no_other_track() -> None:
    busy, other = make_task(), make_task()
    first, second, third = _queued(busy), _queued(busy), _queued(other)
    assert _claim() == first
    assert _claim() == third, "the second of the busy task waits, the other track's does not"
    assert claim_work(Import, worker="b") is None, "one import of a task at a time, on all machines together"
    assert second.is_waiting


def test_import_of_one_task_waits_for_no_other_task_of_its_person_or_track() -> None:
    """A pool waits for baselines, and they waited behind another task's pictures."""
    task, person, other = make_task(), make_user(), make_user()
    mine = [_queued(each, by=person) for each in (task, make_task(task.track))]
    others = _queued(make_task(), by=other)
    assert _claim() == mine[0]
    assert {_claim(), claim_work(Import, worker="b")} == {others, mine[1]}


def test_person_has_one_scoring_at_a_time_in_a_track() -> None:
    task = make_task()
    for each in (task, make_task(task.track)):
        ask_results(task_id=each.pk)
    assert claim_work(Scoring, worker="a")
    assert claim_work(Scoring, worker="b") is None, "the second waits for the first"


def test_track_served_longest_ago_comes_first() -> None:
    busy, other = make_task(), make_task()
    queued = [_queued(busy) for _ in range(3)]
    late = _queued(other)
    served = []
    while row := _claim():
        served.append(row)
        end_work(row)
    # The busy track's first comes first; the other track was never served, so it is next.
    assert served == [queued[0], late, queued[1], queued[2]]


def test_worker_has_no_more_than_its_slots_of_a_kind() -> None:
    for _ in range(3):
        ask_results(task_id=make_task().pk)
    assert [bool(claim_work(Scoring, worker="a")) for _ in range(3)] == [True, True, False]
    assert claim_work(Scoring, worker="b")


def test_imports_of_ten_tasks_wait_for_none_of_each_other() -> None:
    queued = {_queued(make_task()) for _ in range(10)}
    assert {_claim() for _ in queued} == queued, "on one worker"


def test_kinds_of_work_do_not_wait_for_each_other() -> None:
    task = make_task()
    ask_results(task_id=task.pk)
    _queued(task)
    assert _claim()
    assert claim_work(Scoring, worker="a")
    assert claim_work(ReportProgress, worker="a")


def test_work_of_a_dead_worker_is_claimed_again_and_its_end_counts_alone() -> None:
    """The slow worker of a swept import must not set a finished import back to tried."""
    task = make_task()
    _queued(task)
    slow = _claim("slow")
    assert slow
    assert _claim("fast") is None
    _lose(slow)
    fast = _claim("fast")
    assert fast is not None
    assert _claim("third") is None, "a claim is fresh"
    run_claimed(fast, lambda row: run_import(task_import=row))
    confirm_import(task_import=fast, by=fast.received_by)
    assert run_waiting(Import, lambda row: run_import(task_import=row), worker="fast") == 1
    fast.refresh_from_db()
    assert fast.state == ImportState.DONE

    with pytest.raises(ClaimLost):
        run_import(task_import=slow)
    with pytest.raises(ClaimLost):
        end_work(slow, state=ImportState.TRIED)
    fast.refresh_from_db()
    assert fast.state == ImportState.DONE
    with pytest.raises(ImportNotTried):
        confirm_import(task_import=fast, by=fast.received_by)


def test_import_that_loses_its_claim_while_it_reads_stores_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    task = make_task()
    found = _queued(task)
    assert run_waiting(Import, lambda row: run_import(task_import=row), worker="a") == 1
    confirm_import(task_import=found, by=found.received_by)
    slow = _claim("slow")
    assert slow

    def read_slowly(*given: Any, **named: Any) -> Any:
        _lose(slow)
        assert _claim("fast")
        return read_rows(*given, **named)

    monkeypatch.setattr("evaluation.organizing.imports.adding_items.read_rows", read_slowly)
    with pytest.raises(ClaimLost):
        run_import(task_import=slow)
    assert not Topic.objects.filter(task=task).exists()
    assert Import.objects.get().state == ImportState.ADDING, "it is the fast one's to end"


def test_work_that_crashes_its_workers_is_parked_and_retried_on_request() -> None:
    found = _queued(make_task())
    for attempt in range(1, MOST_ATTEMPTS + 1):
        row = _claim()
        assert row
        assert row.attempt_count == attempt
        _lose(row)
    assert _claim() is None
    found.refresh_from_db()
    assert found.is_parked
    assert not found.is_pending
    assert "Its worker died" in found.trouble
    assert _claim() is None, "parked work stays parked"
    retry_work(row=found, by=found.received_by)
    with refused("work-not-parked"):
        retry_work(row=found, by=found.received_by)
    again = _claim()
    assert again
    assert again.attempt_count == 1


def test_attempts_count_in_a_row_only() -> None:
    """Two crashes, a result, two crashes: never three in a row, so nothing is parked."""
    found = _queued(make_task())
    for _ in range(2):
        for _ in range(MOST_ATTEMPTS - 1):
            _lose(_claim())
        row = _claim()
        assert row
        end_work(row)
        row.refresh_from_db()
        assert row.attempt_count == 0
        queue_work(row=row, by=None)
    found.refresh_from_db()
    assert found.is_waiting


def test_failing_work_is_handed_back_with_the_reason() -> None:
    _queued(make_task())

    def fail(_: object) -> None:
        raise ZeroDivisionError

    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(ZeroDivisionError):
            run_waiting(Import, fail, worker="a")
    found = Import.objects.get()
    assert found.is_parked
    assert found.trouble == "It failed with ZeroDivisionError; the log has the details."


def test_heartbeat_keeps_a_claim_and_a_late_release_changes_nothing() -> None:
    _queued(make_task())
    slow = _claim("slow")
    assert slow
    _lose(slow)
    slow.as_claimed().update(seen_at=timezone.now())
    assert _claim("fast") is None
    _lose(slow)
    fast = _claim("fast")
    assert fast
    release_claim(slow, trouble="late")
    with transaction.atomic():
        lock_claim(fast)
    assert Import.objects.get().trouble != "late"


def test_work_queued_again_while_it_is_done_is_done_once_more() -> None:
    task = make_task()
    for _ in range(5):
        ask_results(task_id=task.pk)
    assert (Scoring.objects.count(), ReportProgress.objects.count()) == (1, 1)
    row = claim_work(Scoring, worker="a")
    assert row
    ask_results(task_id=task.pk)
    assert claim_work(Scoring, worker="b") is None, "a worker has it"
    end_work(row)
    assert row.is_waiting
    again = claim_work(Scoring, worker="a")
    assert again
    end_work(again)
    assert not again.is_waiting
    assert Scoring.objects.filter(queued_at=None).count() == 1


def test_new_inputs_try_a_parked_report_again() -> None:
    task = make_task()
    asker = make_user()
    ask_report(task=task, choice=Choice(), by=asker)
    ReportProgress.objects.update(parked_at=timezone.now(), attempt_count=MOST_ATTEMPTS)
    assert ask_report(task=task, choice=Choice(), by=asker).is_parked, "a reader of the page does not"
    ask_results(task_id=task.pk)
    row = claim_work(ReportProgress, worker="a")
    assert row
    assert row.attempt_count == 1


def test_claim_without_its_queue_is_refused_by_the_database() -> None:
    _queued(make_task())
    assert _claim()
    for change in ({"queued_at": None}, {"parked_at": F("queued_at")}, {"seen_at": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Import.objects.update(**change)
