"""Names that a package needs to add a measure (``trackside.measures``) or a judge (``trackside.judges``).

A measure is a ``MeasureFamily`` whose name is that of the entry point. Its function gets a ``JudgedRun`` of T
topics, the judged results in rank order, and the ``Measure`` with cutoff and options, and returns a float
array (T,), NaN where undefined. A judge is a class with the protocol of its unit: ``Encoder`` (Unit.INPUT),
``Generator`` (Unit.PAIR) or ``Submitter`` (Unit.BATCH). See docs/library.md.
"""

from trackside.errors import InputError
from trackside.judging.answers import Outcome, Reading, read_answer
from trackside.judging.asking import Ask, EndpointBusy, EndpointDown, EndpointError, Response, Take, Usage
from trackside.judging.endpoints.batches import RemoteBatch
from trackside.judging.inputs import Gap
from trackside.judging.judge import Backend, Encoder, Generator, Submitter, Unit
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
    "read_answer",
]
