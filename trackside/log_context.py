"""Ids, such as those of task and run, that are added to each line of the log."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_ids: ContextVar[Mapping[str, int | str]] = ContextVar("ids", default={})  # noqa: B039 - never mutated


@contextmanager
def bound(**ids: int | str) -> Iterator[None]:
    """Put ids on every log line written within the block: `with bound(task=3, run=17): ...`.

    Blocks nest. Threads started inside begin without ids.
    """
    token = _ids.set({**_ids.get(), **ids})
    try:
        yield
    finally:
        _ids.reset(token)


def bound_ids() -> Mapping[str, int | str]:
    """Return the ids bound at this point of the program."""
    return _ids.get()
