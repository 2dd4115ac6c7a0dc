"""Trust in an assessor's grades: does the assessor look at the items, and from which window on not?

A Bayes factor in sequence: how much likelier are the grades of a window and of all later ones under a kind of
bad work than under honest work with some slips and some leniency. Kinds, first windows and honest assessors
are mixed with fixed weights. So the factor of an honest assessor exceeds 1/alpha at any time with a chance of
at most alpha (Ville's inequality), as far as honest assessors and others' grades are as modelled.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from trackside.arrays import Flags, Floats, Ints

WINDOW = 50  # items
SLIPS = (0.02, 0.08, 0.15, 0.22)
SHIFTS = (-0.1, 0.0, 0.08, 0.16)  # leniency: how often an honest assessor gives one grade more, or less
OTHER = (0.14, 0.07)  # slip and leniency of an assessor of whom nothing is known
COMMON = 0.4  # share of items above the lowest grade from which on slips on lowest grades are as usual
FAST = 0.8  # seconds: a window with a faster median gets FAST_WEIGHT times the weight as the first bad one
FAST_WEIGHT = 6.0
KINDS = (  # of bad work, with weights
    ("does not look", 0.25),
    ("does not look at many items", 0.25),
    ("grades higher than others", 0.2),
    ("grades lower than others", 0.1),
    ("turns the scale round", 0.2),
)
MANY = 0.6


@dataclass(frozen=True)
class Suspicion:
    """The likeliest bad work of an assessor: its kind, its first window from 0, and the evidence.

    ``log_factor`` is the highest logarithm of the factor of all kinds and windows, reached with the item of
    index ``last``; ``item_count`` counts the items with a known or second grade until then.
    """

    kind: str
    window: int
    log_factor: float
    item_count: int
    last: int


def honest_confusion(slip: float, shift: float, *, share: float, size: int) -> Floats:
    """Return the chances of each grade (columns) for each true one (rows) by an honest assessor.

    A slip goes to a neighbour; ``shift`` moves grades up, below 0 down. Where few items are above the lowest
    grade (``share``), people also find fewer by mistake.
    """
    few = min(1.0, share / COMMON)
    matrix = np.zeros((size, size))
    for grade in range(size):
        scale = few if grade == 0 else 1.0
        near = [other for other in (grade - 1, grade + 1) if 0 <= other < size]
        chances = np.zeros(size)
        chances[grade] = 1 - slip * scale
        chances[near] += slip * scale / len(near)
        matrix[grade] = _moved(chances, max(shift, 0.0) * scale, max(-shift, 0.0))
    return matrix


@lru_cache(maxsize=64)
def honest_confusions(share: float, size: int) -> Floats:
    """Return the confusion matrices of the honest assessors that are mixed: assessors x grades x grades."""
    pairs = product(SLIPS, SHIFTS)
    return np.stack([honest_confusion(*pair, share=share, size=size) for pair in pairs])


def _moved(chances: Floats, up: float, down: float) -> Floats:
    """Move chances of grades (last axis) up by one with chance ``up``, down with ``down``; the ends stay."""
    higher, lower = np.zeros_like(chances), np.zeros_like(chances)
    higher[..., 1:] = chances[..., :-1]
    higher[..., -1] += chances[..., -1]
    lower[..., :-1] = chances[..., 1:]
    lower[..., 0] += chances[..., 0]
    return np.asarray((1 - up - down) * chances + up * higher + down * lower)


def suspicion_of(
    grades: Ints, truth: Floats, is_known: Flags, seconds: Floats, prior: Floats
) -> Suspicion | None:
    """Return what an assessor's grades, in order of judging, say about bad work; None without evidence.

    ``grades`` are indices on the scale. ``truth`` has the chances of each true grade by gold, by others' or
    by the assessor's own other grade of the item, where ``is_known``. ``seconds`` are NaN if not measured.
    ``prior`` has the share of each grade in the task.
    """
    known = np.flatnonzero(is_known)
    if not known.size:
        return None
    starts = np.arange(0, known[-1] + 1, WINDOW)
    honest = _honest(truth[known], prior)
    own = grades[known]
    bad = np.log(_bad(honest, own, _base_rates(grades, prior.size)[known]))
    good = np.log(honest[:, np.arange(own.size), own])
    scores = _scores(good, bad, np.searchsorted(known, starts))
    weights = _window_weights(seconds, starts)
    kinds = np.log([weight for _, weight in KINDS])
    weighted = scores + kinds[:, None, None] + np.log(weights)[None, :, None]
    factors = np.logaddexp.reduce(weighted.reshape(-1, own.size), axis=0)
    at = int(factors.argmax())
    kind, window = np.unravel_index(weighted[:, :, at].argmax(), weighted.shape[:2])
    return Suspicion(KINDS[kind][0], int(window), float(factors[at]), at + 1, int(known[at]))


def _honest(truth: Floats, prior: Floats) -> Floats:
    """Return the chances of each grade: honest assessors x items x grades."""
    return np.asarray((truth @ honest_confusions(float(1 - prior[0]), prior.size)).clip(1e-3))


def _bad(honest: Floats, own: Ints, base: Floats) -> Floats:
    """Return the chance of each item's own grade: kinds x honest assessors x items."""
    items = np.arange(own.size)
    careful = honest[:, items, own]
    moved = [_moved(honest, up, down)[:, items, own] for up, down in ((0.6, 0.0), (0.0, 0.6))]
    reversed_ = honest[:, :, ::-1][:, items, own]
    blind = np.broadcast_to(base, careful.shape)
    return np.stack([blind, MANY * blind + (1 - MANY) * careful, *moved, reversed_])


def _base_rates(grades: Ints, size: int) -> Floats:
    """Return for each item the share of its grade among the others of its window, one of each added."""
    rates = np.empty(grades.size)
    for start in range(0, grades.size, WINDOW):
        part = grades[start : start + WINDOW]
        counts = np.bincount(part, minlength=size)
        rates[start : start + WINDOW] = (counts[part] - 1 + 1.0) / (part.size - 1 + size)
    return rates


def _scores(good: Floats, bad: Floats, first: Ints) -> Floats:
    """Return the log factors: kinds x windows x items; 0 before a window begins.

    ``good`` are log chances by honest assessor and item, ``bad`` by kind, too; ``first`` has the index of the
    first item of each window.
    """
    before = np.concatenate([np.zeros((len(good), 1)), good.cumsum(axis=1)], axis=1)
    after = np.concatenate([np.zeros((*bad.shape[:2], 1)), bad.cumsum(axis=2)], axis=2)
    null = np.logaddexp.reduce(before[:, 1:], axis=0)
    scores = np.zeros((len(bad), len(first), good.shape[1]))
    for window, start in enumerate(first):
        changed = before[None, :, start, None] + after[:, :, start + 1 :] - after[:, :, start, None]
        scores[:, window, start:] = np.logaddexp.reduce(changed, axis=1) - null[start:]
    return scores


def _window_weights(seconds: Floats, starts: Ints) -> Floats:
    """Return the weight of each window as the first bad one: half for the first, more for fast ones."""
    weights = np.ones(starts.size)
    weights[0] = max(starts.size - 1, 1)
    for window, start in enumerate(starts):
        part = seconds[start : start + WINDOW]
        measured = part[~np.isnan(part)]
        if measured.size and np.median(measured) < FAST:
            weights[window] *= FAST_WEIGHT
    return np.asarray(weights / weights.sum())


def expected_factor(truth: Floats, prior: Floats) -> float:
    """Return the expected log factor of items graded in proportion to ``prior``, without a look."""
    if not len(truth):
        return 0.0
    honest = _honest(truth, prior).mean(axis=0)
    return float((prior * (np.log(prior) - np.log(honest))).sum())
