"""Jobs of archived tracks, and jobs whose requester no longer organizes the track."""

from collections.abc import Callable

import pytest
from django.core import mail

from evaluation.models import Archiving, Membership, User
from judges.jobs.running import run_shard
from judges.jobs.scheduling import halt_job, resume_job, retry_job
from judges.jobs.starting import start_job
from judges.jobs.sweeping import sweep_jobs
from judges.models import Job, JobState
from tests.factories import make_organizer
from tests.judges.factories import ScriptedGenerator, make_generator, make_image_pool, run_to_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.fixture
def job() -> Job:
    pool = make_image_pool()
    return start_job(judge=make_generator(), pool=pool, by=pool.created_by)


def remove(person: User) -> None:
    Membership.objects.filter(user=person).delete()


def deactivate(person: User) -> None:
    person.is_active = False
    person.save()


@pytest.mark.parametrize("lose", [remove, deactivate])
def test_job_of_a_person_who_lost_the_role_is_paused_until_another_organizer_resumes_it(
    job: Job, lose: Callable[[User], None]
) -> None:
    other = make_organizer(job.pool.task.track)
    lose(job.created_by)

    sweep_jobs()
    job.refresh_from_db()
    assert job.state == JobState.PAUSED
    assert job.note == (
        f"{job.created_by} started or resumed this job and no longer organizes {job.pool.task.track}. "
        "An organizer of the track can resume it."
    )

    resume_job(job=job, by=other)
    sweep_jobs()
    job.refresh_from_db()
    assert (job.state, job.resumed_by) == (JobState.RUNNING, other)
    assert run_to_end(job).state == JobState.COMPLETED


def test_worker_asks_nothing_for_a_person_who_lost_the_role(job: Job) -> None:
    remove(job.created_by)

    for shard in job.shards.all():
        run_shard(shard_id=shard.pk)

    assert ScriptedGenerator.asked == []


def test_running_job_stops_when_its_person_loses_the_role() -> None:
    pool = make_image_pool(topic_count=1, image_count=40)
    job = start_job(judge=make_generator(), pool=pool, by=pool.created_by)

    def remove_and_sweep() -> None:
        remove(job.created_by)
        sweep_jobs()

    ScriptedGenerator.before[:] = [remove_and_sweep]

    for shard in job.shards.all():
        run_shard(shard_id=shard.pk)

    job.refresh_from_db()
    assert job.state == JobState.PAUSED
    assert 0 < len(ScriptedGenerator.asked) < 40


def test_mails_of_a_job_go_to_the_organizers_once_its_person_lost_the_role(job: Job) -> None:
    other = make_organizer(job.pool.task.track)
    remove(job.created_by)

    sweep_jobs()

    assert [sent.to for sent in mail.outbox] == [[other.email]]


def test_mails_of_a_job_go_to_the_person_who_resumed_it(job: Job) -> None:
    other = make_organizer(job.pool.task.track)
    halt_job(job=job, state=JobState.PAUSED, note="It stops.")
    resume_job(job=job, by=other)
    mail.outbox.clear()

    run_to_end(job)

    assert [sent.to for sent in mail.outbox] == [[other.email]]


def test_retry_makes_the_person_who_asks_for_it_the_one_behind_the_job(job: Job) -> None:
    other = make_organizer(job.pool.task.track)
    Job.objects.filter(pk=job.pk).update(state=JobState.COMPLETED_WITH_GAPS, finished_at=job.created_at)

    retry_job(job=job, by=other)

    job.refresh_from_db()
    assert job.resumed_by == other


def test_sweep_pauses_the_running_jobs_of_an_archived_track(job: Job) -> None:
    Archiving.objects.create(track=job.pool.task.track, archived_by=job.created_by)

    sweep_jobs()

    job.refresh_from_db()
    assert job.state == JobState.PAUSED
    assert "is archived" in job.note
