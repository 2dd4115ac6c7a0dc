"""Shards that a worker has claimed, and requests that it has sent."""

from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, field

from judges.jobs.money import LedgerEntry
from judges.jobs.questions import Question
from judges.jobs.shards import Shard


@dataclass
class Claim:
    """A locked shard: its unsent questions and its number of requests in flight.

    If the previous worker crashed before it stored anything, ``suspects`` are the request keys in flight at
    that moment. They are retried first, one at a time, to find the one that crashes workers.
    """

    shard: Shard
    lock: ExitStack
    suspects: frozenset[str] = frozenset()
    unsent: deque[Question] = field(default_factory=deque)
    in_flight: int = 0
    is_short: bool = False  # no money to retry some pair: requeue the shard

    @property
    def has_suspect(self) -> bool:
        """Whether the next request may have crashed a worker, and so is sent alone."""
        return bool(self.unsent) and self.unsent[0].call.request_key in self.suspects


@dataclass(frozen=True)
class SentRequest:
    """A request in flight, or about to be: its shard, its pair, and its entry in the ledger."""

    claim: Claim
    question: Question
    entry: LedgerEntry
