"""A check reads the file in a process of its own, with limits on memory and time."""

import pytest

from evaluation.models import Ranking, RunState
from evaluation.runs import reading as read_run
from evaluation.runs.checking import check_run
from evaluation.runs.models import CHECK_ATTEMPTS
from tests.evaluation.runs.checking import checked, codes, receive, small_task, tagged
from tests.factories import make_team
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
