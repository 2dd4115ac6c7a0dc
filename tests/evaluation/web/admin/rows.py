"""Rows of a track in the admin, all of whose texts hold one word."""

from django.utils import timezone

from evaluation.models import (
    Announcement,
    Application,
    EntryRules,
    Import,
    ImportKind,
    Invitation,
    LateException,
    MeasureValue,
    Operation,
    OperationOutcome,
    Packing,
    Phase,
    Picture,
    Report,
    ReportProgress,
    Role,
    Run,
    RunNote,
    Scoring,
    Signature,
    SubmissionQuestion,
    Task,
    TeamLimit,
    Track,
    User,
)
from evaluation.pools.operations import PREVIEW
from tests import factories


def make_rows(track: Track, word: str, phase: Phase) -> None:
    collection = factories.make_collection(track, name=f"{word} collection")
    task = factories.make_task(track, phase=phase, name=f"{word} task", collection=collection, topic_count=1)
    factories.make_document(collection, docno=f"{word}-docno", image=factories.make_image())
    team = factories.make_team(track, name=f"{word} team")
    member = factories.make_team_member(team, name=f"{word} member", email=f"{word}@example.org")
    run = factories.make_run(task, team, tag=f"{word}-tag", received_by=member)
    run.families.add(factories.make_family(task, name=f"{word} family"))
    inviter = factories.make_organizer(track, name=f"{word} organizer", email=f"{word}-organizer@example.org")
    Import.objects.create(
        task=task,
        kind=ImportKind.TOPICS,
        upload=factories.make_blob(word.encode()),
        file_name=f"{word}.csv",
        received_by=inviter,
    )
    SubmissionQuestion.objects.create(task=task, name="data", text=f"{word} question?")
    Announcement.objects.create(track=track, audience="teams", subject=f"{word} news", created_by=inviter)
    Picture.objects.create(task=task, name=f"{word} picture", image=factories.make_image())
    TeamLimit.objects.create(task=task, team=team, max_runs=3)
    RunNote.objects.create(run=run, text=f"{word} note", written_by=inviter)
    EntryRules.objects.create(track=track, agreement=f"{word} agreement")
    Application.objects.create(team=team, words=f"{word} words", applied_by=member)
    Signature.objects.create(team=team, agreement_sha256="0" * 64, signed_by=member)
    LateException.objects.create(
        task=task, team=team, closes_at=timezone.now(), reason=f"{word} reason", granted_by=inviter
    )
    _make_results(task, run, word, inviter)
    Invitation.objects.create(
        track=track,
        email=f"{word}-invited@example.org",
        role=Role.ASSESSOR,
        token_sha256=word,
        invited_by=inviter,
        expires_at=timezone.now(),
    )


def _make_results(task: Task, run: Run, word: str, by: User) -> None:
    pool = factories.make_pool(task, name=f"{word} pool", runs=[run], created_by=by)
    qrels = factories.make_qrels(task, name=f"{word} qrels", pool=pool, created_by=by)
    MeasureValue.objects.create(
        run=run, qrels=qrels, measure="AP", values=[0.5], mean=0.5, code_version=f"{word} code"
    )
    report = Report.objects.create(
        task=task, reference=qrels, inputs_sha256="0" * 64, facts={}, sections=[], code_version=word
    )
    ReportProgress.objects.create(task=task, choice_sha256=word, problem=f"{word} problem")
    Scoring.objects.update_or_create(task=task, defaults={"trouble": f"{word} trouble"})
    Packing.objects.create(task=task, report=report, trouble=f"{word} trouble")
    Operation.objects.create(
        task=task,
        kind=PREVIEW,
        about=f"{word} operation",
        requested_by=by,
        outcome=OperationOutcome.REFUSED,
        message=f"{word} message",
        ended_at=timezone.now(),
    )
