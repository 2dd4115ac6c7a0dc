"""Run files and qrels files, read and written: the two formats that every TREC tool speaks."""

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
