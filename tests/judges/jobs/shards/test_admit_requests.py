import pytest

from judges.jobs.questions import Admission, admit_requests
from judges.jobs.running import run_shard
from judges.jobs.scheduling import claim_shard, pause_job
from judges.models import JobState, Judge, LedgerEntry, Price, Rate, RequestFile, Shard
from tests.judges.factories import Scripted, make_generator, make_image_pool, run_to_end
from tests.judges.jobs.asking.scripted import make_job

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]
URL = "http://gpu1:8000/v1"


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("judges.jobs.questions._now", lambda: self.now)
        monkeypatch.setattr("judges.jobs.asking.time.monotonic", lambda: self.now)
        monkeypatch.setattr("judges.jobs.asking.time.sleep", self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def judge() -> Judge:
    return make_generator(endpoint=URL)


def test_endpoint_without_rates_is_not_limited(judge: Judge) -> None:
    Rate.objects.create(endpoint="http://other/v1", requests_per_minute=1)
    Rate.objects.create(endpoint=URL, model="another", requests_per_minute=1)

    assert admit_requests(judge=judge, tokens=[1] * 100) == Admission(100, 0.0)


def test_rates_are_shared_by_all_judges_of_an_endpoint(judge: Judge, clock: Clock) -> None:
    Rate.objects.create(endpoint=URL, requests_per_minute=122)  # one every half second, two at once

    first = admit_requests(judge=judge, tokens=[1] * 5)
    second = admit_requests(judge=make_generator(endpoint=URL), tokens=[1])

    # At 999, 999.5 and 1000 of the schedule three leave; the next one at 1000.5.
    assert first == Admission(3, 0.5)
    assert second == Admission(0, 0.5)
    clock.sleep(0.5)
    assert admit_requests(judge=judge, tokens=[1] * 5).count == 1


def test_rates_of_the_endpoint_and_of_the_model_both_hold(judge: Judge, clock: Clock) -> None:
    Rate.objects.create(endpoint=URL, requests_per_minute=6100)
    Rate.objects.create(endpoint=URL, model=judge.model, tokens_per_minute=6100)

    # 50 tokens take half a second: three requests of them leave, whatever the endpoint allows.
    assert admit_requests(judge=judge, tokens=[50] * 9) == Admission(3, 0.5)


def test_requests_in_flight_count_for_all_workers_and_addresses_with_a_slash(judge: Judge) -> None:
    rate = Rate.objects.create(endpoint=URL + "/", in_flight=3)
    shard = make_job(make_image_pool(topic_count=1, image_count=1), judge).shards.get()
    sent = {"job": shard.job, "shard": shard, "request_key": "", "bound_micros": 0}
    for _ in range(2):
        LedgerEntry.objects.create(**sent)
    file = RequestFile.objects.create(shard=shard, request_count=1)  # the endpoint's own queue
    LedgerEntry.objects.create(**sent, file=file)

    assert admit_requests(judge=judge, tokens=[1] * 9).count == 1
    LedgerEntry.objects.create(**sent)
    full = admit_requests(judge=judge, tokens=[1] * 9)
    assert full.count == 0
    assert full.wait > 0
    price = Price.objects.create(model=judge.model, endpoint=rate.endpoint, input_price=1, output_price=1)
    assert Price.objects.of(judge) == price


def test_job_waits_for_its_rates_stores_its_answers_and_sends_each_request_once(
    judge: Judge, clock: Clock, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed: list[Shard] = []

    def claim(*, shard: Shard) -> bool:
        claimed.append(shard)
        return claim_shard(shard=shard)

    monkeypatch.setattr("judges.jobs.asking.claim_shard", claim)
    Rate.objects.create(endpoint=URL, requests_per_minute=6, in_flight=2)
    began = clock.now
    job = make_job(make_image_pool(topic_count=1, image_count=8), judge)

    run_shard(shard_id=job.shards.get().pk)

    assert not job.calls.waiting().exists()
    assert len(claimed) == 1  # it keeps its shard
    assert len({ask.parts for ask in scripted.asked}) == len(scripted.asked) == job.ledger.count() == 8
    # One every 61/6 s: the last of eight after seven of these, less the second of burst.
    assert clock.now - began == pytest.approx(7 * 61 / 6 - 1, abs=0.5)


def test_job_that_is_paused_while_it_waits_ends_its_waiting(
    judge: Judge, clock: Clock, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    Rate.objects.create(endpoint=URL, requests_per_minute=1)
    job = make_job(make_image_pool(topic_count=1, image_count=3), judge)

    def pause(_: float) -> None:
        pause_job(job=job, by=job.created_by)

    monkeypatch.setattr("judges.jobs.asking.time.sleep", pause)
    job = run_to_end(job)

    assert (job.state, len(scripted.asked), job.scored_count) == (JobState.PAUSED, 1, 1)
