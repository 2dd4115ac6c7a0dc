"""Public functions: means under people's grades of a part, and a judge's grades of everything."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.errors import InputError
from trackside.files import Rankings
from trackside.findings.retrieved import GradedPairs, Retrieved, retrieved_of
from trackside.lazy_polars import pl
from trackside.library.evaluating import one_measure
from trackside.library.inputs import QrelsInput, RunInput, each_run, read_qrels
from trackside.measuring import Measure
from trackside.measuring.gains import gains_of
from trackside.measuring.judged import Judgments, gain_of, log2_of_rank
from trackside.measuring.lookup import JudgedPairs
from trackside.statistics.estimate import Reason
from trackside.statistics.prediction_powered import powered_totals
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown, short

if TYPE_CHECKING:
    from polars import DataFrame

PEOPLE, JUDGE = 0, 1
Unit = Literal["topic", "pair"]


class PoweredMean(NamedTuple):
    """A run's mean by people's grades of everything, estimated, its 95 % interval, and its mean by the judge.

    ``reason`` is why there is no interval.
    """

    run: str
    value: float
    low: float | None
    high: float | None
    judge: float
    reason: Reason | None


@dataclass(frozen=True, slots=True, repr=False)
class PoweredMeans(Shown):
    """Means of runs, from the ``graded_count`` of ``count`` topics or pairs that people graded."""

    measure: str
    unit: Unit
    count: int
    graded_count: int
    rows: tuple[PoweredMean, ...]

    def _shown(self) -> Outline:
        line = f"{self.measure} of {counted(len(self.rows), 'run')}: people graded {self.graded_count} of "
        rows = (tuple(map(short, row[:5])) for row in self.rows)
        return Outline(f"{line}{counted(self.count, self.unit)}", PoweredMean._fields[:5], rows)

    def to_frame(self) -> "DataFrame":
        """One row per run: run, value, low, high, judge and reason (if there is no interval)."""
        numbers = dict.fromkeys(("value", "low", "high", "judge"), pl.Float64)
        schema = {"run": pl.String, **numbers, "reason": pl.String}
        return pl.DataFrame(self.rows, schema=schema, orient="row")


def powered_means(
    runs: Iterable[RunInput] | Mapping[str, RunInput],
    people: QrelsInput,
    judge: QrelsInput,
    *,
    unit: Unit = "topic",
    measure: str | Measure = "nDCG@10",
    chances: Mapping[tuple[str, str], float] | None = None,
    level: int | None = None,
) -> PoweredMeans:
    """Estimate each run's mean under people's grades of all that the judge graded.

    Prediction-powered: a regression of people's values on the judge's, so a poor or lenient judge widens the
    interval and biases nothing. What people graded must be a random sample. With ``unit`` "topic" it is of
    the judge's topics, each graded whole, and any measure can be estimated. With "pair" it is of the judge's
    pairs, for P and DCG, which add up over pairs; ``chances`` are those of the pairs that people graded to be
    drawn, by default equal. Intervals are over such samples, not over other topics. Raises InputError.

    >>> people = {str(topic): {"a": topic % 3, "b": topic % 2} for topic in range(90)}
    >>> judge = {topic: {"a": min(2, grades["a"] + 1), "b": grades["b"]} for topic, grades in people.items()}
    >>> run = {topic: {"a": 2.0, "b": 1.0} for topic in people}
    >>> some = {topic: people[topic] for topic in list(people)[:30]}
    >>> result = powered_means({"bm25": run}, some, judge, measure="DCG@2")
    >>> result
    <PoweredMeans DCG@2 of 1 run: people graded 30 of 90 topics>
    >>> round(result.rows[0].value, 2), round(result.rows[0].judge, 2)
    (1.32, 1.98)
    """
    asked = one_measure(measure)
    asked = asked if level is None else asked.at_level(level)
    sets = [read_qrels(people, name="people"), read_qrels(judge, name="judge")]
    units = _units(JudgedPairs(sets), asked, unit)
    is_graded = units.in_set[PEOPLE][units.in_set[JUDGE]]
    drawn = _chances(units, is_graded, chances)
    rows = []
    for run in each_run(runs):
        by_people, by_judge = units.shares(run)
        total = by_judge.sum()
        found = powered_totals(by_people[is_graded], by_judge[is_graded], total, chances=drawn)
        ((_, interval),) = found.intervals()
        ends = interval.low, interval.high
        rows.append(PoweredMean(run.tag, float(found.estimate), *ends, float(total), interval.reason))
    return PoweredMeans(str(asked), unit, is_graded.size, int(is_graded.sum()), tuple(rows))


@dataclass(frozen=True)
class _Units:
    """The judge's topics or pairs, and what each adds to a run's mean over the judge's topics."""

    pairs: JudgedPairs
    measure: Measure
    unit: Unit

    @property
    def in_set(self) -> Flags:
        """Flags [people or judge, unit] among all topics or pairs. Raises InputError."""
        is_in = self.pairs.is_judged if self.unit == "topic" else self.pairs.grades >= 0
        if (is_in[PEOPLE] & ~is_in[JUDGE]).any() or not is_in[PEOPLE].any():
            raise InputError(
                f"people graded a {self.unit} that the judge did not grade, or none. Give grades of the "
                "judge for everything, and people's grades of a part."
            )
        return is_in

    def shares(self, run: Rankings) -> Floats:
        """Shares [people or judge, unit of the judge]. Raises InputError."""
        retrieved = retrieved_of(run, self.pairs, self.pairs.find(run))
        shares: Floats = np.array([self._shares(retrieved, grades) for grades in self.pairs.grades])
        shares = shares[:, self.in_set[JUDGE]]
        if np.isnan(shares).any():
            raise InputError(f"{self.measure} of {run.tag} is undefined on a topic. Use one such as nDCG@10.")
        shares /= int(self.pairs.is_judged[JUDGE].sum())
        return shares

    def _shares(self, run: Retrieved, grades: Ints) -> Floats:
        topics, count = self.pairs.topic_of_pair, len(self.pairs.topics)
        if self.unit == "topic":
            (values,) = GradedPairs(grades, topics, count).values(run, (str(self.measure),))
            return np.asarray(values, np.float64)
        is_in = (grades[run.pairs] >= 0) & (run.ranks < self.measure.depth)
        rows, ranks = run.pairs[is_in], run.ranks[is_in].astype(np.int64)
        gains = np.zeros(grades.size)
        if self.measure.family.name == "P":
            gains[rows] = (grades[rows] >= self.measure.relevant_from) / self.measure.depth
        else:
            by_grade = gains_of(Judgments(count, topics[grades >= 0], grades[grades >= 0]), self.measure)
            gains[rows] = gain_of(grades[rows], by_grade) / log2_of_rank(ranks)
        return gains


def _units(pairs: JudgedPairs, measure: Measure, unit: Unit) -> _Units:
    adds_up = measure.family.name in ("P", "DCG") and not measure.is_judged_only and not measure.options
    if unit not in ("topic", "pair"):
        raise InputError(f"unit {unit!r}: give topic or pair.")
    if unit == "pair" and (not adds_up or measure.cutoff is None):
        raise InputError(f"{measure}: does not add up over pairs. Use one such as P@10 or DCG@10.")
    return _Units(pairs, measure, unit)


def _chances(units: _Units, is_graded: Flags, chances: Mapping[tuple[str, str], float] | None) -> Floats:
    """The chance of each graded unit to be drawn. Raises InputError."""
    if chances is None:
        return np.full(int(is_graded.sum()), is_graded.mean())
    if units.unit == "topic":
        raise InputError("chances are of pairs: use them with unit pair.")
    rows = np.flatnonzero(units.in_set[PEOPLE])
    docnos = units.pairs.docnos.gather(rows).to_list()
    topics = [units.pairs.topics[topic] for topic in units.pairs.topic_of_pair[rows]]
    drawn = np.array([chances.get(pair, np.nan) for pair in zip(topics, docnos, strict=True)])
    if not ((drawn > 0) & (drawn <= 1)).all():
        raise InputError("chances: give a number above 0 and up to 1 for each pair that people graded.")
    return drawn
