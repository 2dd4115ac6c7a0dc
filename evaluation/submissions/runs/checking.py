"""Check uploads in turn, shared evenly between tracks and people; retry checks without a verdict."""

import logging
from contextlib import AbstractContextManager
from datetime import timedelta

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, TextField, Value, When
from django.db.models.functions import Now

from evaluation.platform.access.people import User, organizes
from evaluation.submissions.runs.models import CHECK_ATTEMPTS, Run, RunQuerySet, RunState
from evaluation.submissions.runs.reading import Answers, read_run
from evaluation.submissions.runs.receiving import may_submit
from evaluation.submissions.runs.verdicts import RunVerdict
from evaluation.submissions.teams.membership import mail_team
from evaluation.tracks.mail.actions import site_link
from evaluation.tracks.work.models import UNTAKEN_AFTER
from evaluation.tracks.work.queueing import LOCK_KEYS, enqueue, held_keys, hold_lock, served_longest_ago
from evaluation.tracks.work.sandbox import LimitReached, SandboxCrashed
from trackside.checks import Fault, FaultCode, FileSummary, Verdict
from trackside.errors import InputError
from trackside.log_context import bound

log = logging.getLogger(__name__)

LOCK_SPACE = 0x6368636B  # "chck" in ASCII: advisory locks on people whose upload is being checked


def waiting_runs() -> RunQuerySet:
    """Return the uploads without a verdict that are the earliest of their team in the task."""
    earlier = Run.objects.filter(
        task=OuterRef("task"), team=OuterRef("team"), state=RunState.RECEIVED, pk__lt=OuterRef("pk")
    )
    return Run.objects.filter(~Exists(earlier), state=RunState.RECEIVED)


def due_runs() -> RunQuerySet:
    """Return the waiting uploads that have attempts left."""
    return waiting_runs().filter(check_attempt_count__lt=CHECK_ATTEMPTS)


def are_untaken() -> bool:
    """Whether uploads were due for UNTAKEN_AFTER in which no check began, and none is under check."""
    since = Now() - UNTAKEN_AFTER
    has_begun = bool(held_keys(LOCK_SPACE)) or Run.objects.filter(check_started_at__gte=since).exists()
    return not has_begun and due_runs().filter(received_at__lt=since).exists()


def next_to_check() -> Run | None:
    """Return the next upload: of the track, and in it of the person, whose last check began longest ago.

    People with an upload under check wait, so nobody's uploads occupy all workers.
    """
    held = held_keys(LOCK_SPACE)
    people = set(due_runs().order_by().values_list("received_by", flat=True))
    waiting = due_runs().filter(received_by__in=[pk for pk in people if pk % LOCK_KEYS not in held])
    for by in ("task__track", "received_by"):
        waiting = waiting.filter(**{by: served_longest_ago(waiting, by=by, at="check_started_at")})
    return waiting.order_by("pk").first()


def hold_share(person: int) -> AbstractContextManager[bool]:
    """Lock the person's share of the workers while the body runs; yield whether it was free."""
    return hold_lock(LOCK_SPACE, person)


def check_next() -> Run | None:
    """Check the next upload and return its run; None if no upload may be checked, or as in ``check_run``.

    Messages that arrived during the check skipped the person's other uploads, so another message is sent.
    """
    run = next_to_check()
    if run is None:
        return None
    with bound(run=run.pk), hold_share(run.received_by_id) as is_free:
        checked = check_run(run_id=run.pk) if is_free else None
    others = due_runs().filter(received_by=run.received_by_id).exclude(task=run.task_id, team=run.team_id)
    if is_free and (other := others.first()):
        enqueue("evaluation.check_run", other.pk)
    return checked


def check_run(*, run_id: int) -> Run | None:
    """Check an upload and store its verdict; an accepted run replaces the team's earlier run of the same tag.

    A team's uploads are checked in order of arrival, so that the last one counts. A sandbox reads the file;
    a file that needs more memory or processor time than its size allows is rejected. Return None if there is
    nothing to do: the run is checked or parked, another worker checks it, or an earlier upload of the team
    waits. Also return None, and store the error, if this attempt ends without a verdict.
    """
    if not _count_attempt(run_id):
        return None
    try:
        return _check(run_id)
    except (LimitReached, SandboxCrashed) as error:
        log.warning("The check of run %d ended without a verdict: %s", run_id, error)
        Run.objects.filter(pk=run_id, state=RunState.RECEIVED).update(check_error=str(error))
        park_runs(Run.objects.filter(pk=run_id))
        return None


@transaction.atomic
def _count_attempt(run_id: int) -> bool:
    """Count the attempt in its own transaction, so that an attempt that kills the worker is counted, too."""
    run = _claim(run_id)
    if run is None or run.check_attempt_count >= CHECK_ATTEMPTS:
        return False
    run.check_attempt_count += 1
    run.check_started_at = Now()
    run.save(update_fields=["check_attempt_count", "check_started_at"])
    return True


@transaction.atomic
def _check(run_id: int) -> Run | None:
    run = _claim(run_id)
    if run is None:
        return None
    _store(run, _read(run))
    mail_verdict(run=run)
    waiting = Run.objects.filter(task=run.task, team=run.team, state=RunState.RECEIVED).order_by("pk").first()
    if waiting:
        enqueue("evaluation.check_run", waiting.pk)
    return run


def _read(run: Run) -> Verdict:
    """Return the verdict on the file. Raises LimitReached, SandboxCrashed."""
    try:
        with run.upload.open() as file, transaction.atomic():
            return read_run(run, file)
    except LimitReached as error:
        if error.limit == "silence":  # not the file's fault, so retry
            raise
        return Verdict((Fault(FaultCode.TOO_LARGE, 1, note=str(error)),), (), FileSummary())


def _claim(run_id: int) -> Run | None:
    return (
        waiting_runs()
        .select_for_update(skip_locked=True, of=("self",))
        .select_related("task__collection", "task__track", "team", "upload")
        .filter(pk=run_id)
        .first()
    )


def _store(run: Run, verdict: Verdict) -> None:
    run.verdict = RunVerdict.objects.create(content=verdict.to_json())
    run.checked_at = Now()
    run.check_error = ""
    run.state = RunState.REJECTED
    if verdict.is_accepted:
        _count(run, verdict.summary.tag, is_asked=verdict.is_asked)
    run.save(update_fields=["verdict", "checked_at", "check_error", "state", "tag", "tag_folded", "replaces"])
    run.refresh_from_db(fields=["checked_at"])


def _count(run: Run, tag: str, *, is_asked: bool = False) -> None:
    """Let the run count under the tag, in place of an earlier one; if it is to be asked about, wait."""
    run.state = RunState.ASKED
    if not is_asked:
        run.state, run.tag = RunState.ACCEPTED, tag
        run.replaces = _replaced(run)


@transaction.atomic
def confirm_order(*, run: Run, by: User) -> Run:
    """Let a run count whose order was asked about: its team says that it is as meant.

    Raises not-of-team, run-not-asked, run-overtaken, run-cannot-count.
    """
    locked = Run.objects.select_for_update(of=("self",)).select_related("team", "task__track", "verdict")
    run = locked.get(pk=run.pk)
    if not may_submit(by, run.team, run.task):
        raise InputError(
            f"{run} is a run of {run.team}. Its members can confirm it.", code="not-of-team", status=403
        )
    if run.state != RunState.ASKED or run.verdict is None:
        raise InputError(
            f"{run} is {run.get_state_display()}. Only a run that waits for its team is confirmed.",
            code="run-not-asked",
            status=409,
        )
    tag, answers = run.verdict.content["summary"]["tag"], Answers(run)
    if Run.objects.accepted().filter(task=run.task, team=run.team, tag=tag, pk__gt=run.pk).exists():
        raise InputError(
            f"A later upload of {tag} counts. Withdraw that one first, or leave it so.",
            code="run-overtaken",
            status=409,
        )
    if answers.is_tag_unavailable(tag) or not answers.has_run_left(tag):
        raise InputError(
            f"{tag} cannot count: another team has the tag by now, or yours has no run left. Upload the file "
            "under another tag, or withdraw a run.",
            code="run-cannot-count",
            status=409,
        )
    _count(run, tag)
    run.save(update_fields=["state", "tag", "tag_folded", "replaces"])
    mail_verdict(run=run)
    return run


def _replaced(run: Run) -> Run | None:
    # The lock waits for a concurrent withdrawal: a withdrawn run is not replaced.
    accepted = Run.objects.select_for_update(no_key=True).accepted()
    old = accepted.filter(task=run.task, team=run.team, tag=run.tag).first()
    if old:
        old.state = RunState.REPLACED
        old.save(update_fields=["state"])
    return old


def mail_verdict(*, run: Run) -> None:
    """Mail each member of the team that the run is rejected, asked about, accepted, or replaces another."""
    mails = {RunState.REJECTED: "run_rejected", RunState.ASKED: "run_asked"}
    what = mails.get(RunState(run.state), "run_accepted")
    if run.replaces:
        what = "run_replaced"
    context = {"run": run, "link": site_link("run_detail", run.task.track.slug, run.task.slug, run.pk)}
    mail_team(run.team, what, context)


WORKER_DIED = "The process that checked the run was killed; the machine may be out of memory."


def park_runs(runs: RunQuerySet) -> int:
    """Park runs without a verdict after CHECK_ATTEMPTS, with the reason; return their number.

    A parked run is not queued again, and does not block its team's later uploads.
    """
    reason = Case(
        When(check_error="", then=Value(WORKER_DIED)), default=F("check_error"), output_field=TextField()
    )
    return runs.filter(state=RunState.RECEIVED, check_attempt_count__gte=CHECK_ATTEMPTS).update(
        state=RunState.PARKED, check_error=reason
    )


@transaction.atomic
def recheck_run(*, run: Run, by: User) -> Run:
    """Queue the check of a parked run and reset its attempts. Raises not-organizer, run-not-parked."""
    run = Run.objects.select_for_update(of=("self",)).select_related("team", "task__track").get(pk=run.pk)
    if not organizes(by, run.task.track_id):
        raise InputError(
            f"{run} is parked. Ask an organizer of {run.task} to have it checked again.", code="not-organizer"
        )
    if run.state != RunState.PARKED:
        raise InputError(
            f"{run} is {run.get_state_display()}. Only a parked run can be checked again.",
            code="run-not-parked",
        )
    run.state, run.check_attempt_count, run.check_error = RunState.RECEIVED, 0, ""
    run.save(update_fields=["state", "check_attempt_count", "check_error"])
    enqueue("evaluation.check_run", run.pk)
    return run


PATIENCE = timedelta(seconds=30)


@transaction.atomic
def sweep_runs() -> int:
    """Queue the check of every upload that has waited for 30 seconds, and return their number.

    Uploads that a worker has locked are skipped. A check that is queued twice runs once. Runs with
    CHECK_ATTEMPTS failed attempts are parked instead.
    """
    waiting = (
        Run.objects.select_for_update(skip_locked=True)
        .filter(state=RunState.RECEIVED, received_at__lt=Now() - PATIENCE)
        .values_list("pk", flat=True)
    )
    locked = list(waiting)
    park_runs(Run.objects.filter(pk__in=locked))
    run_ids = list(Run.objects.filter(pk__in=locked, state=RunState.RECEIVED).values_list("pk", flat=True))
    for run_id in run_ids:
        enqueue("evaluation.check_run", run_id)
    return len(run_ids)
