"""Settings and answers of generators."""

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from trackside.judging.asking import Ask, Response
from trackside.judging.judge import Generator
from trackside.judging.settings import Settings

TEMPLATE = "{image}\n{fields}"


def settings_of(folder: Path, **changes: Any) -> Settings:
    given: dict[str, Any] = {"backend": "llava", "revision": 0, "model": str(folder), "model_revision": ""}
    return Settings(**given | {"prompt": TEMPLATE, "answer": "relevance-1-100"} | changes)


def taking(some: Sequence[Ask]) -> Callable[[int], Sequence[Ask]]:
    left = deque(some)
    return lambda room: [left.popleft() for _ in range(min(room, len(left)))]


def responses(judge: Generator, some: Sequence[Ask]) -> dict[str, Response]:
    found = [response for batch in judge.responses(taking(some)) for response in batch]
    assert len(found) == len({response.id for response in found})
    return {response.id: response for response in found}
