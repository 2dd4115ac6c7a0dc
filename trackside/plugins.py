"""Names that a package needs to add a measure (``trackside.measures``) or a judge (``trackside.judges``).

A measure is a ``MeasureFamily`` whose name is that of the entry point. Its function gets a ``JudgedRun`` of T
topics, the judged results in rank order, and the ``Measure`` with cutoff and options, and returns a float
array (T,), NaN where undefined. A judge is a class with the protocol of its unit: ``Encoder`` (Unit.INPUT),
``Generator`` (Unit.PAIR) or ``Submitter`` (Unit.BATCH). See docs/library.md.
"""

from evaluation.core.errors import InputError
from evaluation.core.measures import Measure
from evaluation.core.measures.families import Cut, MeasureFamily, Summary
from evaluation.core.measures.judged import JudgedRun, Judgments
from evaluation.core.statistics.estimate import Reason
from judges.core.answers import Outcome, Reading, read_answer
from judges.core.asking import Ask, EndpointBusy, EndpointDown, EndpointError, Response, Take, Usage
from judges.core.endpoints.batches import RemoteBatch
from judges.core.inputs import Gap
from judges.core.judge import Backend, Encoder, Generator, Submitter, Unit
from judges.core.prompts import check_template
from judges.core.settings import Settings

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
