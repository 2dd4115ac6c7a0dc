"""What is still to be asked of a shard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judges.actions.answer_from_store import answer_from_store
from judges.actions.fail_calls import fail_calls
from judges.actions.prepare_asks import Question, prepare_asks

if TYPE_CHECKING:
    from judges.models import Shard


def find_questions(*, shard: Shard) -> list[Question]:
    """A question for each waiting call of the shard, topic by topic; calls with nothing to show end here.

    So do those that another job had answered since this one was planned.
    """
    answer_from_store(job=shard.job, keys=[key for _, key in shard.inputs])
    named = shard.job.calls.waiting().filter(pk__in=[pk for pk, _ in shard.inputs])
    prepared = prepare_asks(job=shard.job, calls=list(named.order_by("topic", "docno")))
    fail_calls(job=shard.job, gaps=(each for each in prepared if not isinstance(each, Question)))
    return [each for each in prepared if isinstance(each, Question)]
