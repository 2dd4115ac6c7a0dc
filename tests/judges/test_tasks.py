import pytest
from celery import current_app

from judges import tasks
from judges.jobs.starting import start_job
from judges.models import Job, JobState
from tests.judges.factories import make_image_pool, make_judge


@pytest.mark.parametrize(
    ("name", "queue"),
    [("judges.run_shard", "judges"), ("judges.finish_job", "default"), ("judges.sweep_jobs", "default")],
)
def test_task_goes_to_its_queue(name: str, queue: str) -> None:
    assert name in current_app.tasks
    assert current_app.amqp.router.route({}, name)["queue"].name == queue


@pytest.mark.parametrize("name", ["run_shard", "run_files", "finish_job", "try_judge"])
def test_message_of_work_that_takes_minutes_is_acknowledged_before_it(name: str) -> None:
    """RabbitMQ closes the channel of a message kept for half an hour; Redis sends it again after an hour."""
    assert not current_app.tasks[f"judges.{name}"].acks_late


@pytest.mark.django_db
@pytest.mark.usefixtures("counting")
def test_tasks_twice_bring_a_job_to_its_end_once() -> None:
    pool = make_image_pool()
    job = start_job(judge=make_judge(), pool=pool, by=pool.created_by)

    for _ in range(2):
        tasks.sweep()
        for shard in job.shards.all():
            tasks.run(shard.pk)
        tasks.finish(job.pk)

    assert Job.objects.get().state == JobState.COMPLETED
    assert job.outcome_counts() == {"ok": 6}
