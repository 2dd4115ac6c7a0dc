"""Significance tests between runs, as by ``trackside compare``."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, get_args

from trackside.conversions import measure_name
from trackside.errors import InputError
from trackside.library.inputs import each_run, read_qrels, warn_of_ids
from trackside.measuring import evaluate, parse_measure
from trackside.statistics.comparison.multiplicity import CorrectionMethod
from trackside.statistics.comparison.pairs import PairTest, TableTest, compare_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from trackside.library.inputs import QrelsInput, RunInput
    from trackside.statistics.comparison.pairs import Comparison, Test


TESTS = get_args(PairTest) + get_args(TableTest)
METHODS = (*get_args(CorrectionMethod), None)


def compare(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    qrels: QrelsInput,
    measure: Any = "nDCG@10",
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
    for name, given, known in (("test", test, TESTS), ("correct", correct, METHODS)):
        if given not in known:
            raise InputError(f"{name} {given}: choose one of {', '.join(map(str, known))}.")
    named = measure_name(measure)
    wanted = parse_measure(named) if isinstance(named, str) else named
    if not wanted.family.is_higher_better:
        raise InputError(f"{wanted}: higher is not better. Use one such as nDCG@10.")
    evaluation = evaluate(each_run(runs), read_qrels(qrels), [wanted], level=level)
    warn_of_ids(evaluation)
    return compare_runs(
        evaluation.values[:, 0, :, 0].T,
        evaluation.runs,
        test=test,
        method=correct,
        alpha=alpha,
        baseline=baseline,
        seed=seed,
    )
