"""Does a judge favour a family of runs beyond what its leniency explains?

Relative Delta of a judge minus people's is a difference, not a favour: every lenient judge lifts the weaker
family. The excess is Relative Delta minus that of run-blind judges, which have the same confusion matrix but
cannot see runs. "Favours" needs two significant tests: a t test of the delete-one-topic jackknife (does the
excess hold on new topics?) and a permutation of teams (would other families of whole teams show it?).

Source: Relative Delta of Dai et al. 2023 as used in the track paper of 2024; the jackknife of Tukey 1958.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.core.arrays import Flags, Floats
from evaluation.core.statistics.estimate import Estimate, Interval, Reason
from evaluation.core.statistics.families.contrasts import Contrast, contrast, undefined_contrast
from evaluation.core.statistics.families.relative_delta import deltas_of_flags, deltas_of_rows, relative_delta
from evaluation.core.statistics.families.team_permutation import team_arrangements, team_count
from evaluation.core.statistics.ranks import TIE
from evaluation.core.uncertainty import (
    LEVEL,
    crossed_interval,
    jackknife_interval,
    means_without_each,
)


@dataclass(frozen=True, slots=True)
class Favour:
    """Relative Delta of people, judge and run-blind judges in per cent; the excess in percentage points."""

    people: Estimate
    judge: Estimate
    difference: Estimate
    difference_interval: Interval
    blind: Estimate
    blind_range: Interval
    excess: Contrast
    crossed: Interval
    teams: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Blind:
    """Values under run-blind judges on the topics of a comparison.

    ``expected`` are values [run, topic], ``means`` [draw, run] the means of each drawn judge, ``moved``
    [topic, run] the changes of the expected means if a topic is left out, because this changes the
    judge's confusion matrix.
    """

    expected: Floats
    means: Floats
    moved: Floats

    def left_out(self, in_family: Flags) -> Floats:
        """Expected Relative Delta without each topic, from the confusion matrix without that topic too."""
        if self.expected.shape[1] < 2:
            return np.empty(0)
        return deltas_of_rows(means_without_each(self.expected) + self.moved, in_family)


def favour(
    people: Floats,
    judge: Floats,
    blind: Blind,
    in_family: Flags,
    teams: Sequence[str],
    *,
    seed: int,
    alpha: float = 0.05,
) -> Favour:
    """Compare a family with the other runs; ``people`` and ``judge`` are values [run, topic].

    Undefined without topics, if the family has no run or all runs, and if all means are zero.
    """
    if not judge.shape[1]:
        return _undefined_favour(Reason.NO_SHARED_TOPIC, team_count(teams, in_family))
    if in_family.all() or not in_family.any():
        return _undefined_favour(Reason.EMPTY_FAMILY, team_count(teams, in_family))
    tables = people, judge, blind.expected
    deltas = [relative_delta(each.mean(axis=1), in_family) for each in tables]
    own, guess, expected = deltas
    return Favour(
        own,
        guess,
        guess.minus(own),
        _interval(guess.minus(own), _left_out(judge, in_family) - _left_out(people, in_family)),
        expected.minus(own),
        _range(expected.minus(own), deltas_of_rows(blind.means, in_family), own),
        _excess(judge, blind, in_family, teams, guess.minus(expected), seed=seed, alpha=alpha),
        _crossed(judge, blind, in_family, teams, guess.minus(expected)),
        team_count(teams, in_family),
    )


def _excess(
    judge: Floats,
    blind: Blind,
    in_family: Flags,
    teams: Sequence[str],
    value: Estimate,
    *,
    seed: int,
    alpha: float,
) -> Contrast:
    if value.value is None:
        return undefined_contrast(value)
    left_out = _left_out(judge, in_family) - blind.left_out(in_family)
    arrangements = team_arrangements(in_family, teams, seed=seed)
    means, expected = judge.mean(axis=1), blind.expected.mean(axis=1)
    others = deltas_of_flags(means, arrangements.rows) - deltas_of_flags(expected, arrangements.rows)
    return contrast(value.value, left_out, in_family, arrangements, others, alpha=alpha)


def _crossed(
    judge: Floats, blind: Blind, in_family: Flags, teams: Sequence[str], value: Estimate
) -> Interval:
    """The interval of the excess over new topics and other teams of both kinds."""
    if value.value is None:
        return Interval.undefined(value.reason or Reason.EMPTY, LEVEL)
    names = np.asarray(teams)
    with np.errstate(divide="ignore", invalid="ignore"):  # no mean is left without the only topic
        means = np.vstack([judge.mean(axis=1), means_without_each(judge)])
        expected = np.vstack([blind.expected.mean(axis=1), means_without_each(blind.expected) + blind.moved])
    without = [
        np.array(
            [
                relative_excesses(means[:, others], expected[:, others], in_family[others])
                for team in np.unique(names[side])
                for others in (~(side & (names == team)),)
            ]
        )
        for side in (in_family, ~in_family)
    ]
    left_out = relative_excesses(means, expected, in_family)[1:]
    counts = [np.unique(names[side], return_counts=True)[1] for side in (in_family, ~in_family)]
    return crossed_interval(
        value, left_out, [each[:, 0] for each in without], [each[:, 1:] for each in without], counts
    )


def relative_excesses(means: Floats, expected: Floats, in_family: Flags) -> Floats:
    """Relative Delta of each row of means [row, run] minus that of expected means; NaN where undefined."""
    if in_family.all() or not in_family.any():
        return np.full(len(means), np.nan)
    return deltas_of_rows(means, in_family) - deltas_of_rows(expected, in_family)


def _undefined_favour(reason: Reason, teams: tuple[int, int]) -> Favour:
    nothing, no_interval = Estimate.undefined(reason), Interval.undefined(reason, LEVEL)
    excess = undefined_contrast(nothing)
    return Favour(nothing, nothing, nothing, no_interval, nothing, no_interval, excess, no_interval, teams)


def _left_out(values: Floats, in_family: Flags) -> Floats:
    """Relative Delta without each topic in turn; NaN where it is undefined."""
    if values.shape[1] < 2:
        return np.empty(0)
    return deltas_of_rows(means_without_each(values), in_family)


def _interval(value: Estimate, left_out: Floats) -> Interval:
    if value.value is None:
        return Interval.undefined(value.reason or Reason.EMPTY, LEVEL)
    return jackknife_interval(value, left_out, freedom="topics")


def _range(expected: Estimate, deltas: Floats, own: Estimate) -> Interval:
    """The middle 95 % of the differences under run-blind judges."""
    known = deltas[~np.isnan(deltas)]
    if expected.value is None or own.value is None or not known.size:
        return Interval.undefined(expected.reason or Reason.EMPTY, LEVEL)
    if np.ptp(known) < TIE:  # a judge with one grade for each of people's: run-blind judges are all the same
        return Interval.undefined(Reason.CONSTANT, LEVEL)
    low, high = np.quantile(known, (0.025, 0.975)) - own.value
    return Interval(float(low), float(high), LEVEL)
