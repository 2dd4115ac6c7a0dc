import pytest

from judges.jobs.running import run_shard
from judges.jobs.scheduling import give_up_shard
from judges.jobs.starting import start_job
from judges.models import Job, Shard
from tests.judges.factories import make_image_pool, make_judge, run_to_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


@pytest.fixture
def job() -> Job:
    pool = make_image_pool(topic_count=1, image_count=3)
    return start_job(judge=make_judge(), pool=pool, by=pool.created_by)


def test_give_up_shard_makes_gaps_of_what_is_left_only(job: Job) -> None:
    shard = job.shards.get(side="document")
    run_shard(shard_id=shard.pk)
    Shard.objects.filter(pk=shard.pk).update(done_at=None, encoded_count=2)  # two of three are encoded

    give_up_shard(shard=shard, error="out of memory")

    shard.refresh_from_db()
    assert shard.gaps == {shard.inputs[2][1]: "backend_failed"}
    assert shard.error == "out of memory"


def test_give_up_shard_leaves_a_done_shard_alone(job: Job) -> None:
    run_to_end(job)
    shard = job.shards.first()
    assert shard is not None

    give_up_shard(shard=shard, error="too late")

    shard.refresh_from_db()
    assert (shard.gaps, shard.error) == ({}, "")
