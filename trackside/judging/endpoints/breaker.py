"""Stop a job whose requests all fail or whose answers give no score, before it wastes attempts and money."""

from dataclasses import dataclass, field

from trackside.judging.answers import SCORED
from trackside.judging.asking import EndpointError, Response
from trackside.judging.endpoints.chat import DETAIL_LENGTH

FAILED = 25  # failed requests in a row, with no answer between them
OF_ONE_TOPIC = 100  # limit if all were refused and belong to one topic: the topic may be the cause
UNSCORED = 100  # answers in a row without a score


@dataclass
class Breaker:
    """Consecutive failures, over the responses in order of arrival."""

    _failed: list[tuple[EndpointError | None, str]] = field(default_factory=list)  # with the topic of each
    _unscored_count: int = 0

    def count(self, response: Response, topic: str) -> str:
        """Count a response; return the reason to stop, or "" to continue."""
        if response.reading is None:
            self._failed.append((response.fault, topic))
            is_one_topic = set(self._failed) == {(EndpointError.REQUEST_REFUSED, topic)}
            if len(self._failed) < (OF_ONE_TOPIC if is_one_topic else FAILED):
                return ""
            last = f"{response.fault}: {response.detail}"
            return f"{len(self._failed)} requests in a row failed, the last as {last}"
        self._failed = []
        self._unscored_count = 0 if response.reading.outcome in SCORED else self._unscored_count + 1
        if self._unscored_count < UNSCORED:
            return ""
        last = f'the last one is {response.reading.outcome}: "{response.text[:DETAIL_LENGTH]}"'
        return f"{UNSCORED} answers in a row gave no score, {last}"
