"""Measures of runs under qrels, in trec_eval's numbers and ir_measures' notation."""

from evaluation.core.measures.evaluation import (
    DuplicateDocno,
    Evaluation,
    LimitNotPositive,
    NothingToEvaluate,
    StrataNeeded,
    TopicMissing,
    evaluate,
    harmonic_mean,
)
from evaluation.core.measures.families import REASON_TEXT, Reason
from evaluation.core.measures.names import (
    LevelGivenTwice,
    Measure,
    UnknownMeasure,
    parse_measure,
    parse_measures,
)

__all__ = [
    "REASON_TEXT",
    "DuplicateDocno",
    "Evaluation",
    "LevelGivenTwice",
    "LimitNotPositive",
    "Measure",
    "NothingToEvaluate",
    "Reason",
    "StrataNeeded",
    "TopicMissing",
    "UnknownMeasure",
    "evaluate",
    "harmonic_mean",
    "parse_measure",
    "parse_measures",
]
