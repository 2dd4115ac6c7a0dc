"""Reserve what a shard can cost at most."""

from __future__ import annotations

from django.db import connection, transaction

from judges.models import Budget, Job, Shard

NO_MONEY = "The budget has no room for the next shard. Raise its cap, then resume the job."

# One guarded statement: every budget has room for the sum, or the transaction takes none of it. The rows are
# locked in one order, whoever asks.
RESERVE = """
    UPDATE {budgets} SET reserved_micros = reserved_micros + %s
    WHERE id IN (SELECT id FROM {budgets} WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE)
    AND (cap_micros IS NULL OR spent_micros + reserved_micros + %s <= cap_micros)
"""


def reserve_money(*, shard: Shard, micros: int) -> bool:
    """Add to the shard's reservation in its job's and its track's budget; False where one lacks the room."""
    if not micros:
        return True
    budgets = list(Budget.objects.over(shard.job).values_list("pk", flat=True))
    with transaction.atomic():
        with connection.cursor() as cursor:
            table = Budget._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
            cursor.execute(RESERVE.format(budgets=table), [micros, budgets, micros])
            if cursor.rowcount < len(budgets):
                transaction.set_rollback(True)
                return False
        Shard.objects.filter(pk=shard.pk).update(reserved_micros=shard.reserved_micros + micros)
    shard.reserved_micros += micros
    return True


def is_money_out(job: Job) -> bool:
    """Whether nothing is reserved in the budgets of the job that could come back."""
    return not Budget.objects.over(job).filter(reserved_micros__gt=0).exists()
