"""How often the loop's intervals hold, and what it saves, on real runs whose grades are hidden and revealed.

The grid: each of two sets with twelve settings, six batches of a twelfth of the pairs, looks at a quarter and
a half. Replays are stored one by one in var/simulations, so that a run resumes where the last one ended.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np

from tests.simulations.real import NAMES, real_folder
from tests.simulations.rows import Row
from trackside.arrays import Floats, Ints
from trackside.files import Qrels, Rankings
from trackside.loop.claims import Claims, Z, z_over_looks
from trackside.loop.orders import ORDERED
from trackside.loop.replay import Point, averaged, judgments_for, point_of, replayed, replayed_looks
from trackside.loop.targets import Target
from trackside.pooling.universe import Universe

STORE = Path(__file__).parents[2] / "var" / "simulations"
DEPTH, TOP, BATCHES, LOOKS = 10, 5, 6, (3, 6)
STRONG, WEAK = "four-prompts-70b", "four-prompts-flan-t5-large"
SAVING_TIMES, TWENTIETHS, MOST_DRAWN = 10, 20, 14
NONE = np.empty((0, 0))
NARROW = 0.006  # half-widths below it may hold too often


@dataclass(frozen=True)
class Setting:
    """A judge and the measure that is estimated, and by which pairs are drawn."""

    judge: str
    measure: str = "nDCG@10"

    def __str__(self) -> str:
        return f"{self.measure}, {self.judge}"


GRID = (
    *(
        Setting(name)
        for name in (STRONG, WEAK, "perfect", "useless", "reversed", "lenient", "family", "gaps")
    ),
    *(Setting(STRONG, name) for name in ("P@10", "DCG@10", "RBP(p=0.8)", "AP")),
)
BESIDE = (Setting("none"), Setting(STRONG, "RR"), Setting(STRONG, "R@10"))
"""Beyond the grid: the design without a judge, and the measures whose differences alone are offered."""
_JUDGES = ("none", "useless", STRONG, "four-prompts-8b", "two-stage-8b", WEAK, "single-prompt-8b")
SAVERS = (
    *(("influence", judge) for judge in _JUDGES),
    *(("uniform", judge) for judge in ("none", STRONG)),
    *((recipe, "none") for recipe in ORDERED),
)
"""Recipes with the judge that helps them."""


@dataclass(frozen=True)
class Hidden:
    """A set with people's grades of every pair."""

    folder: Path
    universe: Universe
    grades: Ints

    def target(self, measure: str) -> Target:
        return Target.of(measure, self.universe, int(self.grades.max()))

    def scores(self, judge: str, rng: np.random.Generator) -> Floats:
        """Scores [judge, pair]; none for "none"."""
        if judge == "none":
            return np.empty((0, len(self.grades)))
        if judge == "gaps":
            scores = self._drawn(STRONG, rng).astype(float)
            scores[rng.random(len(scores)) < 0.2] = np.nan
            return scores[None]
        made: Mapping[str, Callable[[], Ints]] = {
            "perfect": lambda: self.grades,
            "useless": lambda: rng.permutation(self.grades),
            "reversed": lambda: self.grades.max() - self.grades,
            "lenient": lambda: np.minimum(
                self.grades.max(), self.grades + (rng.random(len(self.grades)) < 0.6)
            ),
            "family": lambda: self._lifting(self._drawn(STRONG, rng), rng),
        }
        return made.get(judge, partial(self._drawn, judge, rng))().astype(float)[None]

    def _drawn(self, judge: str, rng: np.random.Generator) -> Ints:
        """A judge that errs on each topic as the language model did on some topic of TREC DL 2020."""
        tables, overall = errors(self.folder, judge)
        own = tables[rng.integers(len(tables), size=len(self.universe.topics))]
        own = own + 3 * overall / overall.sum(axis=1, keepdims=True)
        chances = (own / own.sum(axis=2, keepdims=True)).cumsum(axis=2)
        has_three = self.grades.max() == 2
        rows = np.minimum(self.grades + (self.grades > 0), 3) if has_three else self.grades
        grades = (rng.random(len(rows))[:, None] > chances[self.universe.topic, rows]).sum(axis=1)
        merged: Ints = np.array([0, 0, 1, 2])[grades] if has_three else grades
        return merged

    def _lifting(self, grades: Ints, rng: np.random.Generator) -> Ints:
        """Lift half of what the first third of the runs finds by one grade."""
        weights = np.where(np.isfinite(self.universe.ranks), 1 / np.log2(self.universe.ranks + 1), 0)
        third = weights.shape[1] // 3
        is_of = weights[:, :third].sum(axis=1) > weights[:, third:].sum(axis=1) / 2
        lifted: Ints = np.minimum(self.grades.max(), grades + (is_of & (rng.random(len(grades)) < 0.5)))
        return lifted


@cache
def errors(folder: Path, judge: str) -> tuple[Floats, Floats]:
    """Counts [topic, people's grade, judge's grade], and over all topics."""
    table = json.loads((folder / "judge-errors-dl2020.json").read_text())["judges"][judge]
    return np.array(list(table["by_topic"].values()), float), np.array(table["overall"], float)


@cache
def hidden(folder: Path, name: str) -> Hidden:
    """A real set: what its runs have in their first ten and people graded."""
    (qrels,) = (folder / name).glob("*qrels.gz")
    grades = Qrels.from_file(str(qrels)).to_dict()
    files = sorted((folder / name / "runs").glob("*.gz"))
    heads = {file.name: Rankings.from_file(str(file)).top(DEPTH) for file in files}
    universe = Universe.of(heads, DEPTH, {(topic, docno) for topic in grades for docno in grades[topic]})
    people = [max(grades[topic][docno], 0) for topic, docno in universe.names]
    return Hidden(folder, universe, np.array(people))


def one_replay(world: Hidden, setting: Setting, seed: int, number: int) -> list[Point]:
    """The points at a quarter and at a half."""
    target, rng = world.target(setting.measure), np.random.default_rng([seed, number])
    scores, truth = world.scores(setting.judge, rng), target.values(world.grades).mean(axis=0)
    sizes = [len(world.grades) // (2 * BATCHES)] * BATCHES
    looks = replayed_looks(target, world.grades, scores, sizes, rng, after=LOOKS)
    return [point_of(target, truth, found.means, found, TOP, count) for count, found in looks]


def stored(path: Path, count: int, replay: Callable[[int], list[Point]]) -> list[list[Point]]:
    """The replays of the file, and new ones until there are so many; each is appended to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_text().splitlines() if path.exists() else []
    replays = [[Point(**point) for point in json.loads(line)] for line in lines]
    with path.open("a") as file:
        for number in range(len(replays), count):
            replays.append(replay(number))
            file.write(json.dumps([asdict(point) for point in replays[-1]]) + "\n")
            file.flush()
    return replays


def grid(tracks: int, seed: int, *, name: str) -> Iterator[Row]:
    """Coverage, bias and width of each setting of the grid on one set, at a quarter and at a half."""
    folder = real_folder()
    for setting in (*GRID, *BESIDE) if folder else ():
        world = hidden(folder, name)
        path = STORE / f"loop-{name}" / f"{setting}.jsonl".replace(" ", "")
        replays = stored(path, tracks, partial(one_replay, world, setting, seed))
        for share, point, error in zip(("a quarter", "a half"), *averaged(replays), strict=True):
            yield Row(f"{name}, {setting}", share, len(replays), figures(point, error))


def figures(point: Point, error: Point) -> dict[str, float | None]:
    """What the page shows of a point, with the standard errors of its coverages."""
    is_wide, is_gap_wide = point.half_width >= NARROW, point.half_gap >= NARROW
    return {
        "wide means": point.cover if is_wide else None,
        "± wide means": error.cover,
        "wide pairs": point.cover_gaps if is_gap_wide else None,
        "± wide pairs": error.cover_gaps,
        "bias of half": abs(point.bias) / point.half_width if is_wide else None,
        "means": point.cover,
        "± means": error.cover,
        "pairs": point.cover_gaps,
        "± pairs": error.cover_gaps,
        "bias": point.bias,
        "± bias": error.bias,
        "half": point.half_width,
        "half of pairs": point.half_gap,
        "tau": point.tau,
        "first": point.first,
    }


def savings(tracks: int, seed: int) -> Iterator[Row]:
    """Judgments for tau .93, by recipe and judge, and the share of depth pooling's."""
    folder = real_folder()
    for name in NAMES if folder else ():
        world = hidden(folder, name)
        sizes = [len(world.grades) // TWENTIETHS] * TWENTIETHS
        depth = judgments_for(
            replayed(world.target("nDCG@10"), world.grades, NONE, sizes, "depth", 0, TOP), 0.93
        )
        for recipe, judge in SAVERS:
            times = min(tracks, SAVING_TIMES)
            path = STORE / "loop-savings" / f"{name},{recipe},{judge}.jsonl"
            batches = sizes if recipe in ORDERED else sizes[:MOST_DRAWN]
            replays = stored(path, times, partial(_saving, world, recipe, judge, batches, seed))
            needed = judgments_for(averaged(replays)[0], 0.93)
            share = needed / depth if needed and depth else None
            row = {"judgments": needed, "of depth's": share, "depth's": depth}
            yield Row(f"{name}, {recipe}, {judge}", "tau .93", len(replays), row)


def _saving(
    world: Hidden, recipe: str, judge: str, sizes: Sequence[int], seed: int, number: int
) -> list[Point]:
    rng, target = np.random.default_rng([seed, number]), world.target("nDCG@10")
    return replayed(target, world.grades, world.scores(judge, rng), sizes, recipe, seed + number, TOP)


def looks(tracks: int, seed: int) -> Iterator[Row]:
    """Over 5 and 10 looks: pairs of runs uncovered from the second look on; coverage at the width stop."""
    folder = real_folder()
    for count in (5, 10) if folder else ():
        world = hidden(folder, "robust03")
        path = STORE / "loop-looks" / f"{count}.jsonl"
        replays = stored(path, tracks, partial(_looked, world, count, seed))
        mean, error = averaged(replays)
        row = {"pairs once uncovered": 1 - mean[0].cover_gaps, "± pairs": error[0].cover_gaps}
        yield Row("robust03, nDCG@10", f"{count} looks", len(replays), row | {"width stop": mean[0].cover})


def _looked(world: Hidden, count: int, seed: int, number: int) -> list[Point]:
    """One point: the share of pairs covered at every look, and coverage of means where widths are reached."""
    target, rng = world.target("nDCG@10"), np.random.default_rng([seed, count, number])
    truth = target.values(world.grades).mean(axis=0)
    sizes = [len(world.grades) // (2 * count)] * count
    found = list(replayed_looks(target, world.grades, world.scores(STRONG, rng), sizes, rng))
    upper = np.triu_indices(len(truth), 1)
    gaps = (truth[:, None] - truth)[upper]
    always = np.ones(len(gaps), np.bool_)
    for _, seen in found[1:]:  # nothing is claimed after one batch
        claims = Claims(seen, z_over_looks(count), target.universe.is_first)
        always &= np.abs(claims.gaps[upper] - gaps) <= claims.z * seen.gap_errors[upper]
    stop = next(
        (at for at, (_, seen) in enumerate(found) if at and Z * seen.errors.max() <= 0.03), len(found) - 1
    )
    point = point_of(target, truth, found[stop][1].means, found[stop][1], TOP, found[stop][0])
    return [replace(point, cover_gaps=float(always.mean()))]


PARTS: dict[str, Callable[[int, int], Iterable[Row]]] = {
    **{f"loop-{name}": partial(grid, name=name) for name in NAMES},
    "loop-savings": savings,
    "loop-looks": looks,
}
