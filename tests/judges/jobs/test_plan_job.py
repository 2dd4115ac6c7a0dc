import pytest
from django.db import connection
from django.db.models import CharField, F, Value
from django.db.models.functions import Cast, Concat, Now

from judges.jobs.starting import start_job
from judges.models import Call, CallState
from tests.factories import make_document, make_image, make_pool, make_task
from tests.judges.factories import make_generator, make_image_pool

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.mark.whole
def test_plan_job_looks_up_each_request_when_statistics_are_old() -> None:
    """With statistics from before the calls, PostgreSQL compared all answers 400 times for 400 calls."""
    first = make_image_pool(topic_count=1, image_count=1)
    earlier = start_job(judge=make_generator(), pool=first, by=first.created_by)
    Call.objects.bulk_create(Call(job=earlier, topic="T9", docno=f"D{place}") for place in range(6000))
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {Call._meta.db_table}")
    Call.objects.filter(topic="T9").update(
        state=CallState.DONE,
        outcome="ok",
        raw_score=1.0,
        ended_at=Now(),
        request_key=Concat(Value("key "), Cast(F("pk"), CharField())),
    )
    task = make_task(topic_count=20)
    image = make_image()
    for place in range(20):
        make_document(task.collection, docno=f"D{place}", image=image)
    pool = make_pool(
        task, pairs=[(f"T{topic + 1}", f"D{place}") for topic in range(20) for place in range(20)]
    )
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '10s'")
    job = start_job(judge=make_generator(), pool=pool, by=pool.created_by)
    assert job.calls.of_pool().waiting().count() == 400
