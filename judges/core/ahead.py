"""Work done ahead of whoever needs it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def ahead(tasks: Iterable[Callable[[], T]], *, threads: int) -> Iterator[T]:
    """Give the tasks' results in order, while threads do the next ones: at most one more than threads.

    What a task raises is raised where its result is due. Leaving the loop waits for tasks that have begun.
    """
    with ThreadPoolExecutor(threads) as pool:
        begun: deque[Future[T]] = deque()
        try:
            for task in tasks:
                begun.append(pool.submit(task))
                if len(begun) > threads:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
