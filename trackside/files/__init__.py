"""Readers and writers of run and qrels files, the two formats of all TREC tools."""

from trackside.files.columns import MalformedLine, Oddity, OddityKind
from trackside.files.qrels import Qrels
from trackside.files.rankings import Rankings
from trackside.files.streams import LineTooLong, TooManyBytes, UnreadableFile

__all__ = [
    "LineTooLong",
    "MalformedLine",
    "Oddity",
    "OddityKind",
    "Qrels",
    "Rankings",
    "TooManyBytes",
    "UnreadableFile",
]
