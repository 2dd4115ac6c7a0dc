"""Measures of runs under qrels, in trec_eval's numbers and ir_measures' notation."""

from trackside.measuring.evaluating import evaluate
from trackside.measuring.evaluation import Evaluation
from trackside.measuring.family import Measure
from trackside.measuring.names import UnknownMeasure, parse_measure, parse_measures

__all__ = [
    "Evaluation",
    "Measure",
    "UnknownMeasure",
    "evaluate",
    "parse_measure",
    "parse_measures",
]
