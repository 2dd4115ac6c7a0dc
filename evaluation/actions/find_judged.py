"""How the documents pooled so far were judged: what the next adaptive batch is drawn by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.models import PoolItem, Qrels, QrelsKind

if TYPE_CHECKING:
    from evaluation.models import Task


def find_judged(*, task: Task) -> tuple[dict[tuple[str, str], bool], dict[str, Any]]:
    """Whether each pooled (topic, docno) is relevant in the task's latest people's qrels, and the log of it.

    Pairs without a grade there count as not relevant. The log names the qrels by version and hash (null where
    none are published) and the pools, in the order in which they were frozen.
    """
    qrels = Qrels.objects.filter(task=task, kind=QrelsKind.HUMAN).order_by("-created_at", "-pk").first()
    pairs = set(PoolItem.objects.filter(pool__task=task).values_list("topic", "docno"))
    relevant: set[tuple[str, str]] = set()
    if qrels:
        graded = qrels.pairs.filter(grade__gte=task.relevance_level)
        relevant = set(graded.values_list("topic", "docno"))
    log = {
        "qrels": {"name": qrels.name, "version": qrels.version, "sha256": qrels.sha256} if qrels else None,
        "relevance_level": task.relevance_level,
        "pools": list(task.pools.order_by("created_at", "pk").values_list("name", flat=True)),
    }
    return {pair: pair in relevant for pair in pairs}, log
