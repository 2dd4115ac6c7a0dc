"""Read-only admin of qrels."""

from evaluation.qrels.models import Qrels, QrelsPair
from evaluation.web.admin.base import register_table

register_table(
    Qrels,
    "name version kind task graded_count pair_count created_at sha256",
    track_path="task__track",
    search="name sha256",
)


register_table(
    QrelsPair,
    "topic docno grade raw_score outcome qrels",
    track_path="qrels__task__track",
    search="topic docno",
    ordering=("qrels", "topic", "docno"),
)
