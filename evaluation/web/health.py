"""Health check for load balancers and containers; it needs no sign-in."""

import logging

from celery import current_app
from django.db import OperationalError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError as QueueError

log = logging.getLogger(__name__)
PATIENCE = 2  # seconds


@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """Return 200 when the database and the queue answer, else 503; the body names the one that does not."""
    answers = {"database": database_answers(), "queue": queue_answers()}
    words = {name: "answers" if does_answer else "does not answer" for name, does_answer in answers.items()}
    return JsonResponse(words, status=200 if all(answers.values()) else 503)


def database_answers() -> bool:
    """Return whether the database runs a statement."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except OperationalError:
        log.exception("The database does not answer.")
        return False
    return True


def queue_answers() -> bool:
    """Return whether the message broker accepts a connection."""
    try:
        with current_app.connection_for_write(connect_timeout=PATIENCE) as broker:
            broker.ensure_connection(max_retries=1, timeout=PATIENCE).channel()
    except QueueError:
        log.exception("The queue does not answer.")
        return False
    return True
