"""Names that a package needs to add a measure (``trackside.measures``) or a judge (``trackside.judges``).

A measure is a ``MeasureFamily`` whose name is that of the entry point. Its function gets a ``JudgedRun`` of T
topics, the judged results in rank order, and the ``Measure`` with cutoff and options, and returns a float
array (T,), NaN where undefined. A judge is a function of a pair's text and image behind ``@judge``, or a
class with the protocol of its unit: ``Encoder`` (Unit.INPUT), ``Generator`` (Unit.PAIR) or ``Submitter``
(Unit.BATCH). See docs/library.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from trackside.errors import InputError
from trackside.judging.answers import Outcome, Reading, read_answer
from trackside.judging.asking import Ask, EndpointBusy, EndpointDown, EndpointError, Response, Take, Usage
from trackside.judging.endpoints.batches import RemoteBatch
from trackside.judging.forms import FORMS
from trackside.judging.inputs import Gap
from trackside.judging.judge import EVERY_KIND, Backend, Encoder, Generator, Submitter, Unit
from trackside.judging.prompts import check_template
from trackside.judging.settings import Settings
from trackside.measuring import Measure
from trackside.measuring.family import Cut, MeasureFamily, Summary
from trackside.measuring.judged import JudgedRun, Judgments
from trackside.statistics.estimate import Reason

__all__ = [
    "Ask",
    "Backend",
    "Cut",
    "Encoder",
    "EndpointBusy",
    "EndpointDown",
    "EndpointError",
    "Gap",
    "Generator",
    "InputError",
    "JudgedRun",
    "Judgments",
    "Measure",
    "MeasureFamily",
    "Outcome",
    "Reading",
    "Reason",
    "RemoteBatch",
    "Response",
    "Settings",
    "Submitter",
    "Summary",
    "Take",
    "Unit",
    "Usage",
    "check_template",
    "judge",
    "read_answer",
]

Grade = Callable[[str, bytes | None], float]
ONE_IMAGE = EVERY_KIND - {"image-to-image"}  # a function gets one image at most


class FunctionJudge:
    """Calls a function for one pair after the other; ``judge`` makes the subclass of each function."""

    revision: ClassVar[int]
    task_kinds: ClassVar[frozenset[str]]
    unit: ClassVar[Unit] = Unit.PAIR
    refuses_long_texts: ClassVar[bool] = False
    answer: ClassVar[str]
    grade: ClassVar[staticmethod[[str, bytes | None], float]]

    def __init__(self, settings: Settings) -> None:
        self._form = FORMS[settings.answer]

    @classmethod
    def pinned(cls, settings: Settings) -> Settings:
        """The settings with the revision. Raises InputError for a wrong prompt or form of answer."""
        check_template(settings.prompt)
        if settings.answer != cls.answer:
            raise InputError(f'This judge answers in the form "{cls.answer}". Choose it.')
        return replace(settings, revision=cls.revision)

    def responses(self, take: Take) -> Iterator[Sequence[Response]]:
        """Respond to each pair once, until there is none."""
        while asks := take(1):
            yield [self._response(ask) for ask in asks]

    def _response(self, ask: Ask) -> Response:
        text = "\n".join(part for part in ask.parts if isinstance(part, str))
        images = [part for part in ask.parts if isinstance(part, bytes)]
        try:
            if len(images) > 1:
                raise ValueError("the prompt shows two images, and this judge takes one")
            score = float(self.grade(text, images[0] if images else None))
        except ValueError as error:
            return Response(ask.id, fault=EndpointError.REQUEST_REFUSED, detail=str(error))
        if not self._form.lowest <= score <= self._form.highest:
            return Response(ask.id, Reading(Outcome.OUT_OF_RANGE), text=f"{score:g}")
        outcome = Outcome.OK if score.is_integer() else Outcome.OK_DECIMAL
        return Response(ask.id, Reading(outcome, score), text=f"{score:g}")


def judge(
    answer: str = "grade-0-2", *, task_kinds: frozenset[str] = ONE_IMAGE, revision: int = 1
) -> Callable[[Grade], type[FunctionJudge]]:
    """Make a judge's class of a function, to be named by an entry point in ``trackside.judges``.

    The function gets the text of the prompt with the pair's fields, and the bytes of the image file (None
    without one; a pair with two is a gap). It returns a score on the scale of ``answer``, a name of
    ``FORMS``; another number is a gap. It raises ValueError for a pair that it cannot judge. Raise
    ``revision`` when its answers change.

    >>> @judge("grade-0-2")
    ... def always_two(text, image):
    ...     return 2
    >>> always_two.unit, always_two.revision
    (<Unit.PAIR: 'pair'>, 1)
    """
    if answer not in FORMS:
        raise InputError(f'There is no form of answer "{answer}". Choose one of: {", ".join(FORMS)}.')

    def decorate(grade: Grade) -> type[FunctionJudge]:
        fields = {"answer": answer, "task_kinds": frozenset(task_kinds), "revision": revision}
        more = {"grade": staticmethod(grade), "__module__": grade.__module__, "__doc__": grade.__doc__}
        return type(grade.__name__, (FunctionJudge,), {**fields, **more})

    return decorate
