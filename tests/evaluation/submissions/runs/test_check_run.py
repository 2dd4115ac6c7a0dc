"""Checking an upload: the verdict stored, rankings of an accepted run, one run a tag."""

import gzip
import json
from threading import Thread
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from evaluation.models import Ranking, Run, RunState, Task, TeamLimit, TopicState
from evaluation.submissions.runs.checking import check_run
from evaluation.submissions.runs.editing import withdraw_run
from tests.evaluation.submissions.runs.checking import SOUND, checked, codes, receive, small_task, tagged
from tests.factories import make_task, make_team, make_team_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]


def test_check_run_reads_a_compressed_file_and_reports_it() -> None:
    task = small_task()
    run = checked(receive(task, make_team(task.track), gzip.compress(SOUND)))
    assert run.state == RunState.ACCEPTED
    assert "packed" in codes(run, "warnings")


def test_check_run_rejects_with_all_kinds_of_fault_and_stores_no_ranking() -> None:
    task = small_task()
    content = SOUND + b"T1 Q0 d1 3 0.1 kestrel\nT1 Q0 D3 4 nan kestrel\nT9 Q0 D1 1 1 kestrel\nT1 D1\n"
    run = checked(receive(task, make_team(task.track), content))
    assert (run.state, run.tag) == (RunState.REJECTED, "")
    assert set(codes(run)) == {"column_count", "unknown_topic", "unknown_docno", "score_not_finite"}
    assert run.verdict is not None
    (unknown,) = (fault for fault in run.verdict.faults if fault["code"] == "unknown_docno")
    assert unknown["examples"][0]["hint"] == "did you mean D1"
    assert not Ranking.objects.exists()


def test_check_run_compares_docnos_byte_for_byte() -> None:
    task = make_task(topic_count=1, document_count=0)
    for docno in ("é", "a#b", "projected-00326-001"):
        task.collection.documents.create(docno=docno, fields=[["caption", "x"]])
    sound = "T1 Q0 é 1 3 t\nT1 Q0 a#b 2 2 t\nT1 Q0 projected-00326-001 3 1 t\n"
    team = make_team(task.track)
    assert checked(receive(task, team, sound.encode())).state == RunState.ACCEPTED
    decomposed = sound.replace("é", "e\N{COMBINING ACUTE ACCENT}")
    assert codes(checked(receive(task, team, decomposed.encode()))) == ["unknown_docno"]


def test_check_run_rejects_a_file_of_random_bytes() -> None:
    task = small_task()
    team = make_team(task.track)
    for content in (b"", b"\0" * 64, bytes(range(256)) * 9, b"\x1f\x8brubbish", SOUND.replace(b"D1", b"D\0")):
        assert checked(receive(task, team, content)).state == RunState.REJECTED


def test_check_run_lets_a_team_s_later_upload_of_a_tag_replace_the_earlier() -> None:
    task = small_task()
    team = make_team(task.track)
    first, second = checked(receive(task, team)), checked(receive(task, team))
    first.refresh_from_db()
    assert (first.state, second.state, second.replaces) == (RunState.REPLACED, RunState.ACCEPTED, first)
    assert Ranking.objects.filter(run=first).count() == 2


def test_check_run_waits_for_the_team_s_earlier_upload_and_then_queues_the_later(
    sent: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    task = small_task()
    team = make_team(task.track)
    first, second = receive(task, team), receive(task, team)
    assert check_run(run_id=second.pk) is None
    with django_capture_on_commit_callbacks(execute=True):
        checked(first)
    assert ("evaluation.check_run", (second.pk,)) in sent
    assert checked(second).replaces == first


def test_check_run_does_nothing_twice() -> None:
    task = small_task()
    run = checked(receive(task, make_team(task.track)))
    assert check_run(run_id=run.pk) is None
    assert Ranking.objects.filter(run=run).count() == 2


def test_check_run_of_a_rolled_back_transaction_leaves_the_run_as_it_came() -> None:
    task = small_task()
    run = receive(task, make_team(task.track))
    with transaction.atomic():
        check_run(run_id=run.pk)
        transaction.set_rollback(True)
    run.refresh_from_db()
    assert (run.state, run.verdict) == (RunState.RECEIVED, None)
    assert not Ranking.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_check_run_leaves_a_run_to_the_worker_that_has_it() -> None:
    task = small_task()
    run = receive(task, make_team(task.track))
    found: list[Run | None] = []

    def check_beside() -> None:
        found.append(check_run(run_id=run.pk))
        connection.close()

    with transaction.atomic():
        Run.objects.select_for_update().get(pk=run.pk)
        beside = Thread(target=check_beside)
        beside.start()
        beside.join()
    assert found == [None]


def test_check_run_lets_only_accepted_runs_spend_what_a_team_may_have() -> None:
    task = small_task()
    Task.objects.filter(pk=task.pk).update(max_runs=1)
    team = make_team(task.track)
    assert checked(receive(task, team, b"T1 nonsense")).state == RunState.REJECTED
    assert checked(receive(task, team, tagged("first"))).state == RunState.ACCEPTED
    one_more = checked(receive(task, team, tagged("second")))
    assert (one_more.state, codes(one_more)) == (RunState.REJECTED, ["no_run_left"])
    replacing = checked(receive(task, team, tagged("first")))
    assert replacing.state == RunState.ACCEPTED
    withdraw_run(run=replacing, by=make_team_member(team))
    assert checked(receive(task, team, tagged("first"))).replaces is None, "a withdrawn run stays withdrawn"
    TeamLimit.objects.create(task=task, team=team, max_runs=2)
    assert checked(receive(task, team, tagged("second"))).state == RunState.ACCEPTED
    assert codes(checked(receive(task, team, tagged("third")))) == ["no_run_left"]


def test_check_run_lets_others_have_the_tag_of_a_withdrawn_run() -> None:
    task = small_task()
    team, other = make_team(task.track), make_team(task.track)
    first = checked(receive(task, team))
    assert codes(checked(receive(task, other))) == ["tag_unavailable"]
    withdraw_run(run=first, by=make_team_member(team))
    second = checked(receive(task, other))
    first.refresh_from_db()
    assert (second.state, second.tag, second.replaces) == (RunState.ACCEPTED, first.tag, None)
    assert first.state == RunState.WITHDRAWN
    assert codes(checked(receive(task, team))) == ["tag_unavailable"]


def test_check_run_accepts_only_active_topics_and_short_tags() -> None:
    task = small_task()
    Task.objects.filter(pk=task.pk).update(tag_max=6)
    task.topics.filter(number="T2").update(state=TopicState.DRAFT)
    run = checked(receive(task, make_team(task.track)))
    assert codes(run) == ["tag_too_long", "unknown_topic"]


@pytest.mark.parametrize("tag", ["kestrel", "Kestre1"])
def test_tag_that_is_or_looks_like_another_teams_of_the_task_is_refused(tag: str) -> None:
    task, other = small_task(), small_task()
    checked(receive(other, make_team(other.track)))
    assert checked(receive(task, make_team(task.track))).state == RunState.ACCEPTED
    run = checked(receive(task, make_team(task.track), tagged(tag)))
    assert (run.state, codes(run)) == (RunState.REJECTED, ["tag_unavailable"])


def test_own_tag_differs_by_more_than_capitals() -> None:
    task = small_task()
    team = make_team(task.track)
    first = checked(receive(task, team))
    for tag, expected in (("Kestrel", ["tag_unavailable"]), ("kestre1", [])):
        assert codes(checked(receive(task, team, tagged(tag)))) == expected
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.filter(tag="kestre1").update(tag=first.tag.upper())


def test_refused_tag_reveals_neither_its_owner_nor_that_it_is_used() -> None:
    task = small_task()
    checked(receive(task, make_team(task.track, name="Rival")))
    run = checked(receive(task, make_team(task.track)))
    assert run.verdict
    (fault,) = run.verdict.content["faults"]
    words = " ".join(str(value) for value in fault.values()).lower()
    assert "cannot be used in this task" in words
    assert not [word for word in ("taken", "rival", "another team", "accepted", "exists") if word in words]


def test_check_run_counts_an_attempt_before_it_reads_the_file() -> None:
    task = small_task()
    run = receive(task, make_team(task.track))
    default_storage.delete(run.upload.path)
    with pytest.raises(FileNotFoundError):
        check_run(run_id=run.pk)
    run.refresh_from_db()
    assert (run.state, run.check_attempt_count) == (RunState.RECEIVED, 1)


def test_verdict_of_a_million_topics_is_small_and_no_list_of_runs_reads_it() -> None:
    task = small_task()
    content = gzip.compress(b"".join(b"x%d Q0 D1 1 1 kestrel\n" % n for n in range(100_000)), 1)
    run = checked(receive(task, make_team(task.track), content))
    assert run.verdict is not None
    assert len(json.dumps(run.verdict.content)) <= 64_000
    with CaptureQueriesContext(connection) as queries:
        assert list(Run.objects.filter(task=task)) == [run]
    assert "runverdict" not in queries[0]["sql"]
