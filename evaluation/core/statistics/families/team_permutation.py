"""Permutation of the family membership over whole teams, because runs of one team resemble each other.

A test that permutes single runs assumes that they are independent. If whole teams are drawn at random as a
family, it gives p <= 0.05 in 41 % of the trials; a test that permutes whole teams in 4 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb, prod

import numpy as np

from evaluation.core.arrays import Flags, Ints
from evaluation.core.statistics.permutation import DRAWS, MOST_EXACT, Arrangements


def team_count(teams: Sequence[str], in_family: Flags) -> tuple[int, int]:
    """Count the teams with runs inside the family and those with runs outside; a team may count in both."""
    names = np.asarray(teams)
    return np.unique(names[in_family]).size, np.unique(names[~in_family]).size


def team_arrangements(
    in_family: Flags, teams: Sequence[str], *, seed: int, draws: int = DRAWS
) -> Arrangements:
    """Permuted families as flags [row, run]: all up to MOST_EXACT, else `draws` seeded ones.

    Teams whose runs are all on one side are permuted as a whole; the number of teams in the family is the
    same. Within a team with runs on both sides, single runs are permuted; their number in the family is the
    same. `teams` is the team of each run. The result is cached, so callers must not write to the rows.
    """
    return _arrangements(in_family.tobytes(), tuple(teams), seed, draws)


@lru_cache(maxsize=32)
def _arrangements(flags: bytes, teams: tuple[str, ...], seed: int, draws: int) -> Arrangements:
    in_family = np.frombuffer(flags, dtype=np.bool_)
    blocks = _blocks(in_family, teams)
    total = prod(comb(len(units), chosen) for units, chosen in blocks)
    is_few = total <= MOST_EXACT
    rows = _all(blocks, in_family.size, total) if is_few else _drawn(blocks, in_family.size, draws, seed)
    rows.flags.writeable = False
    return Arrangements(rows, None if is_few else seed)


ROWS = 2_000  # drawn at a time

PermutationBlock = tuple[
    list[Ints], int
]  # units to permute, each as indices of its runs, and the number to choose


def _blocks(in_family: Flags, teams: Sequence[str]) -> list[PermutationBlock]:
    names = np.asarray(teams)
    members = [np.flatnonzero(names == name) for name in dict.fromkeys(teams)]
    pure = [runs for runs in members if in_family[runs].all() or not in_family[runs].any()]
    mixed = [runs for runs in members if in_family[runs].any() and not in_family[runs].all()]
    blocks: list[PermutationBlock] = [
        ([np.array([run]) for run in runs], int(in_family[runs].sum())) for runs in mixed
    ]
    if pure:
        blocks.append((pure, sum(bool(in_family[runs].all()) for runs in pure)))
    return blocks


def _all(blocks: list[PermutationBlock], size: int, total: int) -> Flags:
    """Every choice of units from each block; those of the last block change fastest."""
    rows = np.zeros((total, size), dtype=np.bool_)
    before, after = 1, total
    for units, chosen in blocks:
        picks = np.array(list(combinations(range(len(units)), chosen)), dtype=np.int64)
        flags = np.zeros((len(picks), len(units)), dtype=np.bool_)
        np.put_along_axis(flags, picks, values=True, axis=1)
        after //= len(picks)
        every = np.tile(np.repeat(flags, after, axis=0), (before, 1))
        for unit, runs in enumerate(units):
            rows[:, runs] = every[:, unit, None]
        before *= len(picks)
    return rows


def _drawn(blocks: list[PermutationBlock], size: int, draws: int, seed: int) -> Flags:
    rng = np.random.default_rng(seed)
    rows = np.zeros((draws, size), dtype=np.bool_)
    for units, chosen in blocks:
        for start in range(0, draws, ROWS):  # bounds the memory for many teams
            some = rows[start : start + ROWS]
            places = rng.random((len(some), len(units))).argsort(axis=1).argsort(axis=1)
            for unit, runs in enumerate(units):
                some[:, runs] = (places[:, unit] < chosen)[:, None]
    return rows
