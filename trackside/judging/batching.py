"""Batches of a model in this process: the next one is prepared while one is computed."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from trackside.judging.asking import Ask, Response, Take

T = TypeVar("T")


def two_in_flight(
    take: Take,
    size: Callable[[], int],
    prepare: Callable[[Sequence[Ask]], T],
    compute: Callable[[T], Sequence[Response]],
) -> Iterator[Sequence[Response]]:
    """Yield the responses to batches of ``size()`` requests, as ``Generator.responses`` does.

    While a thread computes a batch, the caller's thread takes the next one, and another thread prepares it:
    decodes its pictures. So two batches at most are in memory. Responses are yielded before the next batch is
    computed: a crash loses those of one batch. An exception of a batch is raised at its turn.
    """
    with ThreadPoolExecutor(1) as preparing, ThreadPoolExecutor(1) as computing:
        computed: Future[Sequence[Response]] | None = None
        while (asks := take(size())) or computed:
            prepared = preparing.submit(prepare, asks) if asks else None
            if computed:
                yield computed.result()
            computed = computing.submit(compute, prepared.result()) if prepared else None
