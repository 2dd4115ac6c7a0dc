"""How often a report says what a favour would take, and how often too much of it; and tipping points.

Judges see true grades, people and the second assessor err, so that a better family gains under the judge.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tests.simulations.made import (
    CONFUSIONS,
    FAMILY,
    RUNS,
    SCALE,
    TOPICS,
    chances_of,
    made_track,
    retrieved_of_scores,
)
from tests.simulations.rows import Row
from tests.simulations.studies import Track, chosen_grades, drawn_grades
from trackside.arrays import Flags, Floats, Ints
from trackside.findings.favour import _coefficient
from trackside.findings.results import FamilyFinding
from trackside.findings.run_blind import Cells
from trackside.reporting.questions import family_findings, second_assessor
from trackside.reporting.study import Study

BETTER, EQUAL, WEAKER = 0.3, 0.05, -0.3


@dataclass(frozen=True)
class Setting:
    """How a judge favours and people err.

    ``gap`` is how much better the family is; ``favour`` are grades per unit of exposure; ``twice`` is the
    share of pairs that the second assessor graded, drawn by ``by``; ``shared`` is the share of pairs on which
    both people err alike.
    """

    gap: float = BETTER
    favour: float = 0.0
    twice: float = 1.0
    by: str = "pair"
    shared: float = 0.0
    judge: str = "lenient"
    teams: int = 5


@dataclass(frozen=True)
class Hard:
    """Three relevant items in ten are hard; the family finds more of them, and people miss more of them.

    ``missed`` and ``second_missed`` are how often each person misses an easy and a hard relevant item,
    ``gap`` is how much less the other runs see of a hard one; ``favour`` and ``twice`` are as in ``Setting``.
    """

    missed: tuple[float, float] = (0.1, 0.5)
    second_missed: tuple[float, float] | None = None  # those of people
    gap: float = 0.6
    favour: float = 0.0
    twice: float = 1.0


RANDOM = (0.2, 0.2)
WORLDS: dict[str, Setting | Hard] = {
    "random errors, better family, all twice": Setting(),
    "random errors, better family, a quarter twice": Setting(twice=0.25),
    "random errors, better family, a quarter of topics twice": Setting(twice=0.25, by="topic"),
    "random errors, better family, a tenth twice": Setting(twice=0.1),
    "random errors, equal family, a quarter twice": Setting(gap=EQUAL, twice=0.25),
    "random errors, weaker family, a quarter twice": Setting(gap=WEAKER, twice=0.25),
    "random errors, family finds hard items": Hard(RANDOM),
    "random errors, family finds hard items, a quarter twice": Hard(RANDOM, twice=0.25),
    "both miss hard items, 12 and 40 %": Hard((0.12, 0.4)),
    "both miss hard items, 10 and 50 %": Hard(),
    "both miss hard items, 10 and 50 %, a quarter twice": Hard(twice=0.25),
    "both miss hard items, 5 and 70 %": Hard((0.05, 0.7)),
    "both miss hard items, 5 and 70 %, half the gap": Hard((0.05, 0.7), gap=0.3),
    "people alone miss hard items": Hard(second_missed=RANDOM),
    "the second assessor alone misses hard items": Hard(RANDOM, second_missed=(0.1, 0.5)),
    "three errors in ten shared, all twice": Setting(shared=0.3),
    "half of the errors shared, all twice": Setting(shared=0.5),
    "0.2 grades favoured, better family, all twice": Setting(favour=0.2),
    "0.2 grades favoured, better family, a quarter twice": Setting(favour=0.2, twice=0.25),
    "0.2 grades favoured, equal family, a quarter twice": Setting(favour=0.2, gap=EQUAL, twice=0.25),
    "0.5 grades favoured, better family, a tenth twice": Setting(favour=0.5, twice=0.1),
    "0.3 grades favoured, random errors, family finds hard items": Hard(RANDOM, favour=0.3),
    "0.3 grades favoured, both miss hard items, 10 and 50 %": Hard(favour=0.3),
}


@dataclass(frozen=True)
class FavouredTrack:
    """A study of people, a judge and a second assessor, and the true grades and exposures of its pairs."""

    study: Study
    truth: Ints
    exposure: Floats

    def with_second(self) -> FamilyFinding:
        """The finding on the family with the second assessor."""
        (finding,) = family_findings(self.study, 1, second_assessor(self.study, 1))
        return finding

    def without_second(self) -> FamilyFinding:
        """The finding without the second assessor."""
        study = self.study
        alone = replace(study, sets=study.sets[:2], grades=study.grades[:2], values=study.values[:2])
        (finding,) = family_findings(alone, 1, None)
        return finding

    def too_low(self) -> float:
        """How far the person who errs less grades too low what all runs of the family and no other find."""
        errors = []
        for grades in (self.study.grades[0], self.study.grades[2]):
            is_in = grades >= 0
            cells = Cells(self.study.topic_of_pair, self.truth, grades, len(self.study.topics))
            coefficient = _coefficient(cells, self.truth, self.exposure, is_in)
            assert coefficient is not None
            errors.append(-coefficient.value)
        return min(errors)

    def wrong_share(self, sign: float) -> float:
        """How many results on which people and the judge differ in this direction people got wrong."""
        people, judge = self.study.grades[:2]
        is_candidate = sign * self.exposure * (judge - people) > 0
        return float((people != self.truth)[is_candidate].mean()) if is_candidate.any() else 0.0


def takes(tracks: int, seed: int) -> Iterator[Row]:
    """A row a world; powers, where nothing said is wrong, with half of the tracks."""
    for name, world in WORLDS.items():
        count = tracks // 2 if world.favour else tracks
        drawn = [drawn_track(world, np.random.default_rng([seed, at])) for at in range(count)]
        figures = takes_figures(drawn)
        yield Row(name, "16 runs", count, figures | {"wrong": None} if world.favour else figures)


def drawn_track(world: Setting | Hard, rng: np.random.Generator) -> FavouredTrack:
    """Draw a track of the world."""
    return hard_track(world, rng) if isinstance(world, Hard) else favoured_track(world, rng)


def takes_figures(drawn: list[FavouredTrack]) -> dict[str, float | None]:
    """Shares of tracks with the sentence, and of those with a lower end above the smaller true error."""
    findings = [track.with_second() for track in drawn]
    said = [finding.takes.at_least if finding.takes else None for finding in findings]
    true = np.array([track.too_low() for track in drawn])
    ends = np.array([np.nan if end is None else end for end in said])
    sizes = [finding.takes.too_low for finding in findings if finding.takes and finding.takes.too_low]
    return {
        "above": float(np.mean([finding.verdict.is_above for finding in findings])),
        "said": float(np.mean(~np.isnan(ends))),
        "wrong": float((ends > true).mean()),
        "true error": float(true.mean()),
        "too low": float(np.mean(sizes)) if sizes else None,
        "at least": float(np.nanmean(ends)) if sizes else None,
    }


def tipping(tracks: int, seed: int) -> Iterator[Row]:
    """Tipping points of judges that favour nobody, and of those that do, by quartile."""
    settings = {
        "no favour, better family": Setting(),
        "no favour, careful judge": Setting(judge="careful"),
        "0.2 grades, better family": Setting(favour=0.2),
        "0.5 grades, better family": Setting(favour=0.5),
    }
    for name, setting in settings.items():
        drawn = [favoured_track(setting, np.random.default_rng([seed, at])) for at in range(tracks)]
        findings = [track.without_second() for track in drawn]
        shares = [_tipping_share(finding) for finding in findings]
        low, middle, high = np.quantile(shares, (0.25, 0.5, 0.75))
        signs = np.sign([finding.excess or 0.0 for finding in findings])
        wrong = np.array([track.wrong_share(sign) for track, sign in zip(drawn, signs, strict=True)])
        yield Row(
            name,
            "16 runs of 5 teams",
            tracks,
            {
                "lower quartile": float(low),
                "median": float(middle),
                "upper quartile": float(high),
                "all do not suffice": float(np.mean([share > 1 for share in shares])),
                "wrong candidates": float(wrong.mean()),
                "needs more than are wrong": float((np.array(shares) > wrong).mean()),
            },
        )


def _tipping_share(finding: FamilyFinding) -> float:
    """The share of candidates that people must have got wrong; 2 if all do not suffice."""
    tipping = finding.tipping
    if tipping is None or not tipping.candidate_count:
        return 0.0
    return 2.0 if tipping.share is None else tipping.share


def favoured_track(setting: Setting, rng: np.random.Generator) -> FavouredTrack:
    """Draw a track, people who err, and the judge; the family is the one whose runs retrieve alike."""
    made = made_track(rng, teams=setting.teams, gap=setting.gap)
    track, topics = made.track, made.track.topic_of_pair
    exposure = track.exposure(made.is_in)
    honest = drawn_grades(rng, chances_of(rng, setting.judge, made.truth, topics))
    favoured = exposure if setting.favour >= 0 else -exposure
    judge = _favouring(rng, honest, favoured, abs(setting.favour))
    people, second = _assessors(rng, made.truth, setting.shared)
    second = np.where(_is_twice(rng, topics, setting), second, -1)
    return FavouredTrack(track.study(people, [judge], second=second), made.truth, exposure)


def hard_track(world: Hard, rng: np.random.Generator) -> FavouredTrack:
    """Draw 74 topics of 80 items; every other run is of the family. The judge errs on one item in ten."""
    truth = rng.choice(SCALE, (TOPICS, 80), p=(0.7, 0.2, 0.1))
    is_hard = (rng.random(truth.shape) < 0.3) & (truth > 0)
    is_in = np.arange(RUNS) % 2 == 1
    of_side = rng.normal(size=(2, *truth.shape))
    retrieved = tuple(
        retrieved_of_scores(
            0.9 * truth
            - (0 if belongs else world.gap) * is_hard * truth
            + 0.6 * of_side[int(belongs)]
            + 0.8 * rng.normal(size=truth.shape)
        )
        for belongs in is_in.tolist()
    )
    topics = np.repeat(np.arange(TOPICS), truth.shape[1])
    teams = tuple(f"t{run // 2}" for run in range(RUNS))
    track = Track(SCALE, 1, topics, retrieved, teams, {FAMILY: is_in})
    exposure, grades, hard = track.exposure(is_in), truth.ravel(), is_hard.ravel()
    people, second = (
        _missing(rng, grades, np.where(hard, missed[1], missed[0]))
        for missed in (world.missed, world.second_missed or world.missed)
    )
    judge = np.where(rng.random(grades.size) < 0.1, rng.integers(0, 3, grades.size), grades)
    judge = np.minimum(judge + (rng.random(grades.size) < world.favour * np.maximum(exposure, 0)), SCALE[-1])
    second = np.where(rng.random(grades.size) < world.twice, second, -1)
    return FavouredTrack(track.study(people, [judge], second=second), grades, exposure)


def _missing(rng: np.random.Generator, truth: Ints, chances: Floats) -> Ints:
    """Grades of a person who misses relevant items, and finds one other in twenty relevant."""
    seen = np.where((truth > 0) & (rng.random(truth.size) < chances), 0, truth)
    return np.where((truth == 0) & (rng.random(truth.size) < 0.05), 1, seen)


def _favouring(rng: np.random.Generator, grades: Ints, of_pair: Floats, favour: float) -> Ints:
    """Raise or lower grades by one, so that their mean moves by the favour times the exposure ``of_pair``."""
    moved = grades.copy()
    for sign, last in ((1, SCALE[-1]), (-1, SCALE[0])):
        size = np.maximum(sign * of_pair, 0)
        is_movable = grades != last
        chance = favour * size * size.sum() / size[is_movable].sum()
        moved += sign * (is_movable & (rng.random(grades.size) < chance))
    return moved


def _assessors(rng: np.random.Generator, truth: Ints, shared: float) -> tuple[Ints, Ints]:
    """Two careful people; on a share of the pairs, what makes one err makes the other err."""
    chances = np.array(CONFUSIONS["careful"])[truth]
    one, other = rng.random((2, truth.size))
    other = np.where(rng.random(truth.size) < shared, one, other)
    return chosen_grades(one, chances), chosen_grades(other, chances)


def _is_twice(rng: np.random.Generator, topics: Ints, setting: Setting) -> Flags:
    draws = rng.random(topics.size) if setting.by == "pair" else rng.random(int(topics.max()) + 1)[topics]
    twice: Flags = draws < setting.twice
    return twice
