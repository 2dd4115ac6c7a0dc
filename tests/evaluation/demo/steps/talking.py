"""An endpoint that replaces `transformers serve`; its model answers as a LLaVA does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from evaluation.demo.steps.serving import ModelServer
from tests.judges.endpoint import Act, running


@contextmanager
def served_by_nobody(_url: str) -> Iterator[ModelServer]:
    """Serve scores that depend on the request."""
    with running(lambda _: Act()) as endpoint:
        yield ModelServer(endpoint.url, lambda: None)
