"""Who a job runs for, the mail at its end, and retries; jobs of archived tracks and of lost roles pause."""

from collections.abc import Callable

import pytest
from django.core import mail
from django.db import transaction
from pytest_django import Settings

from evaluation.models import Archiving, Document, Mail, Membership, User
from judges.jobs.running import run_shard
from judges.jobs.scheduling import halt_job, resume_job, retry_job
from judges.jobs.sweeping import sweep_jobs
from judges.models import Job, JobState
from tests.factories import make_image, make_organizer
from tests.judges.factories import (
    Scripted,
    ScriptedGenerator,
    make_generator,
    make_image_pool,
    run_to_end,
    started,
)
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "scripted")]


@pytest.fixture
def job() -> Job:
    """Two topics, three documents; D2 has no image."""
    pool = make_image_pool()
    Document.objects.filter(docno="D2").update(image=None)
    return started(make_generator(), pool)


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

    for shard in job.shards.all():
        run_shard(shard_id=shard.pk)
    assert ScriptedGenerator.asked == []
    sweep_jobs()
    job.refresh_from_db()
    assert job.state == JobState.PAUSED
    assert job.note == (
        f"{job.created_by} started or resumed this job and no longer organizes {job.pool.task.track}. "
        "An organizer of the track can resume it."
    )
    assert [sent.to for sent in mail.outbox] == [[other.email]]

    resume_job(job=job, by=other)
    sweep_jobs()
    job.refresh_from_db()
    assert (job.state, job.resumed_by) == (JobState.RUNNING, other)
    assert run_to_end(job).is_completed
    assert [sent.to for sent in mail.outbox] == [[other.email]] * 2


def test_running_job_stops_when_its_person_loses_the_role(scripted: Scripted) -> None:
    job = started(make_generator(), make_image_pool(topic_count=1, image_count=40))

    def remove_and_sweep() -> None:
        remove(job.created_by)
        sweep_jobs()

    scripted.before[:] = [remove_and_sweep]

    assert run_to_end(job).state == JobState.PAUSED
    assert 0 < len(scripted.asked) < 40


def test_sweep_pauses_the_running_jobs_of_an_archived_track(job: Job) -> None:
    Archiving.objects.create(track=job.pool.task.track, archived_by=job.created_by)

    sweep_jobs()

    job.refresh_from_db()
    assert job.state == JobState.PAUSED
    assert "is archived" in job.note


def test_mail_shows_how_the_job_ended(job: Job) -> None:
    run_to_end(job)

    (sent,) = mail.outbox
    assert sent.to == [job.created_by.email]
    assert "completed with gaps" in sent.subject
    for words in ("ok: 4", "image_missing: 2", "Cost: 0.00", f"/jobs/{job.pk}/"):
        assert words in sent.body


def test_mail_gives_the_reason_a_job_was_halted(job: Job) -> None:
    assert halt_job(job=job, state=JobState.PAUSED, note="The endpoint refuses us.")
    assert not halt_job(job=job, state=JobState.PAUSED, note="It refuses us again.")

    (sent,) = mail.outbox
    assert "The endpoint refuses us." in sent.body


def test_mail_is_stored_with_the_end_of_the_job_or_not_at_all(job: Job, settings: Settings) -> None:
    """The mail must not depend on a message that a broker loses, or delays for an hour after kill -9."""
    settings.EMAIL_BACKEND = "evaluation.tracks.mail.actions.OutboxBackend"
    with transaction.atomic():
        halt_job(job=job, state=JobState.PAUSED, note="It stops.")
        transaction.set_rollback(True)
    assert not Mail.objects.exists()

    run_to_end(job)

    assert Mail.objects.due().get().to == job.created_by.email


def test_retry_job_scores_repaired_pairs_and_changes_no_other(counting: list[bytes]) -> None:
    pool = make_image_pool()
    Document.objects.filter(docno="D2").update(image=None)
    planned = started(pool=pool)
    with refused("nothing-to-retry"):
        retry_job(job=planned, by=pool.created_by)
    job = run_to_end(planned)
    scored = list(job.calls.scored().order_by("pk").values())
    retry_job(job=job, by=job.created_by)
    job = run_to_end(job)
    assert job.state == JobState.COMPLETED_WITH_GAPS
    assert job.outcome_counts() == {"ok": 4, "image_missing": 2}
    Document.objects.filter(docno="D2").update(image=make_image())
    counting.clear()
    other = make_organizer(pool.task.track)

    retry_job(job=job, by=other)
    job = run_to_end(job)

    assert (job.state, job.resumed_by) == (JobState.COMPLETED, other)
    assert len(counting) == 1
    assert list(job.calls.exclude(docno="D2").order_by("pk").values()) == scored
    assert job.calls.scored().filter(docno="D2").count() == 2
    with refused("nothing-to-retry"):
        retry_job(job=job, by=pool.created_by)
