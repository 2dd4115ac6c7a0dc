"""Read-only admin of pools, which are frozen."""

from evaluation.pools.models import Pool, PoolItem, PoolRun
from evaluation.web.admin.base import register_table

register_table(Pool, "name task kind seed created_at created_by", track_path="task__track", search="name")


register_table(
    PoolRun, "pool run depth", track_path="pool__task__track", search="run__tag", ordering=("pool", "run")
)


register_table(PoolItem, "topic docno pool position", track_path="pool__task__track", search="topic docno")
