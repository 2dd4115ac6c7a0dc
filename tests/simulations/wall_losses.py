"""How often walls are switched off, for whom they should be and for whom not, and what is said of them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from assessment.core.arranging import SINGLE_EVERY, WALL_SIZE
from assessment.core.wall_losses import ON_WALL, SINGLY, Finding, WallGrades, sums_by_wall
from tests.simulations.rows import Row
from trackside.arrays import Flags, Floats, Ints

SCALE = (0, 1, 2)
TOPICS, ITEMS = 100, 200  # of one person; walls are looked at after each topic
MARGIN = 0.05  # the plan's
WITHIN = (300, 600, 1_000, 2_000)  # singles
SPREAD = 3.0  # of the share of highest grades between topics: the sum of beta's parameters
SLIP = 0.1


@dataclass(frozen=True)
class Setting:
    """One person: the mean share of the highest grade, and what happens on walls.

    ``missed`` of the highest grades on walls become lower ones. Others grade the share ``others``. Grades are
    random everywhere, or on walls alone. ``is_denser``: one in five is single in half the topics.
    """

    name: str
    top: float = 0.3
    missed: float = 0.0
    others: float = 0.0
    is_random: bool = False
    is_random_on_walls: bool = False
    is_denser: bool = False

    @property
    def words(self) -> str:
        """The setting of the row."""
        return f"{self.top:.0%} highest grades, {self.others:.0%} graded by others"


AS_GOOD = Setting("walls as good")
AT_MARGIN = Setting("5% missed, as planned", missed=MARGIN)
QUARTER = Setting("25% missed", missed=0.25)
HALF = Setting("50% missed", missed=0.5)
SETTINGS = (
    *(replace(kind, top=top) for kind in (AS_GOOD, AT_MARGIN, QUARTER, HALF) for top in (0.1, 0.3)),
    *(replace(kind, others=others) for kind in (AS_GOOD, QUARTER) for others in (0.2, 1.0)),
    replace(AS_GOOD, name="walls as good, more singles in half of the topics", is_denser=True),
    replace(AT_MARGIN, name="5% missed, more singles in half of the topics", is_denser=True),
    *(Setting("random grades", is_random=True, others=others) for others in (0.0, 0.2, 1.0)),
    Setting("random grades on walls", is_random_on_walls=True, others=0.2),
)


def slipped(truth: Ints, dice: np.random.Generator) -> Ints:
    """Grades with slips to a neighbour."""
    steps = (dice.random(truth.size) < SLIP) * dice.choice([-1, 1], truth.size)
    grades: Ints = np.clip(truth + steps, 0, 2)
    return grades


def drawn(setting: Setting, dice: np.random.Generator) -> tuple[Floats, Floats, Ints, Ints]:
    """The sums of each wall in order, shares and matrices; its singles, and those with another's grade."""
    topics = np.repeat(np.arange(TOPICS), ITEMS)
    top = dice.beta(SPREAD * setting.top, SPREAD * (1 - setting.top), TOPICS)[topics]
    uniform = dice.random(topics.size)
    truth = np.where(uniform < top, 2, (uniform < top + 0.35 * (1 - top)).astype(int))
    every = np.where(setting.is_denser & (topics % 2 == 0), SINGLE_EVERY // 2, SINGLE_EVERY)
    is_single = _singles(topics, every, dice)
    own = slipped(truth, dice)
    own = np.where(
        ~is_single & (own == 2) & (dice.random(own.size) < setting.missed),
        dice.integers(2, size=own.size),
        own,
    )
    is_random = setting.is_random | (setting.is_random_on_walls & ~is_single)
    own = np.where(is_random, dice.permutation(own), own)
    other = slipped(truth, dice)
    has_other = dice.random(own.size) < setting.others
    walls = topics * -(-ITEMS // WALL_SIZE) + np.tile(np.arange(ITEMS) // WALL_SIZE, TOPICS)
    surface = np.where(is_single, SINGLY, ON_WALL)
    weights = np.where(is_single, every, every / (every - 1))
    count = int(walls[-1]) + 1
    shares = sums_by_wall(walls, (surface, own), weights, (2, 3))
    matrices = np.zeros((count, 2, 3, 3))
    found = sums_by_wall(
        walls[has_other],
        (surface[has_other], own[has_other], other[has_other]),
        weights[has_other],
        (2, 3, 3),
    )
    matrices[: len(found)] = found
    singles, compared = (
        np.bincount(walls[chosen], minlength=count) for chosen in (is_single, is_single & has_other)
    )
    return shares, matrices, singles, compared


def _singles(topics: Ints, every: Ints, dice: np.random.Generator) -> Flags:
    """One of each ``every`` neighbours of a topic."""
    places = np.tile(np.arange(ITEMS), TOPICS)
    block, step = np.divmod(places, every)
    chosen = dice.random((TOPICS, ITEMS))[topics, block]
    is_chosen: Flags = np.floor(chosen * every) == step
    return is_chosen


@dataclass(frozen=True)
class Course:
    """The singles and the finding after each topic, and whether the interval ever missed the loss."""

    singles: Ints
    findings: list[Finding]
    is_missed: bool

    def is_off_within(self, singles: int) -> bool:
        """Whether walls were off by then."""
        return any(
            finding == "loses" and count <= singles
            for finding, count in zip(self.findings, self.singles, strict=True)
        )


def course(setting: Setting, dice: np.random.Generator) -> Course:
    """One person's task."""
    shares, matrices, singles, compared = drawn(setting, dice)
    by_topic = -(-ITEMS // WALL_SIZE)
    counts, findings, is_missed = [], [], False
    for end in range(by_topic, len(shares) + 1, by_topic):
        counts.append(int(singles[:end].sum()))
        grades = WallGrades(shares[:end], matrices[:end], counts[-1], int(compared[:end].sum()), SCALE)
        findings.append(grades.finding(MARGIN))
        top = grades.top
        if top and top.low is not None and top.high is not None:
            is_missed |= not top.low <= setting.missed <= top.high
    return Course(np.array(counts), findings, is_missed)


def wall_losses(tracks: int, seed: int) -> Iterator[Row]:
    """The rows of all settings."""
    yield from rows_of(SETTINGS, tracks, seed)


def rows_of(settings: Iterable[Setting], tracks: int, seed: int) -> Iterator[Row]:
    """How often walls are switched off within so many singles, or praised; how often an interval misses."""
    for setting in settings:
        dice = np.random.default_rng(seed)
        courses = [course(setting, dice) for _ in range(tracks)]
        figures: dict[str, float | None] = {
            f"off within {count:,} singles": float(np.mean([each.is_off_within(count) for each in courses]))
            for count in WITHIN
        }
        figures["off"] = float(np.mean(["loses" in each.findings for each in courses]))
        figures["praised"] = float(np.mean(["holds" in each.findings for each in courses]))
        if not setting.is_random_on_walls:  # the loss differs from look to look
            figures["ever missed"] = float(np.mean([each.is_missed for each in courses]))
        yield Row(setting.name, setting.words, tracks, figures)
