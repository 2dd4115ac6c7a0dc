"""Jobs that ask a scripted endpoint."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from evaluation.models import Pool
from judges.jobs.starting import start_job
from judges.models import Job, Judge, Price
from tests.judges.factories import (
    make_generator,
    make_image_pool,
    scripted_response,
)
from trackside.judging.asking import Ask, EndpointError, Response


def make_job(pool: Pool | None = None, judge: Judge | None = None, **given: Any) -> Job:
    pool = pool or make_image_pool()
    return start_job(judge=judge or make_generator(), pool=pool, by=pool.created_by, **given)


def priced(judge: Judge) -> Judge:
    """A judge whose input token costs 1 micro, whose output token 2, whose image counts as 10 tokens."""
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


def bound_of(job: Job) -> int:
    """The most that a pair of these jobs costs: 64 tokens of template, 10 of image, 8 of answer, the text."""
    text = "Page title: Page of T1\nSection title: Section of T1\nRelevance?"
    return 64 + 10 + len(text) + 2 * 8
