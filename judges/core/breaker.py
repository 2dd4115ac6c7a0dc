"""When asking on would only burn tries and money: all requests fail, or no answer is a score."""

from __future__ import annotations

from dataclasses import dataclass, field

from judges.core.answers import SCORED
from judges.core.asking import Fault, Reply
from judges.core.chat import DETAIL_LENGTH

FAILED = 25  # failed requests in a row, with no answer between them
OF_ONE_TOPIC = 100  # instead, while all of these were refused and show the same topic: it may be the topic
UNSCORED = 100  # answers in a row that give no score


@dataclass
class Breaker:
    """What has gone wrong in a row, over the replies in the order in which they came."""

    _failed: list[tuple[Fault | None, str]] = field(default_factory=list)  # with the topic of each
    _unscored_count: int = 0

    def count(self, reply: Reply, topic: str) -> str:
        """Count a reply; why to stop now, in words, or nothing."""
        if reply.reading is None:
            self._failed.append((reply.fault, topic))
            is_one_topic = set(self._failed) == {(Fault.REQUEST_REFUSED, topic)}
            if len(self._failed) < (OF_ONE_TOPIC if is_one_topic else FAILED):
                return ""
            return f"{len(self._failed)} requests in a row failed, the last as {reply.fault}: {reply.detail}"
        self._failed = []
        self._unscored_count = 0 if reply.reading.outcome in SCORED else self._unscored_count + 1
        if self._unscored_count < UNSCORED:
            return ""
        told = f'the last one is {reply.reading.outcome}: "{reply.text[:DETAIL_LENGTH]}"'
        return f"{UNSCORED} answers in a row gave no score, {told}"
