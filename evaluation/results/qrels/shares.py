"""Extension point: progress of judging since qrels were published, counted by another app."""

from collections.abc import Callable
from dataclasses import dataclass

from evaluation.results.qrels.models import Qrels
from evaluation.tracks.models import Task


@dataclass(frozen=True)
class JudgedShare:
    """Items to judge, judged items, and judgments that are not published."""

    judged_count: int
    item_count: int
    unpublished_count: int

    @property
    def is_partial(self) -> bool:
        """Whether a report on the published judgments may still change."""
        return self.judged_count < self.item_count or self.unpublished_count > 0


# The function that counts the judging of a task.
_shares: list[Callable[[Task, Qrels], JudgedShare]] = []
register_judged_share = _shares.append


def judged_share(task: Task, published: Qrels) -> JudgedShare:
    """Return the current progress of the judging behind these published qrels."""
    return _shares[0](task, published)
