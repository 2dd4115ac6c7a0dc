"""Public functions: significance tests between runs, and how many topics they need."""

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import get_args

from trackside.errors import InputError
from trackside.library.evaluating import evaluate, one_measure
from trackside.library.inputs import QrelsInput, RunInput, read_qrels
from trackside.measuring import Measure
from trackside.statistics.comparison.multiplicity import CorrectionMethod
from trackside.statistics.comparison.pairs import Comparison, PairTest, TableTest, Test, compare_runs
from trackside.statistics.comparison.topic_design import TopicPlan, plan_from

TESTS = get_args(PairTest) + get_args(TableTest)
METHODS = (*get_args(CorrectionMethod), None)


def compare(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    qrels: QrelsInput,
    measure: str | Measure = "nDCG@10",
    *,
    level: int | None = None,
    test: Test = "t",
    correct: CorrectionMethod | None = "holm",
    alpha: float = 0.05,
    baseline: str | None = None,
    seed: int = 0,
) -> Comparison:
    """Test every pair of runs over the topics on which all of them have a value.

    ``test`` is t, wilcoxon, sign, randomisation (paired by topic), tukey or randomised-tukey. ``correct``
    adjusts p for the number of pairs by holm, bonferroni, BH, BY or not at all (None); Tukey's tests adjust p
    themselves. ``alpha`` is the level of ``is_significant``. ``baseline`` tests the pairs with that run only.
    ``seed`` is that of the randomisation tests. The result has ``means`` (best first), ``letters`` (the runs
    that each run beats) and ``pairs`` with difference, 95 % interval, p, adjusted p and effect size;
    ``to_frame()`` gives the pairs as rows. A run whose ids hardly meet those of the qrels is worse for that
    reason alone; it is reported as an ``IdsDoNotMeet`` warning. Raises InputError.

    >>> runs = {"one": {"1": {"a": 2, "b": 1}, "2": {"a": 2, "b": 1}, "3": {"b": 1}},
    ...         "two": {"1": {"a": 1, "b": 2}, "2": {"a": 2, "b": 1}, "3": {"a": 1}}}
    >>> comparison = compare(runs, {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}}, "P@1")
    >>> comparison.means
    {'one': 0.6666666666666666, 'two': 0.6666666666666666}
    """
    if not isinstance(alpha, Real) or not 0 < alpha < 1:
        raise InputError(f"alpha {alpha}: give a level between 0 and 1, such as 0.05.")
    for name, value, options in (("test", test, TESTS), ("correct", correct, METHODS)):
        if value not in options:
            raise InputError(f"{name} {value}: choose one of {', '.join(map(str, options))}.")
    evaluation = evaluate(runs, read_qrels(qrels), one_measure(measure, ranks_runs=True), level=level)
    return compare_runs(
        evaluation.values[:, 0, :, 0].T,
        evaluation.runs,
        test=test,
        method=correct,
        alpha=alpha,
        baseline=baseline,
        seed=seed,
    )


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
