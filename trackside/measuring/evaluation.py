"""An evaluation: values by topic, their means by stratum or of all, and intervals, also as data frames."""

from __future__ import annotations  # polars is imported on first use

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from trackside.arrays import EqualByContent
from trackside.errors import InputError
from trackside.files.streams import Blocks, Source
from trackside.lazy_polars import pl
from trackside.measuring.family import Measure, Summary
from trackside.measuring.meetings import Meeting
from trackside.statistics.estimate import Estimate, Interval, Reason
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown
from trackside.uncertainty.means import mean_intervals


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(EqualByContent, Shown):
    """Values of measures for R runs under Q qrels over T topics.

    ``values[run, qrels, topic, measure]`` is NaN where undefined; ``reason`` returns why. ``topics`` is the
    union of the topics of all qrels, in byte order. ``means[run, qrels, measure]`` summarises the topics that
    the qrels judge and that have a value, by the measure's summary: their mean, or the sum for counts.
    ``meetings[run][qrels]`` tells how far their topics and documents have the same ids.
    """

    runs: tuple[str, ...]
    qrels: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: NDArray[np.float64]
    is_judged: NDArray[np.bool_]
    summaries: NDArray[np.float64]
    meetings: tuple[tuple[Meeting, ...], ...] = ()

    def means(self) -> NDArray[np.float64]:
        """One number for each run, qrels and measure, shape [run, qrels, measure]; NaN where undefined."""
        return self.summaries

    def _shown(self) -> Outline:
        runs, qrels = counted(len(self.runs), "run"), ", ".join(self.qrels)
        measures = tuple(map(str, self.measures))
        line = f"{', '.join(measures)} of {runs} under {qrels} on {counted(len(self.topics), 'topic')}"
        rows = (
            (run, name, *(f"{mean:.4f}" for mean in self.summaries[i, j]))
            for (i, run), (j, name) in product(enumerate(self.runs), enumerate(self.qrels))
        )
        return Outline(line, ("run", "qrels", *measures), rows)

    def topic_frame(self) -> pl.DataFrame:
        """One row per run, set of qrels, topic that it judges, and measure.

        Columns run, qrels, topic, measure, value and reason. An undefined value is null with a reason.
        """
        shape = self.values.shape
        judged = np.broadcast_to(self.is_judged[None, :, :, None], shape)
        run, qrels, topic, measure = np.nonzero(judged)
        undefined = np.array([str(measure.family.undefined) for measure in self.measures])
        frame = pl.DataFrame(
            [
                pl.Series("run", self.runs, pl.String).gather(run),
                pl.Series("qrels", self.qrels, pl.String).gather(qrels),
                pl.Series("topic", self.topics, pl.String).gather(topic),
                pl.Series("measure", list(map(str, self.measures)), pl.String).gather(measure),
                pl.Series("value", self.values[judged]).fill_nan(None),
                pl.Series("reason", undefined, pl.String).gather(measure),
            ]
        )
        return frame.with_columns(pl.when(pl.col("value").is_null()).then("reason").alias("reason"))

    def mean_frame(self) -> pl.DataFrame:
        """One row per run, set of qrels and measure: the mean over topics, or the measure's own summary.

        Columns run, qrels, measure, value, low, high, topics, reason and no_interval. ``low`` and ``high``
        are the ends of the 95 % interval over new topics, null with a reason code in ``no_interval`` where
        there is none (all three null for measures that are not means). ``topics`` counts those with a value;
        an undefined ``value`` is null with its ``reason``.
        """
        intervals = intervals_of_means(self)
        rows = []
        for cell in np.ndindex(self.means().shape):
            run, qrels, measure = cell
            interval, reason = intervals.get(cell), self.mean_reason(*cell)
            rows.append(
                {
                    "run": self.runs[run],
                    "qrels": self.qrels[qrels],
                    "measure": str(self.measures[measure]),
                    "value": None if reason else float(self.means()[cell]),
                    "low": interval.low if interval else None,
                    "high": interval.high if interval else None,
                    "topics": int((~np.isnan(self.values[run, qrels, :, measure])).sum()),
                    "reason": reason,
                    "no_interval": interval.reason if interval else None,
                }
            )
        texts = dict.fromkeys(("run", "qrels", "measure", "reason", "no_interval"), pl.String)
        numbers = dict.fromkeys(("value", "low", "high"), pl.Float64)
        return pl.DataFrame(rows, schema_overrides={**texts, **numbers, "topics": pl.Int64})

    def reason(self, run: int, qrels: int, topic: int, measure: int) -> Reason | None:
        """Why a value is undefined; None if it is defined."""
        if not math.isnan(self.values[run, qrels, topic, measure]):
            return None
        if not self.is_judged[qrels, topic]:
            return Reason.TOPIC_NOT_JUDGED
        return self.measures[measure].family.undefined

    def mean_reason(self, run: int, qrels: int, measure: int) -> Reason | None:
        """Why a mean is undefined; None if it is defined."""
        return Reason.NO_TOPICS if math.isnan(self.summaries[run, qrels, measure]) else None

    def harmonic_mean(self, run: int, qrels: int, measure: int, strata: Mapping[str, str]) -> Estimate:
        """Harmonic mean over strata of the mean within each; undefined when a stratum has no value.

        ``strata`` maps topics to strata; other topics are left out.
        """
        groups: dict[str, list[float]] = {stratum: [] for stratum in strata.values()}
        for topic, value in zip(self.topics, self.values[run, qrels, :, measure].tolist(), strict=True):
            if topic in strata and not math.isnan(value):
                groups[strata[topic]].append(value)
        return harmonic_mean([float(np.mean(group)) if group else None for group in groups.values()])


def intervals_of_means(evaluation: Evaluation) -> dict[tuple[int, int, int], Interval]:
    """The 95 % interval of each mean by indices (run, qrels, measure); undefined ones carry a reason.

    Measures that are not means over topics have no entry.
    """
    intervals: dict[tuple[int, int, int], Interval] = {}
    for qrels in range(len(evaluation.qrels)):
        values = evaluation.values[:, qrels, evaluation.is_judged[qrels], :]
        for index, measure in enumerate(evaluation.measures):
            if measure.family.summary is Summary.MEAN:
                table = np.ascontiguousarray(values[:, :, index])
                of_runs = mean_intervals(table, bounds=measure.bounds).intervals
                intervals |= {(run, qrels, index): interval for run, interval in enumerate(of_runs)}
    return intervals


def harmonic_mean(values: Sequence[float | None]) -> Estimate:
    """Harmonic mean of values of at least 0, such as of seen and unseen topics (OVEN, eq. 2).

    0 if one of them is 0; undefined without values and if a stratum has none (None).
    """
    if not values:
        return Estimate.undefined(Reason.EMPTY)
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return Estimate.undefined(Reason.EMPTY_STRATUM)
    if min(known) == 0:
        return Estimate.of(0.0)
    return Estimate.of(len(known) / sum(1 / value for value in known))


def read_strata(source: Source) -> dict[str, str]:
    """The stratum of each topic, from lines of topic and stratum. Raises InputError."""
    blocks = Blocks(source)
    strata: dict[str, str] = {}
    for number, line in enumerate((line for block in blocks for line in block.splitlines()), start=1):
        try:
            fields = line.decode().split()
        except UnicodeDecodeError:
            raise InputError(
                f"{blocks.name}, line {number:,}: bytes that are not UTF-8. Save the file in UTF-8."
            ) from None
        match fields:
            case [topic, stratum]:
                strata[topic] = stratum
            case [_, *_]:
                raise InputError(
                    f"{blocks.name}, line {number:,}: write a topic and its stratum, nothing else."
                )
    return strata
