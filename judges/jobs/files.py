"""Write files of requests, and process them by an endpoint's batch API."""

import logging
import uuid
from collections.abc import Sequence
from datetime import timedelta
from tempfile import TemporaryFile
from typing import IO

from django.db import transaction
from django.db.models.functions import Now

from evaluation.collections.blobs import Blob
from evaluation.tracks.work.queueing import enqueue
from judges.jobs.budgets import Room, reserve_money, settle_shard
from judges.jobs.controls import halt_without_money
from judges.jobs.models import Job
from judges.jobs.money import Budget, LedgerEntry
from judges.jobs.questions import Question, fail_calls, find_questions, prepare_asks
from judges.jobs.responses import store_answers
from judges.jobs.scheduling import claim_shard, halt_job, halt_refused
from judges.jobs.shards import HERE, FileState, JobState, RequestFile, Shard
from trackside.backends.registry import submitter
from trackside.judging.asking import Ask, EndpointBusy, EndpointDown, EndpointError, Response
from trackside.judging.endpoints.batches import (
    ENDED,
    MOST_BYTES,
    RemoteBatch,
    RemoteState,
    line_size,
    split,
)
from trackside.judging.inputs import Gap
from trackside.judging.judge import Submitter
from trackside.log_context import bound

TRIAL = 100  # requests in the first file of a model


def write_files(*, shard: Shard) -> None:
    """Plan files for the remaining requests of a locked shard, and queue their upload.

    Does nothing while files of the shard are open: they have its requests. Reserves the money for all
    requests first; if a budget has no room, the shard stays unclaimed. Under a cap the first file of a model
    has only TRIAL requests, to check whether the price table bounds its answers.
    """
    if shard.files.open().exists():
        return
    settle_shard(shard=shard)
    questions = find_questions(shard=shard)
    if _is_trial(shard.job):
        questions = questions[:TRIAL]
    room = reserve_money(shard=shard, micros=sum(question.bound for question in questions))
    if room is not Room.RESERVED:
        if room is Room.NEVER:
            halt_without_money(shard=shard)
        return
    if not claim_shard(shard=shard):
        settle_shard(shard=shard)
        return
    _write(shard, questions)


def _is_trial(job: Job) -> bool:
    """Return whether a budget has a cap and no answer of the model has a known cost."""
    entries = LedgerEntry.objects.filter(job__judge__model=job.judge.model, input_tokens__isnull=False)
    has_cap = Budget.objects.over(job).filter(cap_micros__isnull=False).exists()
    return has_cap and not entries.exists()


@transaction.atomic
def _write(shard: Shard, questions: Sequence[Question]) -> None:
    row = Shard.objects.filter(pk=shard.pk)
    if not questions:
        row.update(done_at=Now(), encoded_count=shard.input_count)
        return
    row.update(encoded_count=shard.input_count - len(questions))
    settings = shard.job.judge.settings
    blobs = Blob.objects.in_bulk({blob for question in questions for blob in question.blobs})
    sizes = [line_size(item.texts, [blobs[blob].size for blob in item.blobs], settings) for item in questions]
    for indexes in split(sizes):
        file = RequestFile.objects.create(shard=shard, request_count=len(indexes), queued_at=Now())
        LedgerEntry.objects.bulk_create(
            LedgerEntry(
                id=uuid.uuid4(),
                job_id=shard.job_id,
                shard=shard,
                file=file,
                request_key=questions[index].call.request_key,
                bound_micros=questions[index].bound,
            )
            for index in indexes
        )
    enqueue("judges.run_files", shard.pk)


@transaction.atomic
def close_file(*, file: RequestFile, fault: EndpointError) -> None:
    """End the file; its requests without a stored response end with the fault.

    The shard's last file settles its money. Pairs that get another try go into new files.
    """
    responses = [Response(str(entry), fault=fault, detail=file.note) for entry in file.ledger.open()]
    store_answers(file=file, responses=responses)
    RequestFile.objects.filter(pk=file.pk).update(state=FileState.ENDED, ended_at=Now())
    file.refresh_from_db(fields=["state", "ended_at"])
    if not file.shard.files.open().exists():
        _close(file.shard)


def _close(shard: Shard) -> None:
    settle_shard(shard=shard)
    row = Shard.objects.filter(pk=shard.pk)
    if shard.job.calls.waiting().filter(pk__in=[pk for pk, _ in shard.inputs]).exists():
        row.update(claimed_at=None, queued_at=Now())
        enqueue("judges.run_shard", shard.pk)
        return
    row.update(done_at=Now(), encoded_count=shard.input_count)
    if not shard.job.shards.open().exists():
        enqueue("judges.finish_job", shard.job_id)


logger = logging.getLogger(__name__)

POLL = timedelta(minutes=1)
QUEUE_WAIT = timedelta(minutes=10)  # until a batch is retried after the endpoint's queue was full
NO_ANSWERS = "A whole batch had no answer; the last request failed as {fault}: {detail}"


def advance_files(*, shard_id: int) -> None:
    """Try the next steps of the shard's due files; a step that fails is retried later.

    Each step is stored before the next one, and no transaction is open during requests to the endpoint. A
    worker may die anywhere: the next one searches for a batch before it creates another.
    """
    shard = Shard.objects.select_related("job__judge", "job__pool__task").get(pk=shard_id)
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if not is_free:
            return
        shard.files.update(queued_at=None)
        for file in shard.files.due():
            _advance(file, shard)


def _advance(file: RequestFile, shard: Shard) -> None:
    """Run the file's steps until it must wait for the endpoint."""
    job = Job.objects.select_related("judge", "pool__task").get(pk=shard.job_id)
    file.shard = shard
    _update(file, poll_at=Now() + POLL)
    try:
        _FileAdvancer(file, job, submitter(job.judge.settings)).advance()
    except EndpointBusy as error:
        _update(file, note=str(error))
        logger.warning("the endpoint is busy: %s", error)
    except EndpointDown as error:
        _update(file, note=str(error))
        halt_job(job=job, state=JobState.PAUSED, note=str(error))
        if job.state == JobState.CANCELLED:  # nobody will fetch these answers later
            close_file(file=file, fault=EndpointError.NO_ANSWER)


def _update(file: RequestFile, **columns: object) -> None:
    """Update columns of the file and reload them."""
    RequestFile.objects.filter(pk=file.pk).update(**columns)
    file.refresh_from_db(fields=list(columns))


class _FileAdvancer:
    """The state machine of one file at its endpoint."""

    def __init__(self, file: RequestFile, job: Job, submitter: Submitter) -> None:
        self._file = file
        self._job = job
        self._submitter = submitter

    def advance(self) -> None:
        """Run the step of the file's state, and the following ones."""
        file = self._file
        if file.state == FileState.SUBMITTING:
            self._recover()
        if file.state in HERE:
            if self._job.state == JobState.CANCELLED:
                close_file(file=file, fault=EndpointError.NOT_ASKED)
                return
            if not self._job.is_active or halt_refused(job=self._job):
                return
        if file.state == FileState.WRITTEN:
            self._upload()
        if file.state == FileState.UPLOADED:
            self._submit()
        elif file.state == FileState.SUBMITTED:
            self._fetch()

    def _upload(self) -> None:
        with TemporaryFile() as content:
            if not self._write(content):
                close_file(file=self._file, fault=EndpointError.NOT_ASKED)
                return
            content.seek(0)
            file_id = self._submitter.upload(content, self._file.name)
        _update(self._file, file_id=file_id, state=FileState.UPLOADED, note="")

    def _write(self, content: IO[bytes]) -> bool:
        """Write the lines; return whether there is one. Calls without inputs fail without a request."""
        entries = {entry.request_key: entry for entry in self._file.ledger.open()}
        calls = self._job.calls.waiting().filter(request_key__in=entries).order_by("topic", "docno")
        distinct = {call.request_key: call for call in calls}
        for prepared in prepare_asks(job=self._job, calls=list(distinct.values())):
            parts = prepared.parts() if isinstance(prepared, Question) else prepared[1]
            call = prepared.call if isinstance(prepared, Question) else prepared[0]
            if isinstance(parts, Gap):
                fail_calls(job=self._job, gaps=[(call, parts)])
            else:
                line = self._submitter.line(Ask(str(entries[call.request_key]), parts))
                if content.tell() and content.tell() + len(line) > MOST_BYTES:
                    break  # images were larger in the judge's size: the rest goes into another file
                content.write(line)
                del entries[call.request_key]
        responses = [Response(str(entry), fault=EndpointError.NOT_ASKED) for entry in entries.values()]
        store_answers(file=self._file, responses=responses)
        return bool(content.tell())

    def _submit(self) -> None:
        """Create the batch. If the response is lost, the batch may exist: ``_recover`` looks for it."""
        file = self._file
        _update(file, state=FileState.SUBMITTING, submitted_at=Now(), poll_at=Now() + POLL)
        try:
            remote = self._submitter.create(file.file_id, file.name)
        except EndpointDown:
            _update(file, state=FileState.UPLOADED)
            raise
        self._mark_submitted(remote)

    def _recover(self) -> None:
        """Find a batch that was created before the worker died or the response was lost."""
        remote = self._submitter.find(self._file.file_id, self._file.name)
        if remote:
            self._mark_submitted(remote)
        else:
            _update(self._file, state=FileState.UPLOADED)

    def _mark_submitted(self, remote: RemoteBatch) -> None:
        _update(
            self._file, state=FileState.SUBMITTED, remote_id=remote.id, remote_state=remote.state, note=""
        )

    def _fetch(self) -> None:
        file = self._file
        remote = self._submitter.fetch(file.remote_id)
        _update(file, answered_count=remote.ended_count, remote_state=remote.state, note=remote.problem)
        if remote.state in ENDED:
            self._collect(remote)
        elif self._job.state == JobState.CANCELLED and remote.state is not RemoteState.CANCELLING:
            self._submitter.cancel(remote.id)

    def _collect(self, remote: RemoteBatch) -> None:
        file = self._file
        if remote.is_queue_full:
            _update(file, state=FileState.UPLOADED, remote_id="", poll_at=Now() + QUEUE_WAIT)
            return
        if remote.state is RemoteState.FAILED:
            close_file(file=file, fault=EndpointError.NOT_ASKED)
            note = f"The endpoint refused a file of requests: {remote.problem}"
            halt_job(job=self._job, state=JobState.PAUSED, note=note)
            return
        ids = [str(entry) for entry in file.ledger.open()]
        responses = self._submitter.answers(remote, ids)
        store_answers(file=file, responses=responses)
        if responses and not any(response.reading for response in responses):  # the next one would fail, too
            note = NO_ANSWERS.format(fault=responses[-1].fault, detail=responses[-1].detail)
            halt_job(job=self._job, state=JobState.PAUSED, note=note)
        close_file(file=file, fault=EndpointError.NO_ANSWER)
