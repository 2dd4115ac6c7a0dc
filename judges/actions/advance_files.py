"""Bring a shard's files of requests a step further: hand over, submit, look after, collect."""

from __future__ import annotations

import logging
from datetime import timedelta
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from django.db.models.functions import Now

from evaluation.core.log_context import bound
from judges.actions.close_file import close_file
from judges.actions.fail_calls import fail_calls
from judges.actions.halt_job import halt_job
from judges.actions.prepare_asks import Question, prepare_asks
from judges.actions.store_answers import store_answers
from judges.core.asking import Ask, EndpointBusy, EndpointDown, Fault, Reply
from judges.core.batches import ENDED, RemoteState
from judges.core.inputs import Gap
from judges.models import FileState, Job, JobState, RequestFile, Shard
from judges.registry import submitter

if TYPE_CHECKING:
    from judges.core.batches import RemoteBatch
    from judges.core.judge import Submitter

logger = logging.getLogger(__name__)

POLL = timedelta(minutes=1)
QUEUE_WAIT = timedelta(minutes=10)  # until a batch is tried again that found the endpoint's queue full
NO_ANSWERS = "A whole batch brought no answer, the last request failed as {fault}: {detail}"


def advance_files(*, shard_id: int) -> None:
    """Try the next steps of the shard's files that are due; a step that cannot be taken is tried again later.

    Each step is stored before the next one, and no transaction is open while the endpoint is asked. So a
    worker may die anywhere: a batch that it may have made is looked for before another is made.
    """
    shard = Shard.objects.select_related("job__judge", "job__pool__task").get(pk=shard_id)
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if not is_free:
            return
        shard.files.update(queued_at=None)
        for file in shard.files.due():
            _try(file, shard)


def _try(file: RequestFile, shard: Shard) -> None:
    """One file's steps, until the endpoint has to do the next one."""
    job = Job.objects.select_related("judge", "pool__task").get(pk=shard.job_id)
    file.shard = shard
    _put(file, poll_at=Now() + POLL)
    try:
        _Courier(file, job, submitter(job.judge.settings)).go()
    except EndpointBusy as error:
        _put(file, note=str(error))
        logger.warning("the endpoint is busy: %s", error)
    except EndpointDown as error:
        _put(file, note=str(error))
        halt_job(job=job, state=JobState.PAUSED, note=str(error))
        if job.state == JobState.CANCELLED:  # nobody will ask for these answers again
            close_file(file=file, fault=Fault.NO_ANSWER)


def _put(file: RequestFile, **columns: object) -> None:
    """Store columns of the file at once, and read them back."""
    RequestFile.objects.filter(pk=file.pk).update(**columns)
    file.refresh_from_db(fields=list(columns))


class _Courier:
    """Carries one file between us and its endpoint."""

    def __init__(self, file: RequestFile, job: Job, submitter: Submitter) -> None:
        self._file = file
        self._job = job
        self._submitter = submitter

    def go(self) -> None:
        """Take the step that the file's state asks for, and those behind it."""
        file = self._file
        if file.state == FileState.SUBMITTING:
            self._look()
        if self._job.state == JobState.CANCELLED and file.state in {FileState.WRITTEN, FileState.UPLOADED}:
            close_file(file=file, fault=Fault.NOT_ASKED)
            return
        if file.state == FileState.WRITTEN:
            self._hand_over()
        if file.state == FileState.UPLOADED:
            self._submit()
        elif file.state == FileState.SUBMITTED:
            self._fetch()

    def _hand_over(self) -> None:
        with TemporaryFile() as content:
            if not self._write(content):
                close_file(file=self._file, fault=Fault.NOT_ASKED)
                return
            content.seek(0)
            file_id = self._submitter.upload(content, self._file.name)
        _put(self._file, file_id=file_id, state=FileState.UPLOADED, note="")

    def _write(self, content: IO[bytes]) -> bool:
        """Write the lines; whether there is one. What has nothing to show any more ends here, for free."""
        entries = {entry.request_key: entry for entry in self._file.ledger.open()}
        calls = self._job.calls.waiting().filter(request_key__in=entries).order_by("topic", "docno")
        distinct = {call.request_key: call for call in calls}
        for each in prepare_asks(job=self._job, calls=list(distinct.values())):
            parts = each.parts() if isinstance(each, Question) else each[1]
            call = each.call if isinstance(each, Question) else each[0]
            if isinstance(parts, Gap):
                fail_calls(job=self._job, gaps=[(call, parts)])
            else:
                entry = entries.pop(call.request_key)
                content.write(self._submitter.line(Ask(str(entry), parts)))
        left = [Reply(str(entry), fault=Fault.NOT_ASKED) for entry in entries.values()]
        store_answers(file=self._file, replies=left)
        return bool(content.tell())

    def _submit(self) -> None:
        """Have the batch made. From here on it may exist, until the endpoint says that it does not."""
        file = self._file
        _put(file, state=FileState.SUBMITTING, submitted_at=Now(), poll_at=Now() + POLL)
        try:
            made = self._submitter.create(file.file_id, file.name)
        except EndpointDown:
            _put(file, state=FileState.UPLOADED)
            raise
        self._keep(made)

    def _look(self) -> None:
        """Whether the batch was made before somebody died, or an answer got lost."""
        found = self._submitter.find(self._file.file_id, self._file.name)
        if found:
            self._keep(found)
        else:
            _put(self._file, state=FileState.UPLOADED)

    def _keep(self, remote: RemoteBatch) -> None:
        _put(self._file, state=FileState.SUBMITTED, remote_id=remote.id, remote_state=remote.state, note="")

    def _fetch(self) -> None:
        file = self._file
        remote = self._submitter.fetch(file.remote_id)
        _put(file, answered_count=remote.ended_count, remote_state=remote.state, note=remote.problem)
        if remote.state in ENDED:
            self._collect(remote)
        elif self._job.state == JobState.CANCELLED and remote.state is not RemoteState.CANCELLING:
            self._submitter.cancel(remote.id)

    def _collect(self, remote: RemoteBatch) -> None:
        file = self._file
        if remote.is_queue_full:
            _put(file, state=FileState.UPLOADED, remote_id="", poll_at=Now() + QUEUE_WAIT)
            return
        if remote.state is RemoteState.FAILED:
            close_file(file=file, fault=Fault.NOT_ASKED)
            note = f"The endpoint refused a file of requests: {remote.problem}"
            halt_job(job=self._job, state=JobState.PAUSED, note=note)
            return
        ids = [str(entry) for entry in file.ledger.open()]
        replies = self._submitter.answers(remote, ids)
        store_answers(file=file, replies=replies)
        self._stop_without_answers(replies)
        close_file(file=file, fault=Fault.NO_ANSWER)

    def _stop_without_answers(self, replies: list[Reply]) -> None:
        """Pause the job where all of a batch failed: the next one would, too."""
        if replies and not any(reply.reading for reply in replies):
            last = replies[-1]
            note = NO_ANSWERS.format(fault=last.fault, detail=last.detail)
            halt_job(job=self._job, state=JobState.PAUSED, note=note)
