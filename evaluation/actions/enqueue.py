"""Queue work by the name of its task, once the rows it will read are committed."""

from celery import current_app
from django.db import transaction


def enqueue(name: str, *ids: int) -> None:
    """Send the task with the ids it works on after the transaction at hand commits; at once outside one.

    A rolled back transaction sends nothing. A queue that cannot be reached is logged, not raised: the rows
    are committed by then, and the sweeps queue again what nobody took up.
    """

    def send() -> None:  # no partial: Django names the function when it logs that it failed
        current_app.send_task(name, args=ids)

    transaction.on_commit(send, robust=True)
