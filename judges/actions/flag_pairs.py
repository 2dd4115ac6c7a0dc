"""Find the pairs of a job that may mislead a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judges.core.answers import Outcome
from judges.core.flags import speaks_to_a_judge
from judges.models import Side

if TYPE_CHECKING:
    from judges.models import Job


def flag_pairs(*, job: Job) -> list[tuple[str, str]]:
    """Pairs whose topic or document reads like an instruction to a model, and those it refused to score."""
    rows = list(job.calls.of_pool().order_by("topic", "docno").values_list("topic", "docno", "outcome"))
    topics = _suspicious(job, Side.TOPIC, {topic for topic, _, _ in rows})
    documents = _suspicious(job, Side.DOCUMENT, {docno for _, docno, _ in rows})
    return [
        (topic, docno)
        for topic, docno, outcome in rows
        if topic in topics or docno in documents or outcome == Outcome.REFUSAL
    ]


def _suspicious(job: Job, side: Side, names: set[str]) -> set[str]:
    items = job.items(side, names)
    return {name for name, item in items.items() if any(speaks_to_a_judge(text) for _, text in item.fields)}
