from datetime import timedelta

import pytest
from django.utils import timezone

from judges.jobs.estimates import CostEstimate, estimate_job
from judges.models import Job, Price
from tests.factories import make_pool
from tests.judges.factories import judged, make_generator, make_image_pool, make_judge, started
from tests.judges.jobs.asking.scripted import BOUND, COST, priced
from trackside.judging.canaries import CANARIES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted", "counting")]


def test_estimate_without_a_known_price_counts_the_pairs() -> None:
    # 62 bytes of text at 4 a token, 1,000 for an image of unknown size, 8 of answer.
    tokens = 6 * (62 // 4 + 1000 + 8)
    assert estimate_job(judge=make_generator(), pool=make_image_pool()) == CostEstimate(
        6, tokens, None, None, None
    )
    assert estimate_job(judge=make_judge(), pool=make_image_pool()) == CostEstimate(6, None, None, None, None)


def test_estimate_bounds_the_cost_by_price_and_text() -> None:
    estimate = estimate_job(judge=priced(), pool=make_image_pool(topic_count=1, image_count=3))
    assert estimate.bound_micros == 3 * BOUND


def test_estimate_names_fields_of_the_prompt_that_no_text_has() -> None:
    judge = make_generator(prompt="{page_title} {page_titel} {section_title} {caption}\n{image}")

    estimate = estimate_job(judge=judge, pool=make_image_pool())

    assert estimate.absent_fields == ("page_titel", "caption")


def test_estimate_learns_from_the_last_job() -> None:
    judge, other, pool = priced(), priced(make_generator(model="another")), make_image_pool()
    job = judged(judge, pool)
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(started_at=now - timedelta(seconds=60), finished_at=now)

    three = make_pool(pool.task, pairs=[("T1", f"I{number}") for number in (1, 2, 3)])
    estimate = estimate_job(judge=judge, pool=three)

    assert (estimate.pair_count, estimate.likely_micros) == (3, 3 * COST)
    assert estimate.duration == timedelta(seconds=30)  # 6 pairs took a minute
    elsewhere = estimate_job(judge=judge, pool=make_image_pool())  # another track
    assert (elsewhere.likely_micros, elsewhere.duration) == (None, None)
    assert estimate_job(judge=other, pool=pool).likely_micros is None


def test_estimate_of_the_time_is_that_of_the_judge_s_own_last_job() -> None:
    pool = make_image_pool(topic_count=1, image_count=2)
    judge, other = make_generator(), make_generator(model="another")
    now = timezone.now()
    pools = (pool, make_pool(pool.task, pairs=[("T1", "D1")]))
    # Seconds a pair: 5 in the first job, 20 in the last one; the other judge's later job took 60.
    for each, where, seconds, ago in (
        (judge, pools[0], 10, 3),
        (judge, pools[1], 20, 2),
        (other, pools[1], 60, 1),
    ):
        job = judged(each, where, by=pool.created_by)
        ended = now - timedelta(hours=ago)
        Job.objects.filter(pk=job.pk).update(started_at=ended - timedelta(seconds=seconds), finished_at=ended)
    # A job that still runs has no pace yet.
    running = started(judge, make_pool(pool.task, pairs=[("T1", "D1")]), by=pool.created_by)
    Job.objects.filter(pk=running.pk).update(started_at=now)
    assert estimate_job(judge=judge, pool=pool).duration == timedelta(seconds=40)


def test_price_at_the_judges_own_endpoint_goes_first() -> None:
    judge = make_generator(endpoint="http://host/v1")
    Price.objects.create(model="another", endpoint=judge.endpoint, input_price=4, output_price=0)
    for endpoint, price in (("", 1), ("http://host/v1", 2), ("http://other/v1", 3)):
        Price.objects.create(model=judge.model, endpoint=endpoint, input_price=price, output_price=0)

    assert getattr(Price.objects.of(judge), "input_price", None) == 2


@pytest.mark.usefixtures("with_canaries")
def test_estimate_counts_the_canaries() -> None:
    judge, pool = priced(), make_image_pool(topic_count=1, image_count=1)

    estimate = estimate_job(judge=judge, pool=pool)

    job = judged(judge, pool)
    assert job.ledger.count() == 1 + len(CANARIES)
    assert estimate.bound_micros == sum(job.ledger.values_list("bound_micros", flat=True))
    assert estimate_job(judge=judge, pool=pool).likely_micros == (1 + len(CANARIES)) * COST
