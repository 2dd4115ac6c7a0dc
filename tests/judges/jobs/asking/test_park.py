import pytest
from django.db.models import F
from django.db.models.functions import Now

from judges.jobs.budgets import LOST_ALONE
from judges.jobs.calls import Call, CallState
from judges.jobs.running import run_shard
from judges.jobs.starting import start_job
from judges.jobs.sweeping import park_input, park_pair
from judges.models import Job, LedgerEntry, Shard
from tests.judges.factories import make_generator, make_image_pool, make_judge
from trackside.code_version import code_version
from trackside.judging.inputs import Gap

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted", "counting")]


def make_asking() -> Shard:
    """The shard of a job that asks about three pairs."""
    pool = make_image_pool(topic_count=1, image_count=3)
    return start_job(judge=make_generator(), pool=pool, by=pool.created_by).shards.get()


def send(shard: Shard, key: str, *, is_lost_alone: bool = False) -> None:
    ended = {"ended_at": Now(), "cost_micros": 0, "outcome": LOST_ALONE} if is_lost_alone else {}
    LedgerEntry.objects.create(job=shard.job, shard=shard, request_key=key, bound_micros=0, **ended)


def keys_of(shard: Shard) -> list[str]:
    return list(Call.objects.filter(job=shard.job_id).order_by("pk").values_list("request_key", flat=True))


def test_pair_that_was_alone_in_flight_at_each_death_fails_by_itself() -> None:
    shard = make_asking()
    first, *others = keys_of(shard)
    send(shard, first, is_lost_alone=True)
    send(shard, first)
    assert not park_pair(shard=shard, attempts=3)  # it was alone at two deaths
    assert park_pair(shard=shard, attempts=2)
    call = Call.objects.get(job=shard.job_id, request_key=first)
    assert (call.state, call.outcome, call.code_version) == (CallState.FAILED, Gap.PARKED, code_version())
    assert call.ended_at is not None
    assert Call.objects.waiting().filter(job=shard.job_id, request_key__in=others).count() == len(others)
    shard.refresh_from_db()
    assert shard.attempt_count == 0
    assert not shard.ledger.open().exists()


def test_no_pair_is_parked_if_several_were_in_flight() -> None:
    shard = make_asking()
    for key in keys_of(shard)[:2]:
        send(shard, key, is_lost_alone=True)
        send(shard, key)
    assert not park_pair(shard=shard, attempts=2)
    assert Call.objects.waiting().filter(job=shard.job_id).count() == 3


def test_nothing_is_parked_in_a_done_shard() -> None:
    shard = make_asking()
    send(shard, keys_of(shard)[0])
    Shard.objects.filter(pk=shard.pk).update(done_at=Now(), encoded_count=F("input_count"))
    assert not park_pair(shard=shard, attempts=1)
    assert not park_input(shard=shard)
    assert shard.ledger.open().count() == 1


def test_input_is_parked_after_what_is_encoded_and_at_most_three_in_a_row() -> None:
    pool = make_image_pool(topic_count=1, image_count=6)
    job: Job = start_job(judge=make_judge(), pool=pool, by=pool.created_by)
    shard = job.shards.get(side="document")
    run_shard(shard_id=shard.pk)
    Shard.objects.filter(pk=shard.pk).update(done_at=None, encoded_count=1, attempt_count=3)
    for count in (2, 3, 4):
        assert park_input(shard=shard)
        shard.refresh_from_db()
        assert (shard.encoded_count, shard.attempt_count) == (count, 1)
    assert shard.gaps == {sha256: Gap.PARKED for _, sha256 in shard.inputs[1:4]}
    assert not park_input(shard=shard)  # three in a row: it is not the input that kills workers
    Shard.objects.filter(pk=shard.pk).update(encoded_count=5)
    assert park_input(shard=shard)  # one was encoded between them
    assert not park_input(shard=shard)  # none is left
