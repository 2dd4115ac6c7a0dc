"""Test the declared hypotheses of a report: whether a judge favours a family, by measure and by items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.favour.over_grading import contrast_of_items, item_excess, mean_excess
from evaluation.core.report.favour.reversal import CONDITIONAL, Reversal
from evaluation.core.report.favour.run_blind import favour_of, run_blind
from evaluation.core.report.favour.within_topics import WithinTopics
from evaluation.core.report.tables import Conclusion, ConclusionCode, Number
from evaluation.core.report.pool_depths import pool_depths
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.comparison.multiplicity import adjust
from evaluation.core.statistics.estimate import Estimate, Reason
from evaluation.core.statistics.families.team_permutation import team_count
from evaluation.core.statistics.ranks import TIE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evaluation.core.arrays import Flags
    from evaluation.core.report.favour.over_grading import ExcessGrades
    from evaluation.core.report.favour.run_blind import RunBlind
    from evaluation.core.report.shared_values import Shared
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.comparison.multiplicity import CorrectionMethod
    from evaluation.core.statistics.families.contrasts import Contrast
    from evaluation.core.statistics.families.favour import Favour

CORRECTION: CorrectionMethod = "BH"
FOUND = (*CONDITIONAL, *CONDITIONAL.values())
FIRST = 10  # results of each run; most measures use this cutoff
POOLED = "pooled"


@dataclass(frozen=True)
class FamilyFavour:
    """How one judge favours one family by one measure; ``p`` is corrected for all declared hypotheses."""

    measure: int
    judge: int
    family: str
    shared: Shared
    flags: Flags
    found: Favour
    p: Number
    verdict: Conclusion


@dataclass(frozen=True)
class FamilyGrades:
    """How much one judge over-grades the items that one family retrieves, given people's grade.

    ``p`` is corrected for all declared hypotheses; None for pooled items, which are not declared.
    """

    judge: int
    family: str
    depth: str
    means: tuple[float | None, float | None]
    topic_count: int
    found: Contrast
    p: Number | None
    verdict: Conclusion


@dataclass(frozen=True)
class _Items:
    judge: int
    family: str
    depth: str
    means: tuple[float | None, float | None]
    topic_count: int
    teams: tuple[int, int]
    found: Contrast

    @property
    def is_declared(self) -> bool:
        return self.depth != POOLED


@dataclass(frozen=True)
class Favours:
    """All declared hypotheses with corrected p, and the run-blind values of each judge."""

    measures: Sequence[FamilyFavour]
    items: Sequence[FamilyGrades]
    blind: dict[int, RunBlind]

    def blind_of(self, study: Study, judge: int) -> RunBlind:
        """Return the values under run-blind copies of a judge; drawn on first use."""
        if judge not in self.blind:
            self.blind[judge] = run_blind(study, judge)
        return self.blind[judge]


def find_favours(study: Study) -> Favours:
    """Test every judge and family by every measure and by the items of the first ranks.

    These hypotheses form the one family that the report declares. The Benjamini-Hochberg correction limits
    the false discovery rate to ``Design.alpha``.
    """
    blind = {judge: run_blind(study, judge) for judge in study.others} if study.families else {}
    hypotheses = [
        (at, judge, family)
        for at in range(len(study.measures))
        for judge in study.others
        for family in study.families
    ]
    by_measure = [_by_measure(study, blind[judge], at, judge, family) for at, judge, family in hypotheses]
    by_items = [
        _by_items(study, judge, depth, values, family)
        for judge in blind
        for depth, values in _excess_by_depth(study, judge)
        for family in study.families
    ]
    declared = [found.excess.p for *_, found in by_measure]
    declared += [each.found.p for each in by_items if each.is_declared]
    corrected = iter(_corrected(declared))
    by_first = {(each.judge, each.family): each.found.value for each in by_items if each.is_declared}
    excesses: dict[tuple[int, str], list[Estimate]] = {}
    again, reverse = WithinTopics(study, FIRST), Reversal(study, FIRST)
    measures: list[FamilyFavour] = []
    for (at, judge, family), (shared, flags, found) in zip(hypotheses, by_measure, strict=True):
        p = next(corrected)
        verdict = _verdict(study, found.excess, p, found.teams, family, "points")
        verdict = _unless_opposed(verdict, found.excess.value, [by_first[judge, family]], OF_ITEMS)
        if verdict.outcome in FOUND:
            verdict = again.of_measure(verdict, found.excess, judge, shared, at, flags)
        if verdict.outcome in FOUND:
            verdict = reverse.of(verdict, found.excess.value, judge, family)
        measures.append(FamilyFavour(at, judge, family, shared, flags, found, p, verdict))
        excesses.setdefault((judge, family), []).append(found.excess.value)
    items = [
        _retested(study, each, next(corrected) if each.is_declared else None, excesses, again, reverse)
        for each in by_items
    ]
    return Favours(measures, items, blind)


def _retested(
    study: Study,
    each: _Items,
    p: Number | None,
    excesses: dict[tuple[int, str], list[Estimate]],
    again: WithinTopics,
    reverse: Reversal,
) -> FamilyGrades:
    """The verdict on items; a claim must also hold by a measure and within topics."""
    judged = _judged(study, each, p)
    others = excesses[each.judge, each.family]
    verdict = _unless_opposed(judged.verdict, each.found.value, others, OF_MEASURES)
    if verdict.outcome in FOUND:
        verdict = again.of_items(verdict, each.found, each.judge, each.family)
    if verdict.outcome in FOUND:
        verdict = reverse.of(verdict, each.found.value, each.judge, each.family)
    return replace(judged, verdict=verdict)


OF_ITEMS = f"the first {FIRST} results of each run, item by item, show the opposite"
OF_MEASURES = "the excess by every measure shows the opposite"


def _unless_opposed(
    verdict: Conclusion, value: Estimate, others: Sequence[Estimate], words: str
) -> Conclusion:
    """Withdraw a claim if every other estimate of the same favour has the opposite sign.

    The excess by a measure and the excess grades of single items estimate one favour in two ways.
    """
    known = [each.value for each in others if each.value is not None]
    if verdict.outcome not in FOUND or value.value is None or not known:
        return verdict
    if any(each * value.value >= 0 for each in known):
        return verdict
    return Conclusion(ConclusionCode.CANNOT_TELL, f"cannot be told ({words})")


def _excess_by_depth(study: Study, judge: int) -> Iterator[tuple[str, ExcessGrades]]:
    """Yield the mean excess grades of the first results and of all pooled results."""
    items = item_excess(study, judge)
    for name, depths in ((f"first {FIRST}", [FIRST] * len(study.runs)), (POOLED, pool_depths(study))):
        yield name, mean_excess(study, items, depths)


def _by_items(study: Study, judge: int, depth: str, grades: ExcessGrades, family: str) -> _Items:
    known = ~np.isnan(grades.values)
    runs, topics = np.flatnonzero(known.any(axis=1)), np.flatnonzero(known.any(axis=0))
    values, flags = grades.values[np.ix_(runs, topics)], study.in_family(family)[runs]
    sides = (flags, ~flags)
    means = [float(np.nanmean(values[side], axis=1).mean()) if side.any() else None for side in sides]
    counts = team_count([study.teams[run] for run in runs], flags)
    found = contrast_of_items(study, grades, family)
    return _Items(judge, family, depth, (means[0], means[1]), topics.size, counts, found)


def _judged(study: Study, each: _Items, p: Number | None) -> FamilyGrades:
    verdict = _verdict(study, each.found, p, each.teams, each.family, "grades")
    return FamilyGrades(
        each.judge, each.family, each.depth, each.means, each.topic_count, each.found, p, verdict
    )


def _by_measure(
    study: Study, blind: RunBlind, at: int, judge: int, family: str
) -> tuple[Shared, Flags, Favour]:
    shared = study.shared_values(at, PEOPLE, judge)
    flags = study.in_family(family)[shared.runs]
    return shared, flags, favour_of(study, blind, shared, at, flags)


def _corrected(found: Sequence[Estimate]) -> list[Number]:
    adjusted = adjust([each.value for each in found], CORRECTION)
    return [Number.of(each if p is None else Estimate.of(p)) for each, p in zip(found, adjusted, strict=True)]


def _verdict(
    study: Study, found: Contrast, p: Number | None, teams: tuple[int, int], family: str, unit: str
) -> Conclusion:
    """Return the verdict; it claims no favour that chance, too few teams or too few topics can explain."""
    if found.value.value is None:
        return Conclusion(ConclusionCode.UNDEFINED, found.value.text())
    if found.p_topics.reason is Reason.NO_VARIATION and abs(found.value.value) < TIE:
        return Conclusion(ConclusionCode.NO_SIGN, "no sign (it is 0, whichever topic is left out)")
    if found.p_topics.value is None:
        return Conclusion(ConclusionCode.CANNOT_TELL, f"cannot be told ({_why_topics(found)})")
    if found.cannot_tell(study.design.alpha):
        least = found.by_teams.smallest or 1.0
        sides = f"{teams[0]} against {teams[1]} team{'s' * (teams[1] != 1)}"
        words = f"cannot be told ({sides}; least p possible {least:.2f})"
        return Conclusion(ConclusionCode.CANNOT_TELL, words)
    if p is None:
        return Conclusion(ConclusionCode.NO_SIGN, "exploratory")
    if p.value is None or p.value > study.design.alpha:
        return _not_found(found, unit, study.design.alpha)
    is_above = found.value.value > 0
    size = f"{abs(found.value.value):.{1 if unit == 'points' else 2}f} {unit}"
    if unit == "points":
        words = f"{'favours' if is_above else 'disfavours'} {family} runs by {size}"
    else:
        words = f"{'over' if is_above else 'under'}-grades what {family} runs retrieve by {size}"
    return Conclusion(ConclusionCode.FAVOURS if is_above else ConclusionCode.DISFAVOURS, words)


def _why_topics(found: Contrast) -> str:
    return found.p_topics.reason.words if found.p_topics.reason else "no test over topics"


def _not_found(found: Contrast, unit: str, alpha: float) -> Conclusion:
    """No sign; or that it cannot be told, if the value holds on new topics.

    Other families show it too, or it is not significant among all hypotheses.
    """
    size = "" if found.shown is None else f"{found.shown:.{0 if unit == 'points' else 2}f}"
    would = size and f"{size} {unit.removesuffix('s') if size == '1' else unit}"
    would = would and f"{would} would show in 8 of 10 cases or more, uncorrected"
    topics, teams = found.p_topics.value, found.by_teams.p.value
    if topics is not None and teams is not None and topics <= alpha:
        if teams <= alpha:
            why = f"p {max(topics, teams):.3f} is not significant among all hypotheses"
        else:
            why = "; ".join(filter(None, ("other families of these teams show as much", would)))
        return Conclusion(ConclusionCode.CANNOT_TELL, f"cannot be told ({why})")
    return Conclusion(ConclusionCode.NO_SIGN, f"no sign ({would})" if would else "no sign")
