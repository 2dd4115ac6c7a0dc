"""A check reads the file in a process with limits; tracks and people share workers; checks can be parked."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Phase, Ranking, Run, RunState, Task, User
from evaluation.submissions.runs import reading as read_run
from evaluation.submissions.runs.checking import (
    WORKER_DIED,
    check_next,
    check_run,
    hold_share,
    next_to_check,
    recheck_run,
    sweep_runs,
)
from evaluation.submissions.runs.models import CHECK_ATTEMPTS
from tests.evaluation.submissions.runs.checking import checked, codes, receive, small_task, tagged
from tests.factories import (
    make_blob,
    make_organizer,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_user,
)
from tests.refusals import refused
from trackside.sandbox import limits as sandbox_limits

pytestmark = pytest.mark.django_db


def test_check_run_stores_the_rankings_of_a_sound_run_in_trec_eval_s_order() -> None:
    task = small_task()
    run = checked(receive(task, make_team(task.track)))
    assert (run.state, run.tag, codes(run)) == (RunState.ACCEPTED, "kestrel", [])
    assert run.checked_at is not None
    stored = {each.topic: each.unpack() for each in Ranking.objects.filter(run=run)}
    assert {topic: docnos for topic, (docnos, _) in stored.items()} == {"T1": ["D2", "D1"], "T2": ["D3"]}
    assert stored["T1"][1].tolist() == [0.5, 0.25]
    assert stored["T2"][1].tolist() == [-1e-3]


def test_check_run_rejects_a_file_that_needs_more_memory_than_its_size_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox_limits, "_LEAST_MEMORY", 95_000_000)
    task = small_task()
    content = b"".join(b"T1 Q0 %032d %d 1 kestrel\n" % (n, n) for n in range(200_000))
    run = checked(receive(task, make_team(task.track), content))
    assert (run.state, codes(run)) == (RunState.REJECTED, ["too_large"])
    assert run.verdict is not None
    assert "95 MB of memory" in run.verdict.faults[0]["note"]


def test_check_run_counts_attempts_that_end_without_a_verdict_and_parks_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = small_task()
    team = make_team(task.track)
    run, later = receive(task, team), receive(task, team, tagged("later"))
    with monkeypatch.context() as patch:
        patch.setattr(read_run, "SILENCE_SECONDS", 1e-4)  # less than a tick of the processor
        for attempt in (1, 2, 3):
            assert check_run(run_id=run.pk) is None
            run.refresh_from_db()
            assert run.check_attempt_count == attempt
            assert run.state == (RunState.PARKED if attempt == CHECK_ATTEMPTS else RunState.RECEIVED)
    assert "did nothing for 0 seconds" in run.check_error
    assert check_run(run_id=run.pk) is None
    # The team's later upload waits for a verdict of the earlier one, and a parked run gets none.
    assert checked(later).state == RunState.ACCEPTED


SOUND = b"T1 Q0 D1 1 1 tag\n"


def _task() -> Task:
    return make_task(phase=Phase.OPEN, topic_count=1, document_count=1)


def _upload(task: Task, by: User | None = None) -> Run:
    """An upload of a further team of the track."""
    team = make_team(task.track)
    by = by or make_team_member(team)
    return make_run(task, team, state=RunState.RECEIVED, upload=make_blob(SOUND), received_by=by)


def _in_turn() -> list[Run]:
    checked = []
    while run := check_next():
        checked.append(run)
    return checked


@pytest.mark.usefixtures("sandbox_threads")
@pytest.mark.parametrize("of_another", ["track", "person"])
def test_upload_waits_behind_one_of_another_and_not_behind_all(of_another: str) -> None:
    busy, person = _task(), make_user()
    waiting = [_upload(busy, person if of_another == "person" else None) for _ in range(3)]
    late = _upload(_task() if of_another == "track" else busy)
    assert _in_turn() == [waiting[0], late, waiting[1], waiting[2]]


def test_failed_attempt_is_a_turn_too(monkeypatch: pytest.MonkeyPatch) -> None:
    task = _task()
    hostile, late = _upload(task), _upload(_task())
    with monkeypatch.context() as patch:
        patch.setattr(
            "evaluation.submissions.runs.reading.SILENCE_SECONDS", 1e-4
        )  # less than a tick of the processor
        assert check_next() is None
    hostile.refresh_from_db()
    assert hostile.check_attempt_count == 1
    assert check_next() == late


@pytest.mark.django_db(transaction=True)
def test_person_has_one_upload_checked_at_a_time(sent: list[Any]) -> None:
    """The next check starts when that has its verdict, not at the next sweep."""
    task, person = _task(), make_user()
    first, second = _upload(task, person), _upload(task, person)
    late = _upload(task)
    chosen: list[Run | None] = []

    def choose() -> None:
        chosen.append(next_to_check())
        connection.close()

    with hold_share(person.pk) as is_free:
        assert is_free
        other_session = threading.Thread(target=choose)
        other_session.start()
        other_session.join()
    assert chosen == [late]
    assert check_next() == first
    assert ("evaluation.check_run", (second.pk,)) in sent


def test_sweep_runs_queues_what_has_waited_for_half_a_minute(
    sent: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    long_ago = timezone.now() - timedelta(seconds=31)
    lost = make_run(state=RunState.RECEIVED, received_at=long_ago)
    make_run(state=RunState.RECEIVED)
    tried = make_run(state=RunState.RECEIVED, received_at=long_ago, check_attempt_count=3)
    make_run(state=RunState.PARKED, received_at=long_ago)
    make_run(received_at=long_ago)
    with django_capture_on_commit_callbacks(execute=True):
        assert sweep_runs() == 1
    assert sent == [("evaluation.check_run", (lost.pk,))]
    tried.refresh_from_db()
    assert (tried.state, tried.check_error) == (RunState.PARKED, WORKER_DIED)


REASON = "Reading stopped: the file needs more than 600 seconds."


@pytest.fixture
def run() -> Run:
    task = make_task()
    return make_run(
        task, make_team(task.track), state=RunState.PARKED, check_attempt_count=3, check_error=REASON
    )


def _page(client: Client, run: Run) -> str:
    address = reverse("run_detail", args=[run.task.track.slug, run.task.slug, run.pk])
    return client.get(address).content.decode()


def test_page_of_a_parked_run_shows_its_team_the_reason(client: Client, run: Run) -> None:
    client.force_login(make_team_member(run.team))
    with refused("not-organizer", match="Ask an organizer"):
        recheck_run(run=run, by=run.received_by)
    page = _page(client, run)
    assert "Check stopped" in page
    assert REASON in page
    assert "ended 3 times" in page
    assert "Check again" not in page


def test_organizer_has_a_parked_run_checked_again(client: Client, run: Run) -> None:
    client.force_login(make_organizer(run.task.track))
    assert "Check again" in _page(client, run)
    address = reverse("run_recheck", args=[run.task.track.slug, run.task.slug, run.pk])
    assert client.post(address).status_code == 302
    run.refresh_from_db()
    assert (run.state, run.check_attempt_count, run.check_error) == (RunState.RECEIVED, 0, "")
    assert "Checking" in _page(client, run)
    with refused("run-not-parked", match="is received"):
        recheck_run(run=run, by=make_organizer(run.task.track))
