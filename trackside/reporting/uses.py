"""Answer for one judge of a study what it may be used for, whatever judges are beside it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.findings.favour import exposure_of
from trackside.findings.grades import grade_finding
from trackside.findings.results import GradeFinding
from trackside.findings.use_results import (
    USES,
    AssayFinding,
    BestUse,
    FamiliesUse,
    HardlyGraded,
    LabelUse,
    RankUse,
    Relation,
    TuneUse,
    UseCode,
    Uses,
)
from trackside.findings.uses.best import best_margin, best_use
from trackside.findings.uses.families import families_use, signed_grades
from trackside.findings.uses.forecast import with_forecasts
from trackside.findings.uses.label import label_use
from trackside.findings.uses.pairs import ComparedPairs
from trackside.findings.uses.rank import rank_use, second_tau_difference
from trackside.findings.uses.relation import ShuffledMeans, popularity_tau, shuffled_means
from trackside.findings.uses.second import Difference, Trio, assay_of, is_whole, trios_of
from trackside.findings.uses.tune import second_rate_difference, tune_use
from trackside.reporting.hardly_graded import is_kept
from trackside.reporting.study import PEOPLE, Study
from trackside.statistics.agreement import confusions_by_topic
from trackside.statistics.estimate import Reason

BY_RUNS = ("rank", "best", "families")  # uses that runs which people hardly graded could decide


@dataclass(frozen=True)
class _Asked:
    """The uses by one set of the judge's grades; ``is_first`` adds what is only printed."""

    study: Study
    pairs: ComparedPairs
    is_first: bool = False

    @cached_property
    def is_complete(self) -> Flags:
        """Runs with a value on every topic, by people and by the judge."""
        return np.asarray(~np.isnan(self.pairs.by_people + self.pairs.by_judge).any(axis=1))

    @cached_property
    def shuffles(self) -> ShuffledMeans:
        """The runs' means under shuffles of the judge's grades."""
        return shuffled_means(self.pairs)

    @cached_property
    def trios(self) -> list[Trio]:
        """The pairs that a second assessor graded, too."""
        return trios_of(self.pairs)

    @cached_property
    def assay(self) -> AssayFinding:
        """Whether people agree with each other on these pairs."""
        return assay_of(self.pairs)

    @cached_property
    def grades(self) -> GradeFinding:
        """Agreement with people on these pairs."""
        scale = self.study.design.scale
        sides = self.pairs.people, self.pairs.judge
        return grade_finding(confusions_by_topic(*sides, self.pairs.topics, scale), scale)

    def families(self, is_in: Flags) -> dict[str, Flags]:
        """Members among these runs, of the families with runs on both sides."""
        return {family: self.study.in_family(family)[is_in] for family in self.study.families}

    def related(self, is_in: Flags) -> bool:
        """Whether these runs' order is shown to be related to people's."""
        return self._relation(is_in) is Relation.SHOWN

    def _relation(self, is_in: Flags) -> Relation:
        return self.shuffles.of_runs(is_in).relation(*self._tables(is_in))

    def _tables(self, is_in: Flags) -> tuple[Floats, Floats]:
        return self.pairs.by_people[is_in], self.pairs.by_judge[is_in]

    def rank(self, is_in: Flags) -> RankUse:
        """Use 1 for these runs."""
        design = self.study.design
        return rank_use(
            *self._tables(is_in),
            self.shuffles.of_runs(is_in),
            second=self._second_tau(is_in),
            is_second_whole=is_whole(self.pairs),
            popular_tau=popularity_tau(self.pairs.of_runs(is_in)) if self.is_first else None,
            counts=self.study.counts(self.pairs.topic_count),
            margins=design.margins,
        )

    def _second_tau(self, is_in: Flags) -> Difference | None:
        if not self.assay.is_passed:
            return None
        design = self.study.design
        return second_tau_difference(self._trios(is_in), design.seed, design.replicates)

    def _trios(self, is_in: Flags) -> list[Trio]:
        return [replace(trio, pairs=trio.pairs.of_runs(is_in)) for trio in self.trios]

    def best(self, is_in: Flags) -> BestUse:
        """Use 2 for these runs."""
        people, judge = self._tables(is_in)
        return best_use(
            people,
            judge,
            [tag for tag, is_run in zip(self.study.tags, is_in, strict=True) if is_run],
            margin=best_margin(self.pairs.measure, people, self.study.design.margins),
            is_related=self.related(is_in),
        )

    def treats(self, is_in: Flags) -> FamiliesUse:
        """Use 3 for these runs."""
        return families_use(
            *self._tables(is_in),
            self.pairs.blind[is_in],
            self.families(is_in),
            points=self.study.design.margins.points,
            is_constant=self.pairs.cells.is_constant,
            is_related=self.related(is_in),
        )

    def uses(self, hardly: HardlyGraded) -> Uses:
        """All five uses; the codes of three stand only if runs that people hardly graded do not decide."""
        is_in = self.is_complete
        if not is_in.any():
            return _nothing(self.pairs.topics.size, Reason.NO_COMPLETE_RUN)
        margins, pairs = self.study.design.margins, self.pairs.of_runs(is_in)
        second = second_rate_difference(self._trios(is_in)) if self.assay.is_passed else None
        uses = Uses(
            rank=self.rank(is_in),
            best=self.best(is_in),
            families=self.treats(is_in),
            tune=tune_use(pairs, second=second, is_second_whole=is_whole(pairs), margins=margins),
            label=label_use(self.pairs, self.grades, self.assay, margin=margins.kappa),
            run_count=int(is_in.sum()),
            topic_count=self.pairs.topic_count,
            assay=self.assay,
        )
        return self._without_hardly_graded(uses, hardly) if hardly.runs else uses

    def _without_hardly_graded(self, uses: Uses, hardly: HardlyGraded) -> Uses:
        is_in = self.is_complete & is_kept(self.study, hardly)
        others: dict[str, UseCode] = dict.fromkeys(BY_RUNS, UseCode.OPEN)
        if not hardly.is_too_few_left:
            again = self.rank(is_in), self.best(is_in), self.treats(is_in)
            others = {name: use.code for name, use in zip(BY_RUNS, again, strict=True)}
        decided = tuple(name for name, code in others.items() if getattr(uses, name).code is not code)
        return _opened(replace(uses, runs_decide=decided), decided, Reason.HARDLY_GRADED)


def _opened(uses: Uses, names: tuple[str, ...], reason: Reason) -> Uses:
    """Set the codes of these uses to open, with the reason unless they have one."""
    changed = {}
    for name in names:
        use = getattr(uses, name)
        changed[name] = replace(use, code=UseCode.OPEN, reason=use.reason or reason)
    return replace(uses, **changed)


def uses_of(study: Study, judge: int, hardly: HardlyGraded) -> Uses:
    """The five uses of a judge. Pairs that it left without a grade must not decide a code."""
    pairs = study.in_pair_order(study.shared_pairs(PEOPLE))
    gap = study.grades[judge][pairs] < 0
    every = compared_pairs(study, judge, pairs)
    graded = every.where(~gap)
    if not graded.topics.size:
        return replace(_nothing(pairs.size, Reason.NO_SHARED_PAIR), gap_count=pairs.size)
    uses = _Asked(study, graded, is_first=True).uses(hardly)
    uses = replace(uses, pair_count=pairs.size, gap_count=int(gap.sum()))
    if gap.any() and judge not in study.seconds:  # of a second assessor the numbers count, not the codes
        uses = _opened_by_gaps(study, uses, every, gap, hardly)
    return with_forecasts(uses, study.design.margins, is_second_whole=is_whole(graded))


def people_assay(study: Study) -> AssayFinding:
    """Whether people agree with each other, on all pairs that a second assessor graded."""
    return assay_of(compared_pairs(study, PEOPLE, study.in_pair_order(study.shared_pairs(PEOPLE))))


def compared_pairs(study: Study, judge: int, pairs: Ints) -> ComparedPairs:
    """The pairs with the grades of people, the judge and second assessors, and the runs' results."""
    topics, of_pair = np.unique(study.topic_of_pair[pairs], return_inverse=True)
    index_of_pair = np.full(study.topic_of_pair.size, -1)
    index_of_pair[pairs] = np.arange(pairs.size)
    others = [] if judge in study.seconds else study.seconds
    return ComparedPairs(
        measure=study.measures[0],
        scale=study.design.scale,
        level=study.design.level,
        seed=study.design.seed,
        topics=of_pair,
        topic_count=topics.size,
        people=study.grades[PEOPLE][pairs].astype(np.int64),
        judge=study.grades[judge][pairs].astype(np.int64),
        seconds=tuple(study.grades[second][pairs].astype(np.int64) for second in others),
        results=tuple(run.among(index_of_pair, topics) for run in study.retrieved),
    )


def _opened_by_gaps(study: Study, uses: Uses, every: ComparedPairs, gap: Flags, hardly: HardlyGraded) -> Uses:
    """Open the uses whose code is not the same under the extreme grades of the missing pairs."""
    codes: dict[str, set[UseCode]] = {name: {use.code} for name, use in uses.named()}
    lowest, highest = study.design.scale[0], study.design.scale[-1]
    farthest = np.where(every.people - lowest >= highest - every.people, lowest, highest)
    for fill in (farthest, every.people):
        filled = _Asked(study, every.graded_by(np.where(gap, fill, every.judge))).uses(hardly)
        for name, use in filled.named():
            codes[name].add(use.code)
    is_related = uses.rank.relation is Relation.SHOWN
    codes["families"] |= set(_signed_codes(study, every, gap, is_related=is_related))
    decided = tuple(name for name in USES if len(codes[name]) > 1)
    return _opened(replace(uses, gaps_decide=decided), decided, Reason.GAPS)


def _signed_codes(study: Study, every: ComparedPairs, gap: Flags, *, is_related: bool) -> Iterator[UseCode]:
    """Codes of each family alone, where gaps are filled in its favour and against it."""
    ends = study.design.scale[0], study.design.scale[-1]
    for family in study.families:
        is_in = study.in_family(family)
        exposure = exposure_of(every.results, is_in, every.topics.size)
        for sign in (1, -1):
            judge = signed_grades(every.judge, exposure, sign=sign, gap=gap, ends=ends)
            pairs = every.graded_by(judge)
            yield families_use(
                pairs.by_people,
                pairs.by_judge,
                pairs.blind,
                {family: is_in},
                points=study.design.margins.points,
                is_constant=pairs.cells.is_constant,
                is_related=is_related,
            ).code


def _nothing(pair_count: int, reason: Reason) -> Uses:
    """The uses where there is nothing to compare."""
    said: dict[str, Any] = {"code": UseCode.OPEN, "reason": reason}
    return Uses(
        rank=RankUse(**said),
        best=BestUse(**said),
        families=FamiliesUse(**said),
        tune=TuneUse(**said),
        label=LabelUse(**said),
        pair_count=pair_count,
    )
