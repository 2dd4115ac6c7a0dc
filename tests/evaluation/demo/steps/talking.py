"""An endpoint in the place of `transformers serve`, whose model answers as a LLaVA would."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from evaluation.demo.steps.serving import ModelServer
from tests.judges.endpoint import Act, running

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def served_by_nobody(_url: str) -> Iterator[ModelServer]:
    """Serve scores that follow from what is asked."""
    with running(lambda _: Act()) as endpoint:
        yield ModelServer(endpoint.url, lambda: None)
