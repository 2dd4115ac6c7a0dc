"""Public functions: how many topics a comparison of runs needs, as by ``trackside plan-topics``."""

from collections.abc import Iterable, Mapping

from trackside.library.evaluating import evaluate, one_measure
from trackside.library.inputs import QrelsInput, RunInput, read_qrels
from trackside.measuring import Measure
from trackside.statistics.comparison.topic_design import TopicPlan, plan_from


def plan_topics(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    qrels: QrelsInput,
    measure: str | Measure = "nDCG@10",
    *,
    level: int | None = None,
    difference: float = 0.05,
    power: float = 0.8,
    alpha: float = 0.05,
) -> TopicPlan:
    """Return how many topics detect a ``difference`` of two runs, by the variance of these runs' values.

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
    evaluation = evaluate(runs, read_qrels(qrels), one_measure(measure), level=level)
    return plan_from(
        evaluation.values[:, 0, :, 0].T, evaluation.runs, difference=difference, power=power, alpha=alpha
    )
