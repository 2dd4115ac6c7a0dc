"""Rows of published qrels."""

from evaluation.models import Qrels


def rows_of(qrels: Qrels) -> list[tuple[str, str, int | None, str]]:
    return list(qrels.pairs.order_by("topic", "docno").values_list("topic", "docno", "grade", "outcome"))
