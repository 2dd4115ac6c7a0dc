"""Which assessors of a task do not judge as honest ones do, and about whom nothing can be told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.statistics.trust import (
    OTHER,
    WINDOW,
    Suspicion,
    expected_factor,
    honest_confusion,
    honest_confusions,
    suspicion_of,
)

ALPHA = 0.1  # of a task: the chance that any of its honest assessors is ever named
ALONE = 0.05  # of one assessor, at most
ALIKE = 0.1  # of ALPHA, for pairs that give the same grades
SAME = 0.99  # chance of equal grades where one copies the other's
MARGIN = 2.0  # of the expected log factor: the price of mixing kinds and windows
CERTAIN = 14.0  # log chance against each other grade of a gold item
BAD_ALONE, GOOD_ALONE = 2.0, 0.0  # log factors of one person without another who depends on their grades
RECENT = 20 * WINDOW  # items of an assessor in one sequence; later ones begin a new one


@dataclass(frozen=True)
class Work:
    """An assessor's grades in order of judging: numbers of items, indices on the scale, active seconds.

    An item that is shown again comes twice.
    """

    items: Ints
    grades: Ints
    seconds: Floats


@dataclass(frozen=True)
class Suspect:
    """Whose grades are not those of honest work, of two one or both; indices are of the first one's."""

    people: tuple[int, ...]
    kind: str
    first: int
    last: int
    item_count: int


@dataclass(frozen=True)
class Findings:
    """The suspects, worst first; for each person whether not looking would be noticed by now.

    ``prior`` has the share of each grade in the task, with one item of each added.
    """

    suspects: list[Suspect]
    is_told: dict[int, bool]
    prior: Floats


def find_suspects(works: Mapping[int, Work], gold: Mapping[int, int], size: int) -> Findings:
    """Compare the assessors' grades with gold (grade by item), each other's and their own repeats.

    A suspect's grades say nothing about others from the first bad window on. If nothing tells which of two
    is meant, both are named.
    """
    evidence = _Evidence(works, gold, size)
    bound = bound_of(len(works))
    told = {person: evidence.expected(person) > bound + MARGIN for person in works}
    scores = {person: found for person in works if (found := evidence.suspicion(person))}
    suspects: list[Suspect] = []
    while scores:
        worst = max(scores, key=lambda person: scores[person].log_factor)
        if scores[worst].log_factor <= bound:
            break
        people = evidence.meant(worst, scores, bound)
        found = scores[people[0]]
        first = found.window * WINDOW
        suspects.append(Suspect(people, found.kind, first, found.last, found.item_count))
        for person in people:
            evidence.forget(person, first if person == people[0] else 0)
            scores.pop(person)
        scores = evidence.again(scores, people)
    named = {person for suspect in suspects for person in suspect.people}
    honest = {person: work for person, work in works.items() if person not in named}
    return Findings([*suspects, *_alike(honest, evidence.prior)], told, evidence.prior)


def bound_of(people: int) -> float:
    """Return the log factor above which one of so many assessors is named."""
    return float(np.log(1 / min(ALONE, ALPHA / max(people, 1))))


def gold_to_know(prior: Floats, people: int) -> int:
    """Return how many gold items of the highest grade would show that an assessor does not look."""
    highest = np.eye(prior.size)[-1:]
    return int(np.ceil((bound_of(people) + MARGIN) / expected_factor(highest, prior)))


class _Evidence:
    """What gold and others say about each item, without people whose grades say nothing."""

    def __init__(self, works: Mapping[int, Work], gold: Mapping[int, int], size: int) -> None:
        self.works, self.size = works, size
        self.prior = _shares([work.grades for work in works.values()], size)
        confusion = honest_confusion(*OTHER, share=1 - self.prior[0], size=size)
        self.said = np.log(confusion.clip(1e-3)).T  # by grade: log chances for each true one
        count = 1 + max((int(work.items.max(initial=0)) for work in works.values()), default=0)
        self.logs = np.zeros((count, size))
        self.counts = np.zeros(count, dtype=np.int64)
        for work in works.values():
            self._add(work, slice(None), 1)
        self.is_gold = np.zeros(count, dtype=bool)
        self.gold_logs = np.zeros((count, size))
        for item, grade in gold.items():
            if item < count:
                self.is_gold[item] = True
                self.gold_logs[item] = -CERTAIN
                self.gold_logs[item, grade] = 0.0

    def _add(self, work: Work, rows: slice, sign: int) -> None:
        items, grades = work.items[rows], work.grades[rows]
        firsts = _is_first(work.items)[rows]
        np.add.at(self.logs, items[firsts], sign * self.said[grades[firsts]])
        np.add.at(self.counts, items[firsts], sign)

    def forget(self, person: int, first: int) -> None:
        """Take the person's grades from ``first`` on out of what is said about the items."""
        self._add(self.works[person], slice(first, None), -1)

    def truth(self, person: int) -> tuple[Floats, Flags]:
        """Return the chances of each true grade of the person's items, and where anything is known."""
        work = self.works[person]
        firsts = _is_first(work.items)
        own = _first_grades(work)
        logs = self.logs[work.items] - self.said[own]
        counts = self.counts[work.items] - 1
        repeated = ~firsts & (counts == 0) & ~self.is_gold[work.items]
        logs[repeated] += self.said[own[repeated]]  # the own first grade, where nobody else says anything
        logs += self.gold_logs[work.items]
        is_known = self.is_gold[work.items] | (counts > 0) | repeated
        chances = self.prior * np.exp(logs - logs.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True), is_known

    def suspicion(self, person: int) -> Suspicion | None:
        """Return the worst of the person's sequences, at the price of their number."""
        work, (truth, is_known) = self.works[person], self.truth(person)
        sequences = range(0, work.items.size, RECENT)
        price = np.log(max(len(sequences), 1))
        found = []
        for start in sequences:
            part = slice(start, start + RECENT)
            suspicion = suspicion_of(
                work.grades[part], truth[part], is_known[part], work.seconds[part], self.prior
            )
            if suspicion:
                found.append((start, suspicion))
        if not found:
            return None
        start, worst = max(found, key=lambda entry: entry[1].log_factor)
        return Suspicion(
            worst.kind,
            worst.window + start // WINDOW,
            worst.log_factor - float(price),
            worst.item_count,
            worst.last + start,
        )

    def again(self, scores: Mapping[int, Suspicion], forgotten: Sequence[int]) -> dict[int, Suspicion]:
        """Return the scores, and those of people who shared items with the forgotten ones anew."""
        items = np.concatenate([self.works[person].items for person in forgotten])
        near = {person for person in scores if np.isin(self.works[person].items, items).any()}
        fresh = {person: self.suspicion(person) for person in near}
        return {
            person: score
            for person, former in scores.items()
            if (score := fresh.get(person) if person in near else former)
        }

    def expected(self, person: int) -> float:
        """Return the expected log factor of the person's items if nobody had looked at them."""
        truth, is_known = self.truth(person)
        return expected_factor(truth[is_known], self.prior)

    def meant(self, worst: int, scores: Mapping[int, Suspicion], bound: float) -> tuple[int, ...]:
        """Return the one who is meant by the worst score, or the two of whom nothing tells which one is.

        They are two if nothing but the one's grades speaks about the other. What is known of the one without
        the other tells them apart.
        """
        pairs = [(worst, other) for other in scores if self._depends(worst, other)]
        pairs += [(other, worst) for other in scores if self._depends(other, worst)]
        if not pairs:
            return (worst,)
        one, other = max(pairs, key=lambda pair: scores[pair[0] if pair[1] == worst else pair[1]].log_factor)
        self._add(self.works[one], slice(None), -1)
        alone, expected = self.suspicion(other), self.expected(other)
        self._add(self.works[one], slice(None), 1)
        if alone and alone.log_factor >= BAD_ALONE:
            return (other,)
        if alone and alone.log_factor <= GOOD_ALONE and expected > bound + MARGIN:
            return (one,)
        return (worst, one if other == worst else other)

    def _depends(self, one: int, other: int) -> bool:
        """Whether nothing but the other's grades speaks about the items of the one."""
        items = self.works[one].items
        shared = np.isin(items, self.works[other].items)
        is_known = self.is_gold[items] | (self.counts[items] > 1 + shared)
        return one != other and bool(shared.any()) and not is_known.any()


def _shares(grades: Sequence[Ints], size: int) -> Floats:
    """Return the median share of each grade over people, so that no one person decides what is usual."""
    counts = np.array(
        [np.bincount(of_person, minlength=size) + 1 for of_person in grades] or [np.ones(size, np.int64)]
    )
    middle = np.median(counts / counts.sum(axis=1, keepdims=True), axis=0)
    return np.asarray(middle / middle.sum())


def _is_first(items: Ints) -> Flags:
    """Return whether each item comes for the first time."""
    firsts = np.zeros(items.size, dtype=bool)
    firsts[np.unique(items, return_index=True)[1]] = True
    return firsts


def _first_grades(work: Work) -> Ints:
    """Return for each row the grade that its item got the first time."""
    _, first, inverse = np.unique(work.items, return_index=True, return_inverse=True)
    return work.grades[first][inverse]


def _alike(works: Mapping[int, Work], prior: Floats) -> Iterator[Suspect]:
    """Yield the pairs that give the same grades more often than two honest people do."""
    firsts = {
        person: (work.items[_is_first(work.items)], work.grades[_is_first(work.items)])
        for person, work in works.items()
    }
    pairs = list(combinations(sorted(works), 2))
    bound = np.log(max(len(pairs), 1) / (ALPHA * ALIKE))
    chances = _pair_chances(prior)
    for one, two in pairs:
        items, rows, columns = np.intersect1d(firsts[one][0], firsts[two][0], return_indices=True)
        own, other = firsts[one][1][rows], firsts[two][1][columns]
        honest = np.logaddexp.reduce(np.log(chances[:, own, other]).sum(axis=1)) - np.log(len(chances))
        given = chances.mean(axis=0).sum(axis=0)[other] if items.size else np.ones(0)
        copied = np.where(own == other, SAME, (1 - SAME) / max(prior.size - 1, 1))
        if items.size and np.log(copied * given).sum() - honest > bound:
            yield Suspect((one, two), "grades like the other", 0, works[one].items.size - 1, int(items.size))


def _pair_chances(prior: Floats) -> Floats:
    """Return the chances of two grades: pairs of honest assessors x grades x grades."""
    matrices = honest_confusions(float(1 - prior[0]), prior.size)
    joint = [one.T @ (prior[:, None] * two) for one, two in product(matrices, repeat=2)]
    return np.stack(joint).clip(1e-5)
