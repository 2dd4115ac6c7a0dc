"""Prefetch the inputs of a judge's next batches with a thread pool."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def ahead(tasks: Iterable[Callable[[], T]], *, threads: int, most: int) -> Iterator[T]:
    """Yield the tasks' results in order while threads run the next ones, at most ``most`` of them.

    A task's exception is raised where its result is due. Leaving the loop waits for running tasks.
    """
    with ThreadPoolExecutor(threads) as pool:
        pending: deque[Future[T]] = deque()
        try:
            for task in tasks:
                pending.append(pool.submit(task))
                if len(pending) > most:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
