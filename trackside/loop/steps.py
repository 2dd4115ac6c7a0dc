"""The steps of a plan: draw the next batch, and look at what people have graded so far."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.errors import InputError
from trackside.loop.claims import Claims, z_over_looks
from trackside.loop.drawing import Batch, Beliefs, draw_batch, influences, run_weights
from trackside.loop.estimating import FEWEST_GRADED, Look, finished, look
from trackside.loop.orders import DRAWN, pair_order
from trackside.loop.plan import Grades, Plan
from trackside.loop.targets import Target
from trackside.pooling.universe import Heads, Universe

_OF_LOOK = 1_000_000  # seeds of looks, apart from those of batches


@dataclass(frozen=True)
class State:
    """A plan and what has happened: ``universe`` of the frozen runs, scores [judge, pair] of each version of
    the judges, the drawn batches, people's grades, and the withdrawn runs.
    """

    plan: Plan
    universe: Universe
    judges: Sequence[Floats]
    batches: Sequence[Batch]
    grades: Grades
    withdrawn: AbstractSet[str] = frozenset()

    def __post_init__(self) -> None:
        if unknown := sorted(self.withdrawn - set(self.universe.tags)):
            known = ", ".join(self.universe.tags)
            raise InputError(f"no run has the tag {', '.join(unknown)}; there are {known}.")
        if self.withdrawn == set(self.universe.tags):
            raise InputError("every run is withdrawn: nothing is left to estimate.")

    @cached_property
    def kept(self) -> Universe:
        """The universe with the runs that are not withdrawn."""
        return self.universe.without(self.withdrawn)

    @cached_property
    def prefixes(self) -> tuple[int, ...]:
        """How many pairs of each batch are finished, in its order."""
        return tuple(finished(batch, self.grades.values, self.grades.cannot) for batch in self.batches)

    @property
    def left(self) -> int:
        """Pairs of the plan that still wait for a grade, drawn or not."""
        drawn = sum(len(batch.order) for batch in self.batches)
        return drawn - sum(self.prefixes) + sum(self.plan.sizes[len(self.batches) :])

    @cached_property
    def beliefs(self) -> list[Beliefs]:
        """By version of the judges, calibrated to all grades."""
        beliefs = [Beliefs(self.universe, scores, self.plan.highest) for scores in self.judges]
        for version in {len(beliefs) - 1, *(batch.version for batch in self.batches)}:
            beliefs[version].learn(self.grades.values)
        return beliefs

    def next_batch(self) -> Batch:
        """Draw the next batch. Raises InputError if none is due."""
        plan, number, grades = self.plan, len(self.batches), self.grades
        is_open = (grades.values < 0) & ~grades.cannot
        self._refuse_undue(int(is_open.sum()))
        version, size = len(self.judges) - 1, plan.sizes[number]
        if plan.recipe not in DRAWN:
            order = pair_order(self.kept, plan.recipe, grades.values, plan.seed)
            order = order[is_open[order]][:size]
            return Batch(order, np.isin(np.arange(len(is_open)), order).astype(float), version)
        rng = np.random.default_rng([plan.seed, number])
        sizes = np.ones(len(is_open))
        if plan.recipe == "influence":
            weights, target = None, Target.of(plan.measures[0], self.kept, plan.highest)
            if plan.aim.top and (seen := self.look(plan.measures[0])):
                weights = run_weights(seen.means, seen.covariance, plan.aim.top)
            sizes = influences(self.beliefs[-1], target, grades.values, rng, weights)
        return draw_batch(sizes, is_open, size, rng, version)

    def _refuse_undue(self, open_count: int) -> None:
        number = len(self.batches)
        if not open_count:
            raise InputError("every pair of the universe is finished: nothing is left to draw.")
        if number == len(self.plan.sizes):
            raise InputError(
                f"all {number} batches of the plan are drawn. For more, make a new plan in another folder "
                "and give it the grades so far with plan next --qrels.",
                code="plan-drawn",
            )
        if number and self.prefixes[-1] < min(FEWEST_GRADED, len(self.batches[-1].order)):
            raise InputError(
                f"batch {number}: {self.prefixes[-1]} of its first {FEWEST_GRADED} pairs have a grade. Give "
                "people's grades with --qrels FILE first; a batch is never drawn again.",
                code="batch-not-graded",
            )

    def look(self, measure: str, new_runs: Heads | None = None) -> Look | None:
        """Estimate a measure of every run, of ``new_runs`` too; None while there are too few grades."""
        plan, universe = self.plan, self.kept.with_runs(new_runs or {})
        target = Target.of(measure, universe, plan.highest)
        if plan.recipe not in DRAWN:  # no chances, so nothing is known of what is not graded
            means = target.values(self.grades.values).mean(axis=0)
            return Look(means, np.full((len(means),) * 2, np.nan), ())
        rng = np.random.default_rng([plan.seed, _OF_LOOK + len(self.batches)])
        return look(
            self.beliefs, target, self.grades.values, self.batches, self.prefixes, rng,
            has_fixed_weights=plan.has_fixed_weights,
        )  # fmt: skip

    def estimate(self, measure: str, z: float, new_runs: Heads | None = None) -> MeasureEstimate:
        """What a look says of a measure. Raises too-few-grades."""
        seen = self.look(measure, new_runs)
        if seen is None:
            raise InputError(
                f"no batch has {FEWEST_GRADED} graded pairs in its order. Give people's grades with --qrels "
                "FILE: topic, 0, docno and grade on each line.",
                code="too-few-grades",
            )
        claims = Claims(seen, z, self.kept.with_runs(new_runs or {}).is_first)
        tau = claims.tau(np.random.default_rng(self.plan.seed)) if seen.weights else (np.nan,) * 3
        ends: list[Floats] = []
        for grade in (0, self.plan.highest) if self.grades.cannot.any() else ():
            filled = replace(self, grades=self.grades.filled(grade)).look(measure, new_runs)
            ends += [filled.means] if filled else []
        return MeasureEstimate(measure, claims, tau, tuple(ends))

    def z(self, looks: int) -> float:
        """The z that holds over all looks, of which there were so far ``looks``."""
        return z_over_looks(max(len(self.plan.sizes), looks))

    def predictions(self) -> tuple[Ints, Floats, Floats]:
        """Graded pairs of all batches, their tails [pair, grade from 1] under a model without the grades of
        their batch, and one over their chances.
        """
        beliefs, grades, rows = self.beliefs, self.grades.values, []
        rng = np.random.default_rng([self.plan.seed, _OF_LOOK])
        for batch in self.batches:
            pairs = batch.order[grades[batch.order] >= 0]
            tails = beliefs[batch.version].tails(pairs, rng, (grades, batch.order)).mean(axis=0)
            rows.append((pairs, tails, 1 / batch.chance[pairs]))
        pairs, tails, weights = (np.concatenate(column) for column in zip(*rows, strict=True))
        return pairs, tails, weights


@dataclass(frozen=True)
class MeasureEstimate:
    """What is known of one measure: claims about the runs, tau's interval, and the means with all pairs that
    nobody can grade at 0 and at the top grade, if there are such pairs.
    """

    measure: str
    claims: Claims
    tau: tuple[float, float, float]
    extremes: tuple[Floats, ...]

    def stop(self, plan: Plan, *, has_claims: bool) -> bool:
        """Whether the plan's aim is reached; without claims on values, only its width counts."""
        aim = plan.aim if has_claims else replace(plan.aim, top=None, tau=None)
        return aim.is_reached(
            self.claims, self.tau[0], sum(weight > 0 for weight in self.claims.look.weights)
        )
