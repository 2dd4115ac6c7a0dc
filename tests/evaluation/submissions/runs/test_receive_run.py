"""Receiving a run: bytes stored unchanged, in time by the database clock, completely or not at all."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from evaluation.models import (
    Blob,
    Membership,
    Phase,
    Role,
    Run,
    RunState,
    RunType,
    SubmissionQuestion,
    Task,
    Team,
    User,
)
from evaluation.submissions.runs.receiving import receive_run
from evaluation.tracks.work.queueing import KeyUsedTwice
from tests.factories import (
    make_organizer,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
    make_verdict,
)
from tests.refusals import refused
from trackside.checks import Fault, FaultCode
from trackside.checks.verdict import FileSummary, Verdict
from trackside.text.time_zones import AOE

pytestmark = pytest.mark.django_db

CONTENT = b"\xef\xbb\xbfT1 Q0 D1 1 0.5 kestrel\r\n"
EMPTY = Verdict((Fault(FaultCode.EMPTY_FILE, 1),), (), FileSummary(tag=""))


def _receive(task: Task, team: Team, by: User, content: bytes = CONTENT, name: str = "kestrel.run") -> Run:
    return receive_run(task=task, team=team, file=ContentFile(content, name), description="Dense.", by=by)


def test_receive_run_stores_the_bytes_unchanged() -> None:
    task = make_task()
    team = make_team(task.track)
    run = _receive(task, team, make_team_member(team))
    run.refresh_from_db()
    assert (run.state, run.file_name, run.description) == (RunState.RECEIVED, "kestrel.run", "Dense.")
    assert (run.type, run.backbone, run.suggested_family, run.replies) == ("", "", "", {})
    assert run.upload.read() == CONTENT
    assert run.upload.size == len(CONTENT)
    now = timezone.now()
    endless = make_task(
        task.track, opens_at=now - timedelta(days=1), closes_at=None, judging_at=None, releases_at=None
    )
    for name, kept in (("runs/of/mine.run", "mine.run"), (f"{'a' * 10}{'b' * 251}.run", f"{'b' * 251}.run")):
        assert _receive(endless, team, make_team_member(team), name=name).file_name == kept


def test_receive_run_queues_the_check_after_the_commit(
    sent: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    task = make_task()
    team = make_team(task.track)
    with django_capture_on_commit_callbacks(execute=True):
        run = _receive(task, team, make_team_member(team))
        assert sent == []
    assert sent == [("evaluation.check_run", (run.pk,))]


@pytest.mark.parametrize("phase", [Phase.DRAFT, Phase.CLOSED, Phase.JUDGING, Phase.RELEASED])
def test_receive_run_is_refused_outside_the_open_phase_without_reading_a_byte(
    monkeypatch: pytest.MonkeyPatch, phase: Phase
) -> None:
    def store(*, file: ContentFile[bytes]) -> Blob:
        raise AssertionError("stored")

    monkeypatch.setattr("evaluation.submissions.runs.receiving.store_blob", store)
    task = make_task(phase=phase)
    team = make_team(task.track)
    with refused("task-not-open", match="closes on"):
        _receive(task, team, make_team_member(team), b"never stored")
    assert not Run.objects.exists()


def test_receive_run_counts_the_moment_of_the_last_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """An upload that begins before the close and is stored after it is late."""
    task = make_task()
    team = make_team(task.track)
    member = make_team_member(team)

    def store_slowly(*, file: ContentFile[bytes]) -> Blob:
        type(task).objects.filter(pk=task.pk).update(closes_at=timezone.now() - timedelta(seconds=1))
        return Blob.objects.create(sha256="0" * 64, size=file.size)

    monkeypatch.setattr("evaluation.submissions.runs.receiving.store_blob", store_slowly)
    with refused("task-not-open"):
        _receive(task, team, member)
    assert not Run.objects.exists()


def test_receive_run_is_for_the_team_s_own_people() -> None:
    task = make_task()
    team, other = make_team(task.track), make_team(task.track)
    with refused("not-of-team"):
        _receive(task, team, make_team_member(other))
    with refused("not-of-team"):
        _receive(task, team, make_organizer(task.track))
    with refused("not-of-team"):
        _receive(make_task(), team, make_team_member(team))


def test_receive_run_lets_organizers_submit_baselines_of_their_track_only() -> None:
    task = make_task()
    baseline = make_team(task.track, is_baseline=True)
    assert _receive(task, baseline, make_organizer(task.track)).pk
    for other in (make_user(), make_team_member(make_team(task.track))):
        with refused("not-of-team"):
            _receive(task, baseline, other)
    elsewhere = make_team(make_track(), is_baseline=True)
    with refused("not-of-team"):
        _receive(task, elsewhere, make_organizer(elsewhere.track))
    with refused("not-of-team"):
        _receive(task, elsewhere, make_organizer(task.track))


def test_receive_run_refuses_a_file_over_the_limit(settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 10
    task = make_task()
    team = make_team(task.track)
    with refused("upload-too-large", match="10 are allowed"):
        _receive(task, team, make_team_member(team))
    assert _receive(task, team, make_team_member(team), b"T1 Q0 D1 1").upload.size == 10


def test_receive_run_accepts_a_run_in_the_grace_period_and_marks_it_as_late(caplog: Any) -> None:
    now = timezone.now()
    task = make_task(
        opens_at=now - timedelta(days=1),
        closes_at=now - timedelta(minutes=1),
        judging_at=None,
        releases_at=None,
        grace=timedelta(hours=1),
    )
    team = make_team(task.track)
    run = _receive(task, team, make_team_member(team))
    run.refresh_from_db()
    assert run.is_late
    assert f"Run {run.pk} of task {task.pk} arrived after the close: late, in the grace period" in caplog.text


def test_receive_run_counts_the_earlier_receipt_of_the_same_bytes_in_the_grace_period() -> None:
    task = make_task(judging_at=None, releases_at=None, grace=timedelta(hours=1))
    team, rival = make_team(task.track), make_team(task.track)
    member = make_team_member(team)
    _receive(task, team, member)
    Run.objects.filter(pk=_receive(task, team, member, b"rejected").pk).update(
        state=RunState.REJECTED, checked_at=timezone.now(), verdict=make_verdict(EMPTY)
    )
    type(task).objects.filter(pk=task.pk).update(closes_at=timezone.now() - timedelta(minutes=1))
    assert not _receive(task, team, member).is_late
    assert not _receive(task, team, member).is_late
    assert _receive(task, team, member, CONTENT + CONTENT).is_late
    assert _receive(task, team, member, b"rejected").is_late
    assert _receive(task, team, member, b"rejected").is_late, "its own late receipt is none in time"
    assert _receive(task, rival, make_team_member(rival)).is_late
    other = make_task(track=task.track)
    _receive(other, team, member, b"of another task")
    assert _receive(task, team, member, b"of another task").is_late


def test_receive_run_names_dates_in_the_task_s_zone() -> None:
    opening = datetime(2100, 1, 1, 11, 59, tzinfo=UTC)
    task = make_task(opens_at=opening, closes_at=None, judging_at=None, releases_at=None, time_zone=AOE)
    team = make_team(task.track)
    with refused("task-not-open", match="opens on Thu 31 Dec 2099 23:59 AoE"):
        _receive(task, team, make_team_member(team))


def test_receive_run_stores_replies_and_requires_some_except_of_baselines() -> None:
    task = make_task()
    SubmissionQuestion.objects.create(task=task, name="data", text="Trained on?", is_required=True)
    team, baseline = make_team(task.track), make_team(task.track, is_baseline=True)
    with refused("reply-missing"):
        _receive(task, team, make_team_member(team))
    run = receive_run(
        task=task,
        team=team,
        file=ContentFile(CONTENT, "a.run"),
        description="",
        type=RunType.MANUAL,
        backbone="CLIP ViT-L/14",
        suggested_family="CLIP-based",
        replies={"data": "COCO"},
        by=make_team_member(team),
    )
    run.refresh_from_db()
    assert (run.type, run.backbone, run.suggested_family) == ("manual", "CLIP ViT-L/14", "CLIP-based")
    assert run.replies == {"data": "COCO"}
    assert _receive(task, baseline, make_organizer(task.track)).replies == {}


def test_receive_run_counts_what_a_person_stores_over_all_teams(settings: Any) -> None:
    settings.MAX_STORED_BYTES = 3 * len(CONTENT)
    task = make_task()
    first, second = make_team(task.track), make_team(task.track)
    person, colleague = make_team_member(first), make_team_member(first)
    Membership.objects.create(user=person, track=task.track, role=Role.TEAM_MEMBER, team=second)
    _receive(task, first, person)
    _receive(task, second, person)
    _receive(task, first, colleague)

    for team in (first, second):
        with refused("storage-full", match=f"store {3 * len(CONTENT):,} bytes"):
            _receive(task, team, person)
    _receive(task, first, colleague)  # whose teams store two files
    settings.MAX_STORED_BYTES = len(CONTENT) - 1
    baseline = make_team(task.track, is_baseline=True)
    _receive(task, baseline, make_organizer(task.track))


def test_receive_run_counts_what_a_person_stored_for_teams_that_they_left(settings: Any) -> None:
    task = make_task()
    left, team = make_team(task.track), make_team(task.track)
    person = make_team_member(left)
    _receive(task, left, person)
    person.memberships.all().delete()
    Membership.objects.create(user=person, track=task.track, role=Role.TEAM_MEMBER, team=team)
    person = type(person).objects.get(pk=person.pk)
    settings.MAX_STORED_BYTES = len(CONTENT)
    with refused("storage-full"):
        _receive(task, team, person)


def test_receive_run_takes_a_key_for_one_task_only() -> None:
    task = make_task()
    team = make_team(task.track)
    member, key = make_team_member(team), uuid4()
    given: dict[str, Any] = {"team": team, "description": "", "by": member, "client_uuid": key}
    first = receive_run(task=task, file=ContentFile(CONTENT, "a.run"), **given)
    assert receive_run(task=task, file=ContentFile(CONTENT, "a.run"), **given) == first
    with pytest.raises(KeyUsedTwice):
        receive_run(task=make_task(track=task.track), file=ContentFile(CONTENT, "a.run"), **given)
    with pytest.raises(KeyUsedTwice):
        receive_run(task=task, file=ContentFile(CONTENT + CONTENT, "a.run"), **given)
    with pytest.raises(KeyUsedTwice):  # as many bytes, but others
        receive_run(task=task, file=ContentFile(CONTENT.replace(b"D1", b"D2"), "a.run"), **given)
    second = make_team(task.track)
    Membership.objects.create(user=member, track=task.track, role=Role.TEAM_MEMBER, team=second)
    with pytest.raises(KeyUsedTwice):
        receive_run(task=task, file=ContentFile(CONTENT, "a.run"), **given | {"team": second})
    rival = make_team_member(make_team(task.track))
    own = {"team": rival.memberships.get().team, "by": rival}
    assert receive_run(task=task, file=ContentFile(CONTENT, "a.run"), **given | own) != first
