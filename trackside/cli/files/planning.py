"""The implementation of `trackside plan-topics`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from trackside.cli.files.inputs import read_qrels, read_runs
from trackside.measuring import evaluate, parse_measure
from trackside.statistics.comparison.topic_design import plan_from
from trackside.text.counted import counted


def plan_lines(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines to print. Raises InputError."""
    (qrels,) = read_qrels([arguments.qrels])
    measure = parse_measure(arguments.measure)
    evaluation = evaluate(read_runs(arguments.runs), qrels, [measure], level=arguments.level)
    plan = plan_from(
        evaluation.values[:, 0, :, 0].T,
        evaluation.runs,
        difference=arguments.difference,
        power=arguments.power,
        alpha=arguments.alpha,
    )
    yield (
        f"{counted(plan.topics, 'topic')} tell a difference of {plan.difference:g} in "
        f"{evaluation.measures[0]} apart (paired t-test, alpha {plan.alpha:g}, power {plan.power:g})."
    )
    yield (
        f"By {counted(plan.run_count, 'run')} on {counted(plan.topic_count, 'topic')}: the difference of two "
        f"runs varies over topics with a standard deviation of {plan.deviation:.4f} on average."
    )
    yield (
        f"The pair of runs that varies most ({plan.most_deviation:.4f}) needs "
        f"{counted(plan.most_topics, 'topic')}."
    )
    yield f"The {counted(plan.topic_count, 'topic')} at hand tell {plan.detectable:.4f} apart."
