"""`trackside plan-topics`: how many topics tell a difference of two runs apart."""

import argparse
import sys

from trackside.cli.commands import whole

EXAMPLE = "trackside plan-topics --qrels people.qrels --difference 0.05 runs/*.gz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("runs", nargs="+", metavar="[NAME=]RUN", help="run files of an earlier or a trial round")
    add("--qrels", required=True, metavar="FILE", help="grades: topic iteration docno grade")
    add("--measure", default="nDCG@10", metavar="NAME", help="measure, such as AP(rel=2) or RR@10 (nDCG@10)")
    add("--level", type=whole(0), metavar="N", help="lowest grade that counts as relevant (1)")
    add("--difference", type=float, default=0.05, metavar="D", help="difference of means to find (0.05)")
    add("--power", type=float, default=0.8, metavar="P", help="probability of finding it (0.8)")
    add("--alpha", type=float, default=0.05, metavar="P", help="level of the two-sided paired t-test (0.05)")


def run(arguments: argparse.Namespace) -> int:
    """Print the plan."""
    from trackside.cli.files.inputs import read_qrels, read_runs  # --help needs no numpy and polars
    from trackside.library.comparing import plan_topics
    from trackside.text.counted import counted

    (qrels,) = read_qrels([arguments.qrels])
    names = ("measure", "level", "difference", "power", "alpha")
    plan = plan_topics(read_runs(arguments.runs), qrels, **{name: getattr(arguments, name) for name in names})
    topics, runs = counted(plan.topic_count, "topic"), counted(plan.run_count, "run")
    sys.stdout.write(
        f"{counted(plan.topics, 'topic')} tell a difference of {plan.difference:g} in {arguments.measure} "
        f"apart (paired t-test, alpha {plan.alpha:g}, power {plan.power:g}).\n"
        f"By {runs} on {topics}: the difference of two runs varies over topics with a standard deviation of "
        f"{plan.deviation:.4f} on average.\n"
        f"The pair of runs that varies most ({plan.most_deviation:.4f}) needs "
        f"{counted(plan.most_topics, 'topic')}.\n"
        f"The {topics} at hand tell {plan.detectable:.4f} apart.\n"
    )
    return 0
