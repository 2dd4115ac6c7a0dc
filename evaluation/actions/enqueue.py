"""Queue work by the name of its task, once the rows it will read are committed."""

from functools import partial

from celery import current_app
from django.db import transaction


def enqueue(name: str, *ids: int) -> None:
    """Send the task with the ids it works on after the transaction at hand commits; at once outside one.

    A rolled back transaction sends nothing. A queue that cannot be reached is logged, not raised: the rows
    are committed by then, and the sweeps queue again what nobody took up.
    """
    transaction.on_commit(partial(current_app.send_task, name, args=ids), robust=True)
