"""Who may judge a pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.models import Membership, Role, User

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from evaluation.models import Pool


def find_assessors(*, pool: Pool) -> QuerySet[User]:
    """The track's active assessors, but for those whose own team has a run in the pool."""
    track = pool.task.track_id
    members = Membership.objects.filter(track=track, role=Role.ASSESSOR)
    conflicted = Membership.objects.filter(team__runs__pool_runs__pool=pool)
    able = User.objects.filter(is_active=True, pk__in=members.values("user"))
    return able.exclude(pk__in=conflicted.values("user")).order_by("pk")
