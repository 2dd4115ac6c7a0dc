"""How often a report says "favours" of judges that do and that do not; and tipping points.

Judges see true grades, people and the second assessor err, so that a better family gains under the judge.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tests.simulations.made import CONFUSIONS, SCALE, chances_of, made_track
from tests.simulations.rows import Row
from tests.simulations.studies import chosen_grades, drawn_grades
from trackside.arrays import Flags, Floats, Ints
from trackside.findings.results import FamilyFinding
from trackside.findings.verdicts import FavourVerdict
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


NOBODY = {
    "better family, all twice": Setting(),
    "better family, a quarter twice": Setting(twice=0.25),
    "better family, a quarter of topics twice": Setting(twice=0.25, by="topic"),
    "better family, a tenth twice": Setting(twice=0.1),
    "better family, careful judge, a quarter twice": Setting(judge="careful", twice=0.25),
    "equal family, a quarter twice": Setting(gap=EQUAL, twice=0.25),
    "weaker family, a quarter twice": Setting(gap=WEAKER, twice=0.25),
    "better family, 8 teams, a quarter twice": Setting(teams=8, twice=0.25),
    "30 % of errors shared, all twice": Setting(shared=0.3),
    "30 % of errors shared, a quarter twice": Setting(shared=0.3, twice=0.25),
    "half of the errors shared, all twice": Setting(shared=0.5),
}
FAVOURED = {
    "0.2 grades, better family, all twice": Setting(favour=0.2),
    "0.2 grades, better family, a quarter twice": Setting(favour=0.2, twice=0.25),
    "0.2 grades, equal family, a quarter twice": Setting(favour=0.2, gap=EQUAL, twice=0.25),
    "0.2 grades, better family, a tenth twice": Setting(favour=0.2, twice=0.1),
    "0.5 grades, better family, all twice": Setting(favour=0.5),
    "0.5 grades, better family, a tenth twice": Setting(favour=0.5, twice=0.1),
}
SAID = (FavourVerdict.FAVOURS, FavourVerdict.FAVOURS_IF)
AGAINST = (FavourVerdict.DISFAVOURS, FavourVerdict.DISFAVOURS_IF)


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

    def wrong_share(self, sign: float) -> float:
        """How many results on which people and the judge differ in this direction people got wrong."""
        people, judge = self.study.grades[:2]
        is_candidate = sign * self.exposure * (judge - people) > 0
        return float((people != self.truth)[is_candidate].mean()) if is_candidate.any() else 0.0


def favours(tracks: int, seed: int) -> Iterator[Row]:
    """A row a setting; powers with half of the tracks."""
    for settings, count in ((NOBODY, tracks), (FAVOURED, tracks // 2)):
        for name, setting in settings.items():
            found = [
                favoured_track(setting, np.random.default_rng([seed, at])).with_second()
                for at in range(count)
            ]
            yield Row(name, "16 runs", count, favour_figures(found))


def favour_figures(found: list[FamilyFinding]) -> dict[str, float | None]:
    """Shares of the verdicts, of tracks without one, and the mean of the corrected coefficient."""
    verdicts = [finding.favour.verdict for finding in found if finding.favour]
    corrected = [
        finding.favour.corrected
        for finding in found
        if finding.favour and finding.favour.corrected is not None
    ]
    naive = [
        finding.favour.uncorrected_low > 0
        for finding in found
        if finding.favour and finding.favour.uncorrected_low is not None
    ]

    def share(*of: FavourVerdict) -> float:
        return float(np.mean([verdict in of for verdict in verdicts]))

    return {
        "above": float(np.mean([finding.verdict.is_above for finding in found])),
        "uncorrected above 0": float(np.mean(naive)) if naive else None,
        "favours": share(FavourVerdict.FAVOURS),
        "favours if": share(FavourVerdict.FAVOURS_IF),
        "disfavours": share(*AGAINST),
        "not said": share(FavourVerdict.NOT_SAID),
        "corrected": float(np.mean(corrected)) if corrected else None,
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
