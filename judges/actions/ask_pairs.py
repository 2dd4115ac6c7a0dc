"""Ask a generator about the pairs of a job, shard by shard."""

from __future__ import annotations

import logging
import time
import uuid
from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.core.errors import InputError
from judges.actions.claim_shard import claim_shard
from judges.actions.fail_calls import fail_calls
from judges.actions.find_questions import find_questions
from judges.actions.halt_job import halt_job
from judges.actions.reserve_money import NO_MONEY, is_money_out, reserve_money
from judges.actions.settle_shard import settle_shard
from judges.actions.store_replies import Answered, store_replies
from judges.actions.take_turns import take_turns
from judges.core.asking import FREE, Ask, EndpointDown, Fault, Reply
from judges.core.breaker import Breaker
from judges.core.inputs import Gap
from judges.models import Job, JobState, LedgerEntry, Shard
from judges.registry import loaded_generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judges.actions.prepare_asks import Question
    from judges.core.judge import Generator

logger = logging.getLogger(__name__)

WAVE = 16  # requests whose ledger entries are written at once, before they are sent
STORE = 16  # replies that are stored at once
STORE_SECONDS = 1.0  # the longest that a reply waits to be stored while others come in
TASK_SECONDS = 600  # no further shard after that: the queue resends what takes an hour


def ask_pairs(*, shard: Shard) -> None:
    """Ask about the pairs of a shard that one holds, and then of the job's further free shards.

    A shard is taken up before the last answers of the one before have come, so the endpoint never runs idle
    between them. Ends when the job has no free shard, is halted, its budgets have no room, or time is up.
    """
    with ExitStack() as locks:
        desk = _Desk(shard.job, locks)
        is_open = desk.open(shard)
        generator = desk.load() if is_open else None
        while is_open and generator:
            try:
                for replies in generator.replies(desk.take):
                    desk.receive(replies)
            except EndpointDown as error:
                desk.stop(str(error))
            desk.clear()
            is_open = desk.open_next()


@dataclass
class _Part:
    """A shard at work: what is still to be asked of it, and how many requests are under way.

    Where the shard ended its last worker before anything was stored, ``suspects`` are the requests that were
    under way then. They go first, one at a time, so that the one that does it is known.
    """

    shard: Shard
    lock: ExitStack
    suspects: frozenset[str] = frozenset()
    left: deque[Question] = field(default_factory=deque)
    under_way: int = 0

    @property
    def wave(self) -> int:
        """How many requests leave at once."""
        return 1 if self.left and self.left[0].call.request_key in self.suspects else WAVE


@dataclass(frozen=True)
class _Sent:
    part: _Part
    question: Question
    entry: LedgerEntry


class _Desk:
    """The shards that one worker has at work, their requests and the replies not yet stored."""

    def __init__(self, job: Job, locks: ExitStack) -> None:
        self._job = job
        self._locks = locks
        self._parts: list[_Part] = []
        self._ready: deque[Ask] = deque()
        self._sent: dict[str, _Sent] = {}
        self._replies: list[Reply] = []
        self._stored_at = self._started_at = time.monotonic()
        self._not_before = 0.0
        self._breaker = Breaker()
        self._is_alone = False
        self._is_stopped = False

    def load(self) -> Generator | None:
        """The judge's backend; None, and the job paused with the reason, where it cannot be had."""
        try:
            return loaded_generator(self._job.judge.settings)
        except InputError as error:
            self.stop(str(error))
            self.clear()
            return None

    # --- shards

    def open(self, shard: Shard) -> bool:
        """Take up a shard whose lock somebody else keeps; False when it is done or no budget has the room."""
        return self._open(_Part(shard, ExitStack()))

    def open_next(self) -> bool:
        """Take up the job's next free shard; False when there is none, or the worker is wanted elsewhere."""
        if self._is_stopped or time.monotonic() > self._started_at + TASK_SECONDS:
            return False
        free = Shard.objects.open().filter(claimed_at__isnull=True)
        if free.filter(job__priority__gt=self._job.priority).exists():
            return False
        for shard in free.filter(job=self._job).select_related("job__judge", "job__pool__task"):
            lock = self._locks.enter_context(ExitStack())
            if lock.enter_context(shard.hold()):
                return self._open(_Part(shard, lock))
            lock.close()
        return False

    def _open(self, part: _Part) -> bool:
        """Settle what a dead worker left, reserve, claim; the shard goes back where a budget has no room."""
        shard = part.shard
        lost = frozenset(shard.ledger.open().values_list("request_key", flat=True))
        settle_shard(shard=shard)
        questions = find_questions(shard=shard)
        if not reserve_money(shard=shard, micros=sum(each.bound for each in questions)):
            part.lock.close()
            if not self._parts and is_money_out(self._job):
                halt_job(job=self._job, state=JobState.STOPPED_BY_BUDGET, note=NO_MONEY)
            return False
        if not claim_shard(shard=shard):
            settle_shard(shard=shard)
            part.lock.close()
            return False
        shard.encoded_count = shard.input_count - len(questions)
        if shard.attempt_count > 1:
            part.suspects = lost
        part.left.extend(sorted(questions, key=lambda each: each.call.request_key not in part.suspects))
        self._parts.append(part)
        return True

    def _close(self, part: _Part) -> None:
        """Settle a shard that nothing is under way of; it is done, or goes back to the others."""
        settle_shard(shard=part.shard)
        row = Shard.objects.filter(pk=part.shard.pk)
        if part.left:
            row.update(claimed_at=None, queued_at=Now())
            if Job.objects.active().filter(pk=self._job.pk).exists():  # resumed since it was halted
                enqueue("judges.run_shard", part.shard.pk)
        else:
            row.update(done_at=Now(), encoded_count=part.shard.input_count)
        self._parts.remove(part)
        part.lock.close()

    def clear(self) -> None:
        """Store and settle everything; nothing may be under way. What was never sent costs nothing."""
        self._replies += [Reply(ask.id, fault=Fault.NOT_ASKED) for ask in self._ready]
        self._ready.clear()
        self._store()
        for part in list(self._parts):
            self._close(part)

    def stop(self, note: str) -> None:
        """Pause the job, and give out nothing more."""
        self._is_stopped = True
        halt_job(job=self._job, state=JobState.PAUSED, note=note)

    # --- asks

    def take(self, room: int) -> Sequence[Ask]:
        """Up to so many asks, each on the ledger before it leaves.

        Where the endpoint's rates allow none now it waits, unless something is under way.
        """
        while len(self._ready) < room and self._prepare():
            pass
        if self._wait() and len(self._replies) == len(self._sent):
            self._store()  # nothing is under way: there is no more to come to store these with
        while self._wait() and not self._sent and self._next_part():
            time.sleep(min(self._wait(), STORE_SECONDS))
            self._prepare()
        return [self._ready.popleft() for _ in range(min(room, len(self._ready)))]

    def _prepare(self) -> bool:
        """Write the next wave onto the ledger; False when there is nothing to ask now."""
        if self._is_stopped:
            return False
        part = self._next_part()
        if part is None or part.wave == 1 or self._is_alone:
            self._store()  # a fault among the replies may put its pair back
            part = self._next_part()
        if part is None:
            return not self._is_alone and self.open_next()
        if self._sent and (part.wave == 1 or self._is_alone):
            return False
        if not Job.objects.active().filter(pk=self._job.pk).exists():
            self._is_stopped = True
            return False
        if self._wait():
            return False
        self._is_alone = part.wave == 1
        self._write([part.left.popleft() for _ in range(min(part.wave, len(part.left)))], part)
        return True

    def _wait(self) -> float:
        """Seconds until the endpoint's rates allow another request; none once the job is stopped."""
        return 0.0 if self._is_stopped else max(0.0, self._not_before - time.monotonic())

    def _next_part(self) -> _Part | None:
        """A part with something left to ask, one with a suspect first: that is asked about alone."""
        left = [each for each in self._parts if each.left]
        return min(left, key=lambda part: part.wave, default=None)

    def _write(self, wave: Sequence[Question], part: _Part) -> None:
        shown = [(question, question.parts()) for question in wave]
        fail_calls(
            job=self._job, gaps=((each.call, parts) for each, parts in shown if isinstance(parts, Gap))
        )
        asked = [(question, parts) for question, parts in shown if not isinstance(parts, Gap)]
        with transaction.atomic():
            turns = take_turns(judge=self._job.judge, tokens=[question.tokens for question, _ in asked])
            entries = LedgerEntry.objects.bulk_create(
                LedgerEntry(
                    id=uuid.uuid4(),
                    job_id=self._job.pk,
                    shard=part.shard,
                    request_key=question.call.request_key,
                    bound_micros=question.bound,
                )
                for question, _ in asked[: turns.count]
            )
        self._not_before = time.monotonic() + turns.wait
        part.left.extendleft(question for question, _ in reversed(asked[turns.count :]))
        for entry, (question, parts) in zip(entries, asked, strict=False):  # the rest has no turn yet
            self._sent[str(entry)] = _Sent(part, question, entry)
            self._ready.append(Ask(str(entry), parts, question.call.topic))
        part.under_way += len(entries)

    # --- replies

    def receive(self, replies: Sequence[Reply]) -> None:
        """Keep the replies, and store them once they are many or old enough."""
        self._replies += replies
        is_old = time.monotonic() > self._stored_at + STORE_SECONDS
        if len(self._replies) >= STORE or (is_old and self._replies):
            self._store()

    def _store(self) -> None:
        """Store the replies by shard; pairs that get another try go back into their shard."""
        by_shard: dict[int, list[Answered]] = {}
        for reply in self._replies:
            sent = self._sent[reply.id]
            charged = self._job.rates.charged(reply, sent.entry.bound_micros)
            sent.question.call.attempt_count += 1
            answered = Answered(reply, sent.entry, sent.question.call.attempt_count, charged)
            by_shard.setdefault(sent.part.shard.pk, []).append(answered)
            if reply.fault is not Fault.NOT_ASKED:
                problem = self._breaker.count(reply, sent.question.call.topic)
                if problem and not self._is_stopped:
                    self.stop(problem)
        for answers in by_shard.values():
            part = self._sent[answers[0].reply.id].part
            store_replies(shard=part.shard, answered=answers, deaths=1 if part.suspects else 0)
            for answered in answers:
                self._after(self._sent.pop(answered.reply.id), answered)
        self._replies = []
        self._is_alone = self._is_alone and bool(self._sent)
        self._stored_at = time.monotonic()
        for part in [each for each in self._parts if not each.left and not each.under_way]:
            self._close(part)

    def _after(self, sent: _Sent, answered: Answered) -> None:
        part = sent.part
        part.under_way -= 1
        if answered.is_over:
            return
        part.left.append(sent.question)
        is_paid = answered.reply.fault not in FREE
        if is_paid and not reserve_money(shard=part.shard, micros=sent.question.bound):
            self._is_stopped = True
            halt_job(job=self._job, state=JobState.STOPPED_BY_BUDGET, note=NO_MONEY)
