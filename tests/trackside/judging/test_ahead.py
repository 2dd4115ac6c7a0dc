from collections.abc import Callable, Iterator
from functools import partial
from threading import Event, current_thread

import pytest

from trackside.judging.ahead import ahead


def test_ahead_gives_results_in_order() -> None:
    assert list(ahead((partial(pow, each, 2) for each in range(20)), threads=3, most=3)) == [
        n * n for n in range(20)
    ]


def test_ahead_works_in_another_thread_while_its_reader_works() -> None:
    begun = [Event() for _ in range(3)]

    def work(place: int) -> str:
        begun[place].set()
        return current_thread().name

    results = ahead((partial(work, place) for place in range(3)), threads=1, most=1)
    assert next(results) != current_thread().name
    assert begun[1].wait(10)  # its result is not requested yet


def test_ahead_starts_at_most_so_many_tasks_ahead() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[Callable[[], int]]:
        for place in range(9):
            taken.append(place)
            yield partial(int, place)

    next(results := ahead(tasks(), threads=2, most=2))
    assert taken == [0, 1, 2]
    next(results)
    assert taken == [0, 1, 2, 3]


def test_ahead_raises_what_a_task_raises_at_its_turn() -> None:
    results = ahead([partial(int, "1"), partial(int, "one")], threads=1, most=1)

    assert next(results) == 1
    with pytest.raises(ValueError, match="one"):
        next(results)
