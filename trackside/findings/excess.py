"""Does the judge rate a family of runs above people, beyond its leniency, for these runs and in general?

``judge`` and ``blind`` are values [run, topic] under the judge and expected under run-blind judges; ``is_in``
flags the family's runs. Runs are fixed, topics are the sample.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from trackside.arrays import Flags, Floats, value_or_none
from trackside.findings.results import GeneralFinding
from trackside.findings.retrieved import means_of
from trackside.findings.verdicts import FamilyVerdict, GeneralVerdict
from trackside.statistics.estimate import Reason
from trackside.statistics.ranks import TIE
from trackside.uncertainty.intervals import FEWEST_TOPICS, jackknife_error, means_without_each, t_quantile

ALPHA = 0.05
LEAST_VISIBLE = 0.5  # share of a favour that the excess must be able to show for "within the margin"
LEAST_FREEDOM = 4.0  # degrees of freedom below which the test over teams has no verdict
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class Excess:
    """The excess in points of Relative Delta; ``p`` is None, with a reason, if it was not tested."""

    value: float | None
    error: float | None
    topic_count: int
    p: float | None
    reason: Reason | None

    def ends(self, level: float) -> tuple[float | None, float | None]:
        """Ends of the interval at this level; both None without one."""
        if self.value is None or self.error is None:
            return None, None
        half_width = float(t_quantile(self.topic_count - 1.0, level)) * self.error
        return self.value - half_width, self.value + half_width


def relative_delta(means: Floats, is_in: Flags) -> Floats:
    """200 (family - others) / (family + others) of means [run, ...]; NaN where both are 0."""
    family, others = means[is_in].mean(axis=0), means[~is_in].mean(axis=0)
    total = family + others
    delta: Floats = np.divide(
        200 * (family - others), total, out=np.full(np.shape(total), np.nan), where=total > 0
    )
    return delta


def delta_of(values: Floats, is_in: Flags) -> float | None:
    """Relative Delta of the family by these values [run, topic]; None if it is undefined."""
    if is_in.all() or not is_in.any() or not values.shape[1]:
        return None
    return value_or_none(float(relative_delta(means_of(values), is_in)))


def excesses_of(
    judge: Floats, blind: Floats, families: Mapping[str, Flags], *, is_constant: bool
) -> tuple[dict[str, Excess], float]:
    """The excess of each family, and the level of their intervals, which share the error of 5 %."""
    excesses = {
        family: excess_of(judge, blind, is_in, is_constant=is_constant) for family, is_in in families.items()
    }
    return excesses, 1 - ALPHA / max(sum(excess.p is not None for excess in excesses.values()), 1)


def excess_of(judge: Floats, blind: Floats, is_in: Flags, *, is_constant: bool) -> Excess:
    """The judge's Relative Delta less the run-blind judges'; ``is_constant``: one side gave one grade."""
    topics = judge.shape[1]
    if not topics:
        return Excess(None, None, topics, None, Reason.NO_SHARED_PAIR)
    if is_in.all() or not is_in.any():
        return Excess(None, None, topics, None, Reason.NO_RUN_ON_ONE_SIDE)
    value = float(_excess(judge.mean(axis=1), blind.mean(axis=1), is_in))
    if np.isnan(value):
        return Excess(None, None, topics, None, Reason.ALL_MEANS_ZERO)
    if topics < FEWEST_TOPICS or is_constant:
        reason = Reason.TOO_FEW_TOPICS if topics < FEWEST_TOPICS else Reason.CONSTANT_GRADES
        return Excess(value, None, topics, None, reason)
    left_out = _excess(means_without_each(judge).T, means_without_each(blind).T, is_in)
    if np.isnan(left_out).any():
        return Excess(value, None, topics, None, Reason.HANGS_ON_ONE_TOPIC)
    error = jackknife_error(left_out)
    if error <= _SAME:
        return Excess(0.0 if abs(value) < TIE else value, 0.0, topics, None, Reason.SAME_WITHOUT_EACH_TOPIC)
    return Excess(value, error, topics, _two_sided(value / error, topics - 1), None)


def _excess(judge: Floats, blind: Floats, is_in: Flags) -> Floats:
    return relative_delta(judge, is_in) - relative_delta(blind, is_in)


def family_verdict(
    low: float | None, high: float | None, *, margin: float, visible: float | None
) -> tuple[FamilyVerdict, Reason | None]:
    """The verdict by the ends of the interval, and the reason if too little can be compared."""
    if low is None or high is None:
        return FamilyVerdict.UNDEFINED, None
    if low > 0:
        return (FamilyVerdict.ABOVE_WITHIN if high <= margin else FamilyVerdict.ABOVE), None
    if high < 0:
        return (FamilyVerdict.BELOW_WITHIN if low >= -margin else FamilyVerdict.BELOW), None
    if not -margin <= low <= high <= margin:
        return FamilyVerdict.NOT_PRECISE, None
    if visible is not None and visible < LEAST_VISIBLE:
        return FamilyVerdict.NOT_PRECISE, Reason.LITTLE_TO_COMPARE
    return FamilyVerdict.WITHIN, None


def general_finding(
    judge: Floats,
    blind: Floats,
    is_in: Flags,
    *,
    teams: Sequence[str],
    excess: Excess,
    verdict: FamilyVerdict,
) -> GeneralFinding:
    """Test clustered by team: CR2 with an identity working model (Bell and McCaffrey 2002)."""
    if excess.p is None:
        return GeneralFinding(verdict=GeneralVerdict.NOT_SAID, reason=excess.reason)
    if not teams:
        return GeneralFinding(verdict=GeneralVerdict.NOT_SAID, reason=Reason.TEAMS_NOT_DECLARED)
    of_run = np.array(teams)
    if min(np.unique(of_run[side]).size for side in (is_in, ~is_in)) < 2:
        return GeneralFinding(verdict=GeneralVerdict.NOT_SAID, reason=Reason.ONE_TEAM_ON_A_SIDE)
    # Points of each run; the family's mean less the others' is the excess.
    means = [values.mean(axis=1) for values in (judge, blind)]
    points = [200 * mean / (mean[is_in].mean() + mean[~is_in].mean()) for mean in means]
    error, freedom, p = _clustered(points[0] - points[1], is_in, of_run)
    if freedom < LEAST_FREEDOM:
        general, reason = GeneralVerdict.NOT_SAID, Reason.TOO_FEW_DEGREES_OF_FREEDOM
    else:
        is_shown = (verdict.is_above or verdict.is_below) and max(excess.p, p) <= ALPHA
        general, reason = GeneralVerdict.SHOWN if is_shown else GeneralVerdict.NOT_SHOWN, None
    return GeneralFinding(error=error, freedom=freedom, p=p, verdict=general, reason=reason)


def _clustered(points: Floats, is_in: Flags, teams: Floats) -> tuple[float, float, float]:
    """Standard error, degrees of freedom and two-sided p of the family's coefficient."""
    design = np.column_stack((np.ones(points.size), is_in.astype(np.float64)))
    inverse = np.linalg.inv(design.T @ design)
    hat = design @ inverse @ design.T
    residuals = points - hat @ points
    coefficient = float((inverse @ design.T @ points)[1])
    weights = []
    for team in dict.fromkeys(teams.tolist()):
        rows = np.flatnonzero(teams == team)
        root = _inverse_root(np.eye(rows.size) - hat[np.ix_(rows, rows)])
        weight = np.zeros(points.size)
        weight[rows] = root @ design[rows] @ inverse[:, 1]
        weights.append(weight)
    by_team = np.array(weights)
    variance = float(((by_team @ residuals) ** 2).sum())
    spread = by_team - by_team @ hat
    form = spread @ spread.T
    freedom = float(np.trace(form) ** 2 / (form**2).sum())
    error = variance**0.5
    if error <= _SAME:
        return error, freedom, 0.0 if abs(coefficient) > _SAME else 1.0
    return error, freedom, _two_sided(coefficient / error, freedom)


def _inverse_root(matrix: Floats) -> Floats:
    """The symmetric inverse square root; 0 along eigenvectors without a positive eigenvalue."""
    eigenvalues, vectors = np.linalg.eigh(matrix)
    is_positive = eigenvalues > 1e-10
    roots = np.where(is_positive, 1 / np.sqrt(np.where(is_positive, eigenvalues, 1.0)), 0.0)
    root: Floats = (vectors * roots) @ vectors.T
    return root


def _two_sided(ratio: float, freedom: float) -> float:
    """The two-sided p of Student's t."""
    from scipy.special import stdtr  # scipy is slow to load

    return float(2 * stdtr(freedom, -abs(ratio)))
