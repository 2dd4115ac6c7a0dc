"""Judges: any scores or grades, several at once, with gaps; what is known of a pair before people grade."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from trackside.arrays import Flags, Floats, Ints
from trackside.pooling.universe import Universe

MOST_STEPS = 8  # a judge with more distinct values is read as a score
TRUST = 0.25  # in judges, before anybody has graded; .5 gives wider intervals
SHRINKING = 0.35  # each grade is that much rarer than the one below, before anybody has graded


def features_of(universe: Universe, scores: Floats) -> tuple[Floats, Floats, Floats]:
    """What is known of each pair before people grade it, from judges' scores [judge, pair], NaN where a judge
    gave none: columns [pair, column], the ridge penalty of each, and the columns [pair, 2] whose weights vary
    by topic: one, and the judges' mean standard score. A constant judge tells nothing.
    """
    share = np.isfinite(universe.ranks).mean(axis=1)
    found = _standard(np.log(share + 0.5 / len(universe.tags)))
    best = _standard(1 / np.log2(universe.ranks.min(axis=1) + 1))
    columns, penalties = [np.ones(len(found)), found, found**2 - 1, best], [1e-3, 0.05, 0.3, 0.3]
    standards = [np.zeros(len(found))]
    telling = [row for row in scores if is_telling(row)]
    for row in telling:
        has = ~np.isnan(row)
        own, ridges, standard = _columns(row[has])
        columns += [_filled(column - column.mean(), has) for column in own]
        penalties += ridges
        standards.append(_filled(standard, has))
        if not has.all():
            columns.append((~has).astype(float))
            penalties.append(0.3)
    score = np.sum(standards, axis=0) / max(len(telling), 1)
    if telling:
        columns.append(score * found)
        penalties.append(1.0)
    return np.array(columns).T, np.array(penalties), np.stack([np.ones(len(score)), score], axis=1)


def is_telling(scores: Floats) -> bool:
    """Whether a judge gave two different scores."""
    return len(np.unique(scores[~np.isnan(scores)])) > 1


def _columns(scores: Floats) -> tuple[list[Floats], list[float], Floats]:
    """Columns of one judge with their penalties, and its standard score: a step at each value, or of many
    values the normal score and its square.
    """
    values, ranks, counts = np.unique(scores, return_inverse=True, return_counts=True)
    if len(values) <= MOST_STEPS:
        steps = [(scores >= value).astype(float) for value in values[1:]]
        return steps, [0.1] * len(steps), _standard(scores)
    normal = _standard(ndtri((counts.cumsum() - counts / 2) / len(scores))[ranks])
    return [normal, normal**2], [0.1, 0.3], normal


def _filled(values: Floats, has: Flags) -> Floats:
    full = np.zeros(len(has))
    full[has] = values
    return full


def _standard(values: Floats) -> Floats:
    spread = values.std()
    return (values - values.mean()) / spread if spread > 0 else values * 0


def guessed_tails(scores: Floats, highest: int, topic: Ints, shifts: Floats) -> Floats:
    """Chances [draw, pair, grade from 1] of at least a grade before anybody graded: by a prior, and for a
    quarter by the judges, with ``shifts`` [draw, topic] of the log odds.
    """
    prior: Floats = SHRINKING ** np.arange(highest + 1.0)
    prior = prior / prior.sum()
    guesses = np.tile((1 - TRUST) * prior, (len(topic), 1))
    for row in scores:
        has = ~np.isnan(row)
        guesses[has] += TRUST / len(scores) * np.eye(highest + 1)[_as_grades(row[has], prior)]
    guesses /= guesses.sum(axis=1, keepdims=True)
    tails = guesses[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
    odds = tails / (1 - tails + 1e-9) * np.exp(shifts)[:, topic, None]
    return np.asarray(odds / (1 + odds))


def _as_grades(scores: Floats, prior: Floats) -> Ints:
    """Whole numbers up to the highest grade as grades; other scores by their order, in the prior's shares."""
    if (scores == scores.round()).all() and ((scores >= 0) & (scores < len(prior))).all():
        return scores.astype(int)
    _, ranks, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = (counts.cumsum() - counts / 2) / len(scores)
    return np.searchsorted(prior.cumsum()[:-1], middle)[ranks]
