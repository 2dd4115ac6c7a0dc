"""Values and means of an evaluation as data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from trackside.lazy_polars import pl
from trackside.measuring.intervals import intervals_of_means

if TYPE_CHECKING:
    from trackside.measuring.evaluation import Evaluation


def topic_frame(evaluation: Evaluation) -> pl.DataFrame:
    """One row per run, set of qrels, topic that it judges, and measure.

    Columns run, qrels, topic, measure, value and reason. An undefined value is null with a reason.
    """
    shape = evaluation.values.shape
    judged = np.broadcast_to(evaluation.is_judged[None, :, :, None], shape)
    run, qrels, topic, measure = np.nonzero(judged)
    undefined = np.array([str(each.family.undefined) for each in evaluation.measures])
    frame = pl.DataFrame(
        [
            pl.Series("run", evaluation.runs, pl.String).gather(run),
            pl.Series("qrels", evaluation.qrels, pl.String).gather(qrels),
            pl.Series("topic", evaluation.topics, pl.String).gather(topic),
            pl.Series("measure", [str(each) for each in evaluation.measures], pl.String).gather(measure),
            pl.Series("value", evaluation.values[judged]).fill_nan(None),
            pl.Series("reason", undefined, pl.String).gather(measure),
        ]
    )
    return frame.with_columns(pl.when(pl.col("value").is_null()).then("reason").alias("reason"))


def mean_frame(evaluation: Evaluation) -> pl.DataFrame:
    """One row per run, set of qrels and measure: the mean over topics, or the measure's own summary.

    Columns run, qrels, measure, value, low, high, topics, reason and no_interval. ``low`` and ``high`` are
    the ends of the 95 % interval over new topics, null with a reason code in ``no_interval`` where there is
    none (all three null for measures that are not means). ``topics`` counts those with a value; an undefined
    ``value`` is null with its ``reason``.
    """
    intervals = intervals_of_means(evaluation)
    rows = []
    for place in np.ndindex(evaluation.means().shape):
        run, qrels, measure = place
        interval, reason = intervals.get(place), evaluation.mean_reason(*place)
        rows.append(
            {
                "run": evaluation.runs[run],
                "qrels": evaluation.qrels[qrels],
                "measure": str(evaluation.measures[measure]),
                "value": None if reason else float(evaluation.means()[place]),
                "low": interval.low if interval else None,
                "high": interval.high if interval else None,
                "topics": int((~np.isnan(evaluation.values[run, qrels, :, measure])).sum()),
                "reason": reason,
                "no_interval": interval.reason if interval else None,
            }
        )
    texts = dict.fromkeys(("run", "qrels", "measure", "reason", "no_interval"), pl.String)
    numbers = dict.fromkeys(("value", "low", "high"), pl.Float64)
    return pl.DataFrame(rows, schema_overrides={**texts, **numbers, "topics": pl.Int64})
