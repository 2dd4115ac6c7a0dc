"""Public functions: agreement of two sets of qrels, pair by pair: people and a model, or two people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from trackside.arrays import EqualByContent, Ints
from trackside.errors import InputError
from trackside.findings.grades import agreement_numbers
from trackside.library.inputs import QrelsInput, read_qrels
from trackside.measuring.lookup import JudgedPairs
from trackside.reporting.tables import Column
from trackside.statistics.agreement import confusions_by_topic
from trackside.statistics.estimate import Number
from trackside.text.counted import counted
from trackside.text.shown import Outline, Shown


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(EqualByContent, Shown):
    """Two judges on the ``pair_count`` pairs that both graded, in ``topic_count`` topics.

    ``matrix[i, j]`` counts the pairs with grade ``scale[i]`` from people (the first) and ``scale[j]`` from
    the judge. ``coefficients`` have a value, or None with a reason, and a 95 % interval over new topics.
    """

    scale: tuple[int, ...]
    topic_count: int
    pair_count: int
    matrix: Ints
    coefficients: Mapping[str, Number]

    def _shown(self) -> Outline:
        texts = {name: Column(name, ".4f").text(number) for name, number in self.coefficients.items()}
        pairs, topics = counted(self.pair_count, "pair"), counted(self.topic_count, "topic")
        line, rows = f"{pairs} of {topics}: kappa {texts['kappa']}", texts.items()
        return Outline(line, ("coefficient", "value"), rows)

    def to_frame(self) -> pl.DataFrame:
        """One row per coefficient: coefficient, value, low, high, reason (if value is null), no_interval."""
        rows = [
            (name, number.value, number.low, number.high, number.reason, number.missing)
            for name, number in self.coefficients.items()
        ]
        numbers = dict.fromkeys(("value", "low", "high"), pl.Float64)
        schema = {"coefficient": pl.String, **numbers, "reason": pl.String, "no_interval": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")


def agreement(people: QrelsInput, judge: QrelsInput, *, scale: Sequence[int] | None = None) -> Agreement:
    """Return the coefficients of agreement of two sets of qrels that a report has.

    Kappa (plain, linear, quadratic, and at each cut), its ceiling, Krippendorff's alpha, AC1, AC2, the share
    of equal grades, mean absolute error, leniency (the judge's mean grade minus people's), overlap, precision
    and recall at each cut. ``scale`` are the possible grades, also those that nobody gave; default: those in
    either file. Pairs that only one of the two graded are left out. Raises InputError.

    >>> people, clip = {"1": {"a": 0, "b": 1, "c": 2}}, {"1": {"a": 0, "b": 1, "c": 1}}
    >>> found = agreement(people, clip)
    >>> found.pair_count, round(found.coefficients["same grade"].value, 3)
    (3, 0.667)
    """
    qrels_sets = [read_qrels(people, name="people"), read_qrels(judge, name="judge")]
    pairs = JudgedPairs(qrels_sets)
    is_shared = (pairs.grades >= 0).all(axis=0)
    if not is_shared.any():
        raise InputError("no pair of topic and docno has a grade in both. Check that both spell them alike.")
    occurring = pairs.grades[pairs.grades >= 0]
    grades = tuple(sorted(set(scale))) if scale is not None else tuple(np.unique(occurring).tolist())
    first, second = pairs.grades[:, is_shared]
    by_topic = confusions_by_topic(first, second, pairs.topic_of_pair[is_shared], grades)
    return Agreement(
        grades, len(by_topic), len(first), by_topic.sum(axis=0), agreement_numbers(by_topic, grades)
    )
