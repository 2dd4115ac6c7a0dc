"""How many topics tell runs apart, as by ``trackside plan-topics``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trackside.conversions import measure_name
from trackside.library.inputs import each_run, read_qrels
from trackside.measuring import evaluate, parse_measure
from trackside.statistics.comparison.topic_design import plan_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from trackside.library.inputs import QrelsInput, RunInput
    from trackside.statistics.comparison.topic_design import TopicPlan


def plan_topics(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    qrels: QrelsInput,
    measure: Any = "nDCG@10",
    *,
    level: int | None = None,
    difference: float = 0.05,
    power: float = 0.8,
    alpha: float = 0.05,
) -> TopicPlan:
    """Return how many topics tell a ``difference`` of two runs apart, by the variance of these runs' values.

    The power is that of a two-sided paired t-test at ``alpha`` (Sakai's topic set size design). Raises
    InputError.

    >>> import random
    >>> draw = random.Random(1)
    >>> people = {str(topic): {f"d{n}": n % 3 for n in range(20)} for topic in range(30)}
    >>> runs = {
    ...     tag: {topic: {docno: draw.random() for docno in grades} for topic, grades in people.items()}
    ...     for tag in ("one", "two", "three")
    ... }
    >>> plan = plan_topics(runs, people, difference=0.1)
    >>> plan.topic_count, plan.topics > plan.topic_count
    (30, True)
    """
    named = measure_name(measure)
    wanted = parse_measure(named) if isinstance(named, str) else named
    evaluation = evaluate(each_run(runs), read_qrels(qrels), [wanted], level=level)
    return plan_from(
        evaluation.values[:, 0, :, 0].T, evaluation.runs, difference=difference, power=power, alpha=alpha
    )
