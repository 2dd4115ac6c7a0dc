"""Store the answers to a file of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judges.actions.store_replies import Answered, store_replies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judges.core.asking import Reply
    from judges.models import RequestFile

AT_ONCE = 500  # replies in one transaction


def store_answers(*, file: RequestFile, replies: Sequence[Reply]) -> None:
    """Store the replies to those requests of the file that are still open, some hundred at a time.

    May be called again after a death in between: what is stored is no longer open.
    """
    entries = {str(entry): entry for entry in file.ledger.open()}
    job = file.shard.job
    keys = [entry.request_key for entry in entries.values()]
    counts = job.calls.filter(request_key__in=keys).values_list("request_key", "attempt_count")
    tries = dict(counts)
    answered = [
        Answered(
            reply,
            entry,
            tries[entry.request_key] + 1,
            job.rates.charged(reply, entry.bound_micros),
        )
        for reply in replies
        if (entry := entries.get(reply.id))
    ]
    for start in range(0, len(answered), AT_ONCE):
        store_replies(shard=file.shard, answered=answered[start : start + AT_ONCE])
