"""Jobs that ask a scripted endpoint."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from evaluation.models import Pool
from judges.models import Job, Judge, Price
from tests.judges.factories import make_generator, run_to_end, scripted_response, started
from trackside.judging.asking import Ask, EndpointError, Response


def make_job(pool: Pool | None = None, judge: Judge | None = None, **given: Any) -> Job:
    return started(judge or make_generator(), pool, **given)


def run_job(pool: Pool | None = None, judge: Judge | None = None, **given: Any) -> Job:
    return run_to_end(make_job(pool, judge, **given))


def priced(judge: Judge | None = None) -> Judge:
    """A judge whose input token costs 1 micro, whose output token 2, whose image counts as 10 tokens."""
    judge = judge or make_generator()
    Price.objects.create(model=judge.model, input_price=Decimal(1), output_price=Decimal(2), image_tokens=10)
    return judge


def faulty(
    fault: EndpointError, *, when: Callable[[Ask], bool] = lambda _: True
) -> staticmethod[[Ask], Response]:
    return staticmethod(
        lambda ask: Response(ask.id, fault=fault, detail="why") if when(ask) else scripted_response(ask)
    )


def once(*faults: EndpointError) -> staticmethod[[Ask], Response]:
    """The first requests have these faults, all others answers."""
    left = iter(faults)

    def respond(ask: Ask) -> Response:
        fault = next(left, None)
        return Response(ask.id, fault=fault) if fault else scripted_response(ask)

    return staticmethod(respond)


def die() -> None:
    """A worker that is killed."""
    raise MemoryError


def shows_topic(number: str) -> Callable[[Ask], bool]:
    return lambda ask: f"Page of {number}\n" in str(ask.parts[0])


# The most that a pair of these jobs costs: 64 tokens of template, 10 of image, 8 of answer, the text.
BOUND = 64 + 10 + len("Page title: Page of T1\nSection title: Section of T1\nRelevance?") + 2 * 8
COST = 100 + 2 * 5  # of an answer
