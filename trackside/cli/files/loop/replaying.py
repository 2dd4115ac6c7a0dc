"""The implementation of `trackside replay`."""

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.cli.files.inputs import read_qrels
from trackside.cli.files.loop.judge_scores import Scores, read_judges
from trackside.cli.files.loop.planning import read_heads, same_run_lines
from trackside.cli.files.tables import aligned
from trackside.cli.progress import with_progress
from trackside.errors import InputError
from trackside.figures.series import PLACES
from trackside.figures.svg.charts import lines_svg, standalone
from trackside.loop.judges import is_telling
from trackside.loop.orders import DRAWN, RECIPES
from trackside.loop.plan import SMALLEST_BATCH
from trackside.loop.replay import Point, averaged, judgments_for, replayed
from trackside.loop.targets import Target, offered_measure
from trackside.measuring import parse_measure
from trackside.pooling.universe import Universe
from trackside.text.counted import counted

SHARE = 0.4  # of the pairs, the budget unless given
_COLUMNS = ("judged", "share", "tau", "± mean", "holds", "± gap", "holds", "top {top}", "first")


@dataclass(frozen=True)
class Replayed:
    """The points of one recipe with one judge, or none, and their standard errors."""

    name: str
    points: list[Point]
    errors: list[Point]


def replay_lines(arguments: argparse.Namespace) -> Iterator[str]:
    """Replay, write what is asked for, and return the table. Raises InputError."""
    measure = str(parse_measure(arguments.measure))
    depth = arguments.depth or int(parse_measure(measure).cutoff or 10)
    offered_measure(measure, depth)
    if unknown := sorted(set(arguments.recipe) - set(RECIPES)):
        raise InputError(f"--recipe {unknown[0]}: no such recipe. There are {', '.join(RECIPES)}.")
    heads = read_heads(arguments.runs, depth)
    (qrels,) = read_qrels([arguments.qrels])
    grades = {(topic, docno): grade for topic in qrels for docno, grade in qrels[topic].items() if grade >= 0}
    universe = Universe.of(heads, depth, grades.keys())
    graded = np.array([grades[pair] for pair in universe.names])
    judges = _judges(read_judges(arguments.judge), universe)
    sizes = _sizes(arguments, universe.pair_count)
    target = Target.of(measure, universe, max(1, int(graded.max())))
    found = _replays(arguments, target, graded, judges, sizes)
    if arguments.json:
        _write(Path(arguments.json), _json(found, target))
    if arguments.figures:
        for name, svg in _figures(found, universe.pair_count, measure):
            _write(Path(arguments.figures) / name, svg)
    return _lines(arguments, found, target, judges)


def _sizes(arguments: argparse.Namespace, pairs: int) -> list[int]:
    budget = min(arguments.budget or int(SHARE * pairs), pairs)
    sizes = [
        budget // arguments.batches + (at < budget % arguments.batches) for at in range(arguments.batches)
    ]
    if min(sizes) < SMALLEST_BATCH:
        raise InputError(
            f"{budget} judgments in {arguments.batches} batches: a batch needs {SMALLEST_BATCH} at least. "
            "Use fewer --batches, a larger --budget or more topics."
        )
    return sizes


def _judges(judges: Mapping[str, Scores], universe: Universe) -> dict[str, Floats]:
    rows = {}
    for name, scores in judges.items():
        rows[name] = np.array([[scores.get(pair, np.nan) for pair in universe.names]])
        if np.isnan(rows[name]).all():
            raise InputError(f"judge {name}: it scored no pair of these runs and grades. Compare the ids.")
    return rows


def _replays(
    arguments: argparse.Namespace,
    target: Target,
    grades: Ints,
    judges: Mapping[str, Floats],
    sizes: list[int],
) -> list[Replayed]:
    nothing = np.empty((0, len(grades)))
    to_the_end = [*sizes, *[sizes[0]] * ((len(grades) - sum(sizes)) // sizes[0] + 1)]  # cheap without chances
    work: list[tuple[str, str, Floats]] = []
    for recipe in arguments.recipe or RECIPES:
        if recipe == "influence":
            work += [(f"influence, {name}", recipe, scores) for name, scores in judges.items()]
        work.append(("influence, no judge" if recipe == "influence" else recipe, recipe, nothing))
    found = []
    for name, recipe, scores in with_progress(work, len(work), "recipes"):
        times, steps = (arguments.times, sizes) if recipe in DRAWN else (1, to_the_end)
        seeds = range(arguments.seed * times, (arguments.seed + 1) * times)
        replays = [replayed(target, grades, scores, steps, recipe, seed, arguments.top) for seed in seeds]
        found.append(Replayed(name, *averaged(replays)))
    return found


def _lines(
    arguments: argparse.Namespace, found: list[Replayed], target: Target, judges: Mapping[str, Floats]
) -> Iterator[str]:
    universe = target.universe
    topics, runs = counted(len(universe.topics), "topic"), counted(len(universe.tags), "run")
    pairs = f"{universe.pair_count:,} graded pairs of {topics}"
    yield f"{target.measure}: {pairs}, {runs} to depth {universe.depth}"
    ungraded = sum(place == universe.pair_count for place in universe.places.ravel().tolist())
    if ungraded:
        yield f"{ungraded:,} results of the runs have no grade and are left out"
    yield from same_run_lines(universe)
    for name, scores in judges.items():
        if not is_telling(scores[0]):
            yield f"judge {name}: every score is the same, so it tells nothing and is not used"
        elif missing := int(np.isnan(scores).sum()):
            yield f"judge {name}: {missing:,} pairs without a score, drawn without its help"
    yield ""
    yield from aligned(_rows(arguments, found, universe.pair_count))
    yield ""
    yield (
        "holds: how often the 95 % interval of a mean, or of a difference of two runs, holds the value with "
        f"all grades, over {counted(arguments.times, 'replay')}. Recipes without chances have none."
    )
    yield ""
    yield from aligned(_savings(found, arguments.tau, universe.pair_count))


def _rows(arguments: argparse.Namespace, found: list[Replayed], pairs: int) -> list[list[str]]:
    rows = [["recipe", *(name.format(top=arguments.top) for name in _COLUMNS)]]
    for one in found:
        for point in one.points[: arguments.batches]:
            numbers = (
                point.tau,
                point.half_width,
                point.cover,
                point.half_gap,
                point.cover_gaps,
                point.top,
                point.first,
            )
            cells = ["–" if np.isnan(number) else f"{number:.3f}" for number in numbers]
            rows.append([one.name, f"{point.judged:,.0f}", f"{point.judged / pairs:.2f}", *cells])
    return rows


def _savings(found: list[Replayed], tau: float, pairs: int) -> list[list[str]]:
    needed = {one.name: judgments_for(one.points, tau) for one in found}
    depth = needed.get("depth")
    rows = [["recipe", f"judgments for tau {tau:g}", "of the pairs", "of depth's"]]
    for name, count in needed.items():
        if count is None:
            rows.append([name, "–", "–", "–"])
            continue
        ratio = f"{count / depth:.2f}" if depth else "–"
        rows.append([name, f"{count:,.0f}", f"{count / pairs:.2f}", ratio])
    return rows


def _json(found: list[Replayed], target: Target) -> str:
    facts = {
        "measure": str(target.measure),
        "pairs": target.universe.pair_count,
        "topics": len(target.universe.topics),
        "runs": list(target.universe.tags),
        "recipes": [
            {
                "name": one.name,
                "points": [_known(row) for row in one.points],
                "errors": [_known(row) for row in one.errors],
            }
            for one in found
        ],
    }
    return json.dumps(facts, ensure_ascii=False, indent=1) + "\n"


def _known(point: Point) -> dict[str, float]:
    return {name: value for name, value in asdict(point).items() if not np.isnan(value)}


def _figures(found: list[Replayed], pairs: int, measure: str) -> Iterator[tuple[str, str]]:
    """tau, and the mean half-width in hundredths of the widest, by the share of pairs that people graded."""
    series = {one.name: f"j{number % PLACES + 1}" for number, one in enumerate(found)}
    taus = {one.name: [(row.judged / pairs, max(row.tau, 0.0)) for row in one.points] for one in found}
    drawn = [one for one in found if one.points and not np.isnan(one.points[0].half_width)]
    widest = max((row.half_width for one in drawn for row in one.points), default=1.0) or 1.0
    widths = {
        one.name: [(row.judged / pairs, row.half_width / widest) for row in one.points] for one in drawn
    }
    across = "share of pairs graded by people"
    yield "tau.svg", standalone(lines_svg(
        taus, series, name="tau", title=f"{measure}: tau to the order with all grades",
        desc="Kendall's tau by the share of pairs that people graded, a line a recipe", axes=(across, "tau"),
    ))  # fmt: skip
    yield "half-width.svg", standalone(lines_svg(
        widths, series, name="half-width", title=f"{measure}: half-width of a run's 95 % interval",
        desc="mean half-width by the share of pairs that people graded, a line a recipe",
        axes=(across, f"half-width, 1 = {widest:.3f}"),
    ))  # fmt: skip


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}. Name another file.") from error
