"""API operations that list pools and qrels."""

from datetime import datetime

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Router, Schema
from pydantic import Field

from evaluation.platform.web.api.bearer import TokenRequest, reader
from evaluation.platform.web.api.operations import FILE_OF_LINES, TASK, listed
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.results.qrels.pages import qrels_file as qrels_file_view
from evaluation.submissions.pools.models import Pool, PoolItem, PoolKind
from evaluation.tracks.lookups import find_organized_task, find_task

router = Router(tags=["Results"], auth=reader)


class PoolOut(Schema):
    """A frozen pool."""

    id: int
    name: str
    kind: PoolKind
    seed: int
    item_count: int
    topic_count: int
    created_at: datetime


class PoolItemOut(Schema):
    """One pair to grade; ``stratum`` and ``chance`` are those of a sampled pool, else null."""

    topic: str
    docno: str
    position: int
    stratum: int | None
    chance: float | None


class QrelsOut(Schema):
    """One set of grades. ``pool`` is null if they cover the union of the task's pools."""

    id: int
    name: str
    version: int
    kind: QrelsKind
    pool: int | None = Field(alias="pool_id")
    sha256: str = Field(description="Of the file.")
    pair_count: int
    graded_count: int
    topic_count: int
    created_at: datetime

    @staticmethod
    def resolve_topic_count(qrels: Qrels) -> int:
        """Return the number of topics with at least one grade."""
        return len(qrels.topics)


@listed(router, f"{TASK}/pools", PoolOut)
def pool_list(request: TokenRequest, track: str, task: str) -> QuerySet[Pool]:
    """List the pools of a task, for its organizers."""
    return Pool.objects.filter(task=find_organized_task(request, track, task)).with_size()


@listed(router, f"{TASK}/pools/{{int:pool}}/items", PoolItemOut, by=["position"])
def pool_item_list(request: TokenRequest, track: str, task: str, pool: int) -> QuerySet[PoolItem]:
    """List the pairs of a pool in the order in which they are shown, for organizers."""
    pools = Pool.objects.visible_to(request.user).filter(task=find_task(request, track, task))
    return PoolItem.objects.filter(pool=get_object_or_404(pools, pk=pool))


@listed(router, f"{TASK}/qrels", QrelsOut)
def qrels_list(request: TokenRequest, track: str, task: str) -> QuerySet[Qrels]:
    """List all versions of a task's qrels: for organizers, after the release for all except assessors."""
    return Qrels.objects.visible_to(request.user).filter(task=find_task(request, track, task))


@router.get(f"{TASK}/qrels/{{int:qrels}}/file", url_name="qrels_file", openapi_extra=FILE_OF_LINES)
def qrels_file(request: TokenRequest, track: str, task: str, qrels: int) -> HttpResponse:
    """Return lines of topic, 0, docno and grade: exactly the bytes of ``sha256``."""
    return qrels_file_view(request, track, task, qrels)
