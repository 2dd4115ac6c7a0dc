"""Send the pairs of a job to a generator, shard by shard."""

import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack

from django.db import transaction
from django.db.models import Case, When
from django.db.models.functions import Now

from evaluation.tracks.work.queueing import enqueue
from judges.catalogue.actions import note_self_test
from judges.jobs.budgets import NO_MONEY, Room, reserve_money, settle_shard
from judges.jobs.claims import Claim, SentRequest
from judges.jobs.controls import control_shard, halt_without_money
from judges.jobs.models import Job
from judges.jobs.money import LedgerEntry
from judges.jobs.questions import Question, admit_requests, fail_calls, find_questions
from judges.jobs.responses import LoggedResponse, store_responses
from judges.jobs.scheduling import claim_shard, halt_job, must_yield
from judges.jobs.shards import JobState, Shard
from trackside.backends.registry import loaded_generator
from trackside.errors import InputError
from trackside.judging.asking import FREE, Ask, EndpointDown, EndpointError, Response
from trackside.judging.endpoints.breaker import Breaker
from trackside.judging.inputs import Gap
from trackside.judging.judge import Generator

WAVE = 16  # ledger entries per insert at least, which precedes sending the requests
STORE = 16  # responses per store
STORE_SECONDS = 1.0  # maximum time until a response is stored while others arrive
SILENT_SECONDS = 5.0  # without an answer while every slot of the endpoint is taken


def ask_pairs(*, shard: Shard, leave: Callable[[], None]) -> None:
    """Send the pairs of a locked shard, and then of the job's further free shards.

    The next shard is claimed before the last responses of the previous one arrive, so the endpoint is never
    idle. Ends when the job has no free shard, is halted, its budgets are full, or the time is up. Calls
    ``leave``, perhaps often, when an endpoint's job can send nothing now, and other jobs may run beside it.
    """
    with ExitStack() as locks:
        pipeline = _RequestPipeline(shard.job, locks, leave)
        is_open = pipeline.open(shard, ExitStack())  # the caller has locked it
        generator = pipeline.load() if is_open else None
        while is_open and generator:
            try:
                for responses in generator.responses(pipeline.take):
                    pipeline.receive(responses)
            except EndpointDown as error:
                pipeline.stop(str(error))
            pipeline.clear()
            is_open = pipeline.open_next()


class _RequestPipeline:
    """The shards, in-flight requests and unsaved responses of one worker."""

    def __init__(self, job: Job, locks: ExitStack, leave: Callable[[], None]) -> None:
        self._job = job
        self._locks = locks
        self._leave = leave
        self._claims: list[Claim] = []
        self._controls: list[int] = []  # shards
        self._ready: deque[Ask] = deque()
        self._sent: dict[str, SentRequest] = {}
        self._responses: list[Response] = []
        self._stored_at = self._started_at = time.monotonic()
        self._not_before = 0.0
        topics = job.judge.example_topics
        answered = job.calls.scored().of_pool().exclude(topic__in=topics)
        self._breaker = Breaker(topics, not topics or job.resumed_by_id is not None or answered.exists())
        self._is_alone = False
        self._is_stopped = False

    def load(self) -> Generator | None:
        """Return the judge's backend; if it cannot be loaded, pause the job and return None."""
        try:
            generator = loaded_generator(self._job.judge.settings)
        except InputError as error:
            self.stop(str(error))
            self.clear()
            return None
        note_self_test(judge=self._job.judge, model=generator)
        return generator

    # --- shards

    def open_next(self) -> bool:
        """Claim the job's next free shard; False if there is none, or if other work goes first."""
        if self._is_stopped or must_yield(self._job, time.monotonic() - self._started_at):
            return False
        free = Shard.objects.free().filter(job=self._job)
        # A large job has thousands, and each names its pairs. Controls first: they may pause the job.
        is_later = Case(When(pk__in=self._controls, then=0), default=1)
        for candidate in free.only("pk").order_by(is_later, "pk"):
            lock = self._locks.enter_context(ExitStack())
            if lock.enter_context(candidate.hold()):
                shard = free.select_related("job__judge", "job__pool__task").filter(pk=candidate.pk).first()
                if shard:
                    return self.open(shard, lock)
            lock.close()
        return False

    def open(self, shard: Shard, lock: ExitStack) -> bool:
        """Settle entries of a dead worker, reserve money and claim a locked shard.

        Unlock it and return False if it is done or a budget has no room.
        """
        lost_keys = frozenset(shard.ledger.open().values_list("request_key", flat=True))
        settle_shard(shard=shard)
        questions = find_questions(shard=shard)
        room = reserve_money(shard=shard, micros=sum(question.bound for question in questions))
        if room is not Room.RESERVED:
            if room is Room.NEVER:
                halt_without_money(shard=shard)
            lock.close()
            return False
        if not claim_shard(shard=shard):
            settle_shard(shard=shard)
            lock.close()
            return False
        shard.encoded_count = shard.input_count - len(questions)
        claim = Claim(shard, lock, suspects=lost_keys if shard.attempt_count > 1 else frozenset())
        claim.unsent.extend(sorted(questions, key=lambda item: item.call.request_key not in claim.suspects))
        self._claims.append(claim)
        return True

    def _close(self, claim: Claim) -> None:
        """Settle a shard without requests in flight; mark it as done, or requeue it."""
        settle_shard(shard=claim.shard)
        row = Shard.objects.filter(pk=claim.shard.pk)
        if claim.unsent or claim.is_short:
            row.update(claimed_at=None, queued_at=Now())
            if Job.objects.active().filter(pk=self._job.pk).exists():  # resumed after it was halted
                enqueue("judges.run_shard", claim.shard.pk)
        else:
            row.update(done_at=Now(), encoded_count=claim.shard.input_count)
            self._controls += control_shard(shard=claim.shard)
        self._claims.remove(claim)
        claim.lock.close()

    def clear(self) -> None:
        """Store and settle everything; call it with nothing in flight. Unsent requests cost nothing."""
        self._responses += [Response(ask.id, fault=EndpointError.NOT_ASKED) for ask in self._ready]
        self._ready.clear()
        self._store()
        for claim in list(self._claims):
            self._close(claim)

    def stop(self, note: str) -> None:
        """Pause the job, and send no further requests."""
        self._is_stopped = True
        halt_job(job=self._job, state=JobState.PAUSED, note=note)

    # --- requests

    def take(self, room: int) -> Sequence[Ask]:
        """Return at most ``room`` requests, each with its ledger entry stored.

        If the endpoint's rates allow none now, wait, unless something is in flight.
        """
        while len(self._ready) < room and self._prepare(room - len(self._ready)):
            pass
        is_silent = time.monotonic() > self._stored_at + SILENT_SECONDS
        if self._job.judge.endpoint and (is_silent if not room else not self._ready):
            self._leave()  # a model in this worker keeps the seat
        if self._wait() and len(self._responses) == len(self._sent):
            self._store()  # nothing is in flight: no further responses to batch these with
        while self._wait() and not self._sent and self._next_claim():
            time.sleep(min(self._wait(), STORE_SECONDS))
            self._prepare(room)
        return [self._ready.popleft() for _ in range(min(room, len(self._ready)))]

    def _prepare(self, room: int) -> bool:
        """Write the next requests to the ledger, about ``room``; False if none is ready now."""
        if self._is_stopped:
            return False
        claim = self._next_claim()
        if claim is None or self._goes_alone(claim) or self._is_alone:
            self._store()  # a fault among the responses may requeue its pair
            claim = self._next_claim()
        if claim is None:
            return not self._is_alone and self.open_next()
        if self._sent and (self._goes_alone(claim) or self._is_alone):
            return False
        if not Job.objects.active().filter(pk=self._job.pk).exists():
            self._is_stopped = True
            return False
        if self._wait():
            return False
        self._is_alone = self._goes_alone(claim)
        wave = 1 if self._is_alone else min(max(WAVE, room), len(claim.unsent))
        self._write([claim.unsent.popleft() for _ in range(wave)], claim)
        return True

    def _goes_alone(self, claim: Claim) -> bool:
        """Whether the next request may have crashed a worker, or is the first with all examples."""
        is_first = bool(claim.unsent) and self._breaker.is_first(claim.unsent[0].call.topic)
        return claim.has_suspect or is_first

    def _wait(self) -> float:
        """Seconds until the endpoint's rates allow another request; 0 once the job is stopped."""
        return 0.0 if self._is_stopped else max(0.0, self._not_before - time.monotonic())

    def _next_claim(self) -> Claim | None:
        """Return a claimed shard with unsent questions; first one with suspects, which are sent alone."""
        unsent = [claim for claim in self._claims if claim.unsent]
        return max(unsent, key=lambda claim: claim.has_suspect, default=None)

    def _write(self, wave: Sequence[Question], claim: Claim) -> None:
        prompts = [(question, question.parts()) for question in wave]
        gaps = ((question.call, parts) for question, parts in prompts if isinstance(parts, Gap))
        fail_calls(job=self._job, gaps=gaps)
        requests = [(question, parts) for question, parts in prompts if not isinstance(parts, Gap)]
        tokens = [question.tokens for question, _ in requests]
        with transaction.atomic():
            admitted = admit_requests(judge=self._job.judge, tokens=tokens)
            entries = LedgerEntry.objects.bulk_create(
                LedgerEntry(
                    id=uuid.uuid4(),
                    job_id=self._job.pk,
                    shard=claim.shard,
                    request_key=question.call.request_key,
                    bound_micros=question.bound,
                )
                for question, _ in requests[: admitted.count]
            )
        self._not_before = time.monotonic() + admitted.wait
        claim.unsent.extendleft(question for question, _ in reversed(requests[admitted.count :]))
        for entry, (question, parts) in zip(entries, requests, strict=False):  # the rest exceeds the rates
            self._sent[str(entry)] = SentRequest(claim, question, entry)
            self._ready.append(Ask(str(entry), parts, question.call.topic))
        claim.in_flight += len(entries)

    # --- responses

    def receive(self, responses: Sequence[Response]) -> None:
        """Buffer the responses, and store them when they are many or old enough."""
        self._responses += responses
        is_old = time.monotonic() > self._stored_at + STORE_SECONDS
        if len(self._responses) >= STORE or (is_old and self._responses):
            self._store()

    def _store(self) -> None:
        """Store the responses by shard; requeue pairs that get another try in their shard."""
        by_shard: dict[int, list[LoggedResponse]] = {}
        for response in self._responses:
            request = self._sent[response.id]
            cost = self._job.rates.charged(response, request.entry.bound_micros)
            request.question.call.attempt_count += 1
            logged = LoggedResponse(response, request.entry, request.question.call.attempt_count, cost)
            by_shard.setdefault(request.claim.shard.pk, []).append(logged)
            if response.fault is not EndpointError.NOT_ASKED:
                problem = self._breaker.count(response, request.question.call.topic)
                if problem and not self._is_stopped:
                    self.stop(problem)
        for answers in by_shard.values():
            claim = self._sent[answers[0].response.id].claim
            store_responses(shard=claim.shard, logged=answers, deaths=1 if claim.suspects else 0)
            for logged in answers:
                self._finish(self._sent.pop(logged.response.id), logged)
        self._responses = []
        self._is_alone = self._is_alone and bool(self._sent)
        self._stored_at = time.monotonic()
        for claim in [claim for claim in self._claims if not claim.unsent and not claim.in_flight]:
            self._close(claim)

    def _finish(self, request: SentRequest, logged: LoggedResponse) -> None:
        claim = request.claim
        claim.in_flight -= 1
        if logged.is_over:
            return
        is_paid = logged.response.fault not in FREE or logged.cost > 0
        room = reserve_money(shard=claim.shard, micros=request.question.bound) if is_paid else Room.RESERVED
        if room is Room.LATER:
            claim.is_short = True
            return
        claim.unsent.append(request.question)
        if room is Room.NEVER:
            self._is_stopped = True
            halt_job(job=self._job, state=JobState.STOPPED_BY_BUDGET, note=NO_MONEY)
