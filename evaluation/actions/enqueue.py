"""Queue work by the name of its task, so that no action imports a task."""

from __future__ import annotations

import logging
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def enqueue(name: str, *args: int | str) -> None:
    """Queue the task once the transaction commits. Arguments are ids.

    When the broker cannot be reached the row stays as it is and the sweeper finds it: nothing is lost, so the
    person's request does not fail.
    """
    transaction.on_commit(partial(_send, name, args))


def _send(name: str, args: tuple[int | str, ...]) -> None:
    try:
        current_app.send_task(name, args=args)
    except OperationalError:
        logger.exception("The broker did not take %s%r; the sweeper will.", name, args)
