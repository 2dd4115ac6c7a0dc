"""Another database session."""

import threading
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def in_another_session(ask: Callable[[], T]) -> T:
    """Run in a thread, which has its own database session."""
    answers: list[T] = []

    def run() -> None:
        answers.append(ask())
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return answers[0]
