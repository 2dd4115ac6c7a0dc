"""The implementation of `trackside plan`."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from trackside.cli.files.inputs import read_qrels, read_runs
from trackside.cli.files.loop.judge_scores import Scores, read_judges
from trackside.cli.files.loop.plan_folder import PlanFolder
from trackside.errors import InputError
from trackside.loop.claims import Aim
from trackside.loop.orders import DRAWN
from trackside.loop.plan import Plan
from trackside.measuring import parse_measure
from trackside.pooling.universe import Universe
from trackside.text.counted import counted


def plan_lines(arguments: argparse.Namespace) -> Iterator[str]:
    """Write a plan or a batch, and say what it is. Raises InputError."""
    path = Path(arguments.folder)
    return _new_lines(arguments, path) if arguments.act == "new" else _next_lines(arguments, path)


def _new_lines(arguments: argparse.Namespace, path: Path) -> Iterator[str]:
    _refuse_of_next(arguments)
    plan = _plan(arguments)
    heads = read_heads(arguments.runs, plan.depth, read_topics(arguments.topics))
    judges = read_judges(arguments.judge)
    universe = Universe.of(heads, plan.depth)
    folder = PlanFolder.create(path, plan, heads, judges)
    topics, runs = counted(len(universe.topics), "topic"), counted(len(universe.tags), "run")
    yield f"{path}: {universe.pair_count:,} pairs of {topics}, {runs} to depth {plan.depth}"
    yield from same_run_lines(universe)
    total = min(sum(plan.sizes), universe.pair_count)
    yield (
        f"batches of {', '.join(map(str, plan.sizes))}: {total:,} judgments, "
        f"{100 * total / universe.pair_count:.0f} % of the pairs; until: {plan.aim.words}"
    )
    yield from _judge_lines(judges, universe)
    if len(universe.topics) == 1:
        yield "One topic: the calibration learns nothing from other topics, so intervals are wide."
    yield f"Draw the first batch with: trackside plan next {folder.path}"


def _refuse_of_next(arguments: argparse.Namespace) -> None:
    for option in ("qrels", "withdraw", "unseen"):
        if getattr(arguments, option):
            raise InputError(f"--{option} goes with plan next. Give grades so far to the first plan next.")
    if not arguments.runs:
        raise InputError("no runs. Name the run files: trackside plan new FOLDER [options] RUN ...")


def _plan(arguments: argparse.Namespace) -> Plan:
    measures = [str(parse_measure(name)) for name in arguments.measure] or ["nDCG@10"]
    cutoffs = [int(parse_measure(name).cutoff or 0) for name in measures]
    if arguments.highest is None:
        raise InputError(
            "which is people's highest grade? Give it, as in --highest 3 for grades 0, 1, 2 and 3."
        )
    sizes = tuple(arguments.size)
    if not sizes and arguments.budget is None:
        raise InputError("how many pairs can people grade? Give --budget 1500, or --size 300 for each batch.")
    budget, count = arguments.budget or 0, arguments.batches
    return Plan(
        tuple(measures),
        arguments.depth or max(cutoffs) or 10,
        arguments.highest,
        sizes or tuple(budget // count + (number < budget % count) for number in range(count)),
        arguments.seed,
        arguments.recipe,
        Aim(arguments.half_width, arguments.top, arguments.tau),
        arguments.fixed_weights,
        arguments.rule,
    )


def read_heads(
    arguments: list[str], depth: int, topics: frozenset[str] | None = None
) -> dict[str, dict[str, list[str]]]:
    """The first results of each run by topic, of these topics. Raises InputError."""
    heads = {run.tag: run.top(depth) for run in read_runs(arguments)}
    if topics is None:
        return heads
    return {tag: {t: row for t, row in ranking.items() if t in topics} for tag, ranking in heads.items()}


def read_topics(path: str | None) -> frozenset[str] | None:
    """The first word of each line; None without a file. Raises InputError."""
    if path is None:
        return None
    try:
        return frozenset(
            line.split()[0] for line in Path(path).read_text(encoding="utf-8").splitlines() if line.split()
        )
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--topics {path}: {error}. Name a text file with a topic on each line.") from error


def same_run_lines(universe: Universe) -> Iterator[str]:
    """A line for each run with the lists of an earlier one."""
    first = dict[bytes, str]()
    for tag, places in zip(universe.tags, universe.places, strict=True):
        if (other := first.setdefault(places.tobytes(), tag)) != tag:
            yield f"{tag} has the lists of {other}: one run, left out of pairs, tau and order"


def _judge_lines(judges: Mapping[str, Scores], universe: Universe) -> Iterator[str]:
    if not judges:
        yield "No judge: pairs are drawn by what the runs tell alone. Add one with --judge FILE."
    for name, scores in judges.items():
        found = [scores[pair] for pair in universe.names if pair in scores]
        missing = universe.pair_count - len(found)
        yield f"judge {name}: {len(found):,} pairs scored, {missing:,} without (drawn without its help)"
        if not found:
            raise InputError(
                f"judge {name}: it scored no pair of these runs' first results. Compare the ids."
            )
        if len(set(found)) == 1:
            yield f"judge {name}: every score is {found[0]:g}, so it tells nothing and is not used"


def _next_lines(arguments: argparse.Namespace, path: Path) -> Iterator[str]:
    if arguments.runs:
        raise InputError(
            "a plan's runs are frozen. For other runs make a new plan: trackside plan new FOLDER RUN ..."
        )
    folder = PlanFolder(path)
    if arguments.judge:
        folder.add_judges(read_judges(arguments.judge), is_unseen=arguments.unseen)
    state = folder.state(read_qrels(arguments.qrels), frozenset(arguments.withdraw))
    batch = state.next_batch()
    pairs = folder.add_batch(batch, state.withdrawn)
    topics = len({state.universe.names[pair][0] for pair in batch.order.tolist()})
    yield f"{pairs}: {len(batch.order):,} pairs of {counted(topics, 'topic')} to grade, in this order"
    if state.plan.recipe in DRAWN:
        chances = batch.chance[batch.order]
        all_of = pairs.with_name(f"chances-{folder.batch_count}.tsv")
        yield f"chances {chances.min():.3f} to {chances.max():.3f}; those of all open pairs: {all_of}"
    yield f"Then: trackside estimate {path} --qrels GRADES"
