from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from judges.jobs.starting import start_job
from judges.models import Shard
from tests.judges.factories import make_image_pool, make_judge

pytestmark = pytest.mark.usefixtures("counting")


def in_another_session(ask: Callable[[], object]) -> object:
    """Run in a thread, which has its own database session."""

    def run() -> object:
        try:
            return ask()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(run).result()


@pytest.mark.django_db(transaction=True)
def test_shard_is_held_by_one_session_and_free_when_it_ends() -> None:
    pool = make_image_pool()
    job = start_job(judge=make_judge(), pool=pool, by=pool.created_by)
    one, other = job.shards.all()

    def is_free(shard: Shard) -> bool:
        with shard.hold() as free:
            return free

    with one.hold() as is_mine:
        assert is_mine
        assert set(Shard.objects.held()) == {one}
        assert not in_another_session(lambda: is_free(one))
        assert in_another_session(lambda: is_free(other))
    assert in_another_session(lambda: is_free(one))
    assert not Shard.objects.held()
