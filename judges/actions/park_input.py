"""Park a text or an image that ends its workers."""

from __future__ import annotations

from itertools import takewhile

from django.db import transaction

from judges.core.inputs import Gap
from judges.models import Shard

IN_A_ROW = 3  # parked inputs side by side: what ends workers is the model or the machine then, no input


@transaction.atomic
def park_input(*, shard: Shard) -> bool:
    """Make a gap of the input at the shard's place, so that its work goes on behind it; whether it did.

    For a shard that has ended worker after worker there: from the second on inputs are worked on one at a
    time. False when none is left, or IN_A_ROW before it were parked, too.
    """
    current = Shard.objects.open().select_for_update(of=["self"]).filter(pk=shard.pk).first()
    if current is None or current.encoded_count == current.input_count:
        return False
    done, left = current.inputs[: current.encoded_count], current.inputs[current.encoded_count :]
    parked = list(takewhile(lambda each: current.gaps.get(each[1]) == Gap.PARKED, reversed(done)))
    if len(parked) >= IN_A_ROW:
        return False
    current.gaps[left[0][1]] = Gap.PARKED
    current.encoded_count += 1
    current.attempt_count = 1  # its neighbours are worked on one at a time, too
    current.save(update_fields=["gaps", "encoded_count", "attempt_count"])
    return True
