"""Who may judge a pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.models import Membership, PoolKind, Role, Run, User

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from evaluation.models import Pool


def find_assessors(*, pool: Pool) -> QuerySet[User]:
    """The track's active assessors, but for those whose own team has a run in the pool.

    Nor those who uploaded such a run and have left the team. A check pool's pairs are of the task's runs.
    """
    members = Membership.objects.filter(track=pool.task.track_id, role=Role.ASSESSOR)
    pools = pool.task.pools.all() if pool.kind == PoolKind.CHECK else [pool]
    runs = Run.objects.filter(pool_runs__pool__in=pools)
    teams = Membership.objects.filter(team__in=runs.values("team"))
    able = User.objects.filter(is_active=True, pk__in=members.values("user"))
    able = able.exclude(pk__in=teams.values("user")).exclude(pk__in=runs.values("received_by"))
    return able.order_by("pk")
