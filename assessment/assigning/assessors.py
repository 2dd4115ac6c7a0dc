"""Find the people who may judge a pool."""

from django.db.models import QuerySet

from evaluation.access.people import Membership, Role, User
from evaluation.pools.models import Pool, PoolKind
from evaluation.runs.models import Run


def find_assessors(*, pool: Pool) -> QuerySet[User]:
    """Return the track's active assessors, without members of a team with a run in the pool.

    People who uploaded such a run and then left the team are excluded, too. For a check pool all runs in the
    task's pools count.
    """
    members = Membership.objects.filter(track=pool.task.track_id, role=Role.ASSESSOR)
    pools = pool.task.pools.all() if pool.kind == PoolKind.CHECK else [pool]
    runs = Run.objects.filter(pool_runs__pool__in=pools)
    teams = Membership.objects.filter(team__in=runs.values("team"))
    users = User.objects.filter(is_active=True, pk__in=members.values("user"))
    users = users.exclude(pk__in=teams.values("user")).exclude(pk__in=runs.values("received_by"))
    return users.order_by("pk")
