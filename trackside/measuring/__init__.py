"""Measures of runs under qrels, in trec_eval's numbers and ir_measures' notation."""

from trackside.measuring.evaluating import (
    DuplicateDocno,
    LimitNotPositive,
    NothingToEvaluate,
    StrataNeeded,
    TopicMissing,
    evaluate,
)
from trackside.measuring.evaluation import Evaluation
from trackside.measuring.family import LevelGivenTwice, Measure
from trackside.measuring.names import UnknownMeasure, parse_measure, parse_measures

__all__ = [
    "DuplicateDocno",
    "Evaluation",
    "LevelGivenTwice",
    "LimitNotPositive",
    "Measure",
    "NothingToEvaluate",
    "StrataNeeded",
    "TopicMissing",
    "UnknownMeasure",
    "evaluate",
    "parse_measure",
    "parse_measures",
]
