"""Rank-biased overlap of two rankings, with ties.

Source: Webber, Moffat and Zobel, TOIS 2010; ties after Corsi and Urbano, SIGIR 2024. A ranking is a sequence
of groups, best first; the items of a group are tied. The rankings need not hold the same items.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from trackside.arrays import Floats
from trackside.statistics.ranks import mid_ranks

Groups = Sequence[Sequence[str]]
Ties = Literal["a", "b", "w"]


@dataclass(frozen=True, slots=True)
class RankBiasedOverlap:
    """The overlap extrapolated from the given ranks, and its bounds for longer rankings."""

    extrapolated: float
    least: float
    most: float

    @property
    def residual(self) -> float:
        """Difference of the bounds."""
        return self.most - self.least


def groups_by_value(values: Mapping[str, float]) -> list[list[str]]:
    """Names in order of descending value, tied ones (`ranks.TIE`) in one group."""
    names = sorted(values)
    groups: dict[float, list[str]] = {}
    for name, rank in zip(names, mid_ranks([-values[name] for name in names]), strict=True):
        groups.setdefault(float(rank), []).append(name)
    return [groups[rank] for rank in sorted(groups)]


def rank_biased_overlap(x: Groups, y: Groups, *, p: float, ties: Ties = "a") -> RankBiasedOverlap:
    """RBO with persistence p (0 < p < 1) of two rankings that are not empty.

    Ties: `a` averages over the orders of tied items, `b` corrects that for the information that ties lose,
    `w` treats tied items as equal in rank. Without ties all three agree.
    """
    if not 0 < p < 1:
        raise ValueError("persistence p lies between 0 and 1")
    short, long = sorted((x, y), key=lambda groups: sum(map(len, groups)))
    s, n = (sum(map(len, groups)) for groups in (short, long))
    if not s:
        raise ValueError("a ranking is empty")
    items = {item: row for row, item in enumerate(dict.fromkeys(i for g in (*short, *long) for i in g))}
    seen_s, seen_l = (_contributions(groups, items, n, ties) for groups in (short, long))
    seen_s[:, s:] = seen_s[:, s - 1 : s]
    depths = np.arange(1, n + 1)
    overlap = (seen_s * seen_l).sum(axis=0)
    norm = _norm(seen_s, seen_l, s, ties)
    end = overlap[s - 1] / norm[s - 1]
    absent = seen_s[:, s - 1] == 0
    expected = overlap + _unseen(seen_l[absent], s) * end * np.maximum(depths - s, 0)
    reachable = overlap + _best_unseen(seen_l[absent], s)
    weights = p**depths

    def weighted(agreement: Floats, beyond: float) -> float:
        return float((1 - p) / p * ((agreement / norm * weights).sum() + beyond))

    last = overlap[-1]
    return RankBiasedOverlap(
        weighted(expected, (last + (n - s) * end) / n * p ** (n + 1) / (1 - p)),
        weighted(overlap, last * (-np.log1p(-p) - (weights / depths).sum())),
        weighted(reachable, _best_beyond(last, s, n, p)),
    )


def _contributions(groups: Groups, items: Mapping[str, int], depth: int, ties: Ties) -> Floats:
    """Fraction of each item (row) seen at each depth (column): tied items gradually, or at once for `w`."""
    seen = np.zeros((len(items), depth))
    top = 0
    for group in groups:
        rows = [items[item] for item in group]
        within = np.arange(1, len(group) + 1) / len(group)
        seen[rows, top : top + len(group)] = 1.0 if ties == "w" else within
        top += len(group)
        seen[rows, top:] = 1.0
    return seen


def _norm(seen_s: Floats, seen_l: Floats, s: int, ties: Ties) -> Floats:
    """Divisor of the overlap at each depth; past its end the shorter ranking has no ties."""
    depths = np.arange(1, seen_l.shape[1] + 1, dtype=np.float64)
    if ties == "a":
        return depths
    powers = (part.sum(axis=0) if ties == "w" else (part**2).sum(axis=0) for part in (seen_s, seen_l))
    short, long = powers
    short = np.where(depths > s, depths, short)
    norm: Floats = (short + long) / 2 if ties == "w" else np.sqrt(short * long)
    return norm


def _unseen(seen: Floats, s: int) -> Floats:
    """Mean contribution, at each depth past s, of the longer ranking's items that are not in the other."""
    present = (seen > 0).sum(axis=0)
    mean: Floats = np.divide(seen.sum(axis=0), present, out=np.zeros(seen.shape[1]), where=present > 0)
    mean[:s] = 0.0
    return mean


def _best_unseen(seen: Floats, s: int) -> Floats:
    """Largest possible further overlap of the shorter ranking at each depth: each step adds the best item."""
    best = np.zeros(seen.shape[1])
    order = np.argsort(-seen.sum(axis=1), kind="stable")
    for depth in range(s, seen.shape[1]):
        best[depth] = seen[order[: depth - s + 1], depth].sum()
    return best


def _best_beyond(last: float, s: int, n: int, p: float) -> float:
    """Tail of the upper bound: both rankings continue with the items that only the other has shown."""
    full = n + s - last
    depths = np.arange(n + 1, int(np.floor(full)) + 1)
    return float(
        ((2 * depths - n - s + last) / depths * p**depths).sum() + p ** (np.floor(full) + 1) / (1 - p)
    )
