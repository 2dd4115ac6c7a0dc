"""Readers and writers of run and qrels files, the two formats of all TREC tools."""

from evaluation.core.trec_files.columns import MalformedLine
from evaluation.core.trec_files.oddities import Oddity, OddityKind
from evaluation.core.trec_files.qrels import DuplicateJudgment, Qrels
from evaluation.core.trec_files.rankings import Rankings
from evaluation.core.trec_files.streams import LineTooLong, TooManyBytes, UnreadableFile

__all__ = [
    "DuplicateJudgment",
    "LineTooLong",
    "MalformedLine",
    "Oddity",
    "OddityKind",
    "Qrels",
    "Rankings",
    "TooManyBytes",
    "UnreadableFile",
]
