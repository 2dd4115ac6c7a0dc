"""Batches of a model in this process: the next one is read and prepared while one is computed."""

from collections.abc import Callable, Iterator, Sequence
from threading import Event

import pytest

from tests.trackside.backends.generators import taking
from trackside.judging.asking import Ask, Response
from trackside.judging.batching import two_in_flight

PATIENCE = 60  # seconds; a busy host needs some


def asks(count: int) -> list[Ask]:
    return [Ask(str(number), ()) for number in range(count)]


def answered(prepared: Sequence[Ask]) -> list[Response]:
    return [Response(ask.id) for ask in prepared]


def ids(batches: Iterator[Sequence[Response]]) -> list[list[str]]:
    return [[response.id for response in batch] for batch in batches]


def test_next_batch_is_taken_and_prepared_while_one_is_computed() -> None:
    prepared = [Event() for _ in range(5)]
    is_next_ready = []
    take = taking(asks(9))

    def prepare(batch: Sequence[Ask]) -> Sequence[Ask]:
        prepared[int(batch[0].id) // 2].set()
        return batch

    def compute(batch: Sequence[Ask]) -> list[Response]:
        following = prepared[min(4, int(batch[0].id) // 2 + 1)]
        is_next_ready.append(following.wait(PATIENCE))
        return answered(batch)

    found = ids(two_in_flight(take, lambda: 2, prepare, compute))

    assert is_next_ready == [True] * 5
    assert found == [["0", "1"], ["2", "3"], ["4", "5"], ["6", "7"], ["8"]]


def test_two_batches_at_most_are_in_memory_and_answers_leave_before_the_next_is_computed() -> None:
    log = list[str]()

    def noting(name: str) -> Callable[[Sequence[Ask]], Sequence[Ask]]:
        def note(batch: Sequence[Ask]) -> Sequence[Ask]:
            log.append(f"{name} {batch[0].id}")
            return batch

        return note

    left = taking(asks(5))

    def take(room: int) -> Sequence[Ask]:
        batch = left(room)
        if batch:
            noting("read")(batch)
        return batch

    def compute(batch: Sequence[Ask]) -> list[Response]:
        return answered(noting("compute")(batch))

    for batch in two_in_flight(take, lambda: 1, noting("prepare"), compute):
        log.append(f"store {batch[0].id}")

    for number in range(2, 5):
        assert log.index(f"read {number}") > log.index(f"store {number - 2}")
    for number in range(1, 5):
        assert log.index(f"compute {number}") > log.index(f"store {number - 1}")


def test_caller_without_requests_is_asked_again_after_the_answers_in_flight() -> None:
    batches = [asks(1), [], [Ask("again", ())], [], []]  # a failed request gets another try

    assert ids(two_in_flight(lambda _: batches.pop(0), lambda: 1, list, answered)) == [["0"], ["again"]]
    assert batches == []


@pytest.mark.parametrize("step", ["prepare", "compute"])
def test_error_of_a_batch_is_raised_after_the_answers_before_it(step: str) -> None:
    def failing(batch: Sequence[Ask]) -> Sequence[Ask]:
        if batch[0].id == "1":
            raise MemoryError("out of it")
        return batch

    prepare = failing if step == "prepare" else list
    found = two_in_flight(taking(asks(3)), lambda: 1, prepare, lambda batch: answered(failing(batch)))

    assert [response.id for response in next(found)] == ["0"]
    with pytest.raises(MemoryError, match="out of it"):
        next(found)
