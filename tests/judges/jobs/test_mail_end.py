import pytest
from django.core import mail
from django.db import transaction
from pytest_django import Settings

from evaluation.models import Document, Mail
from judges.jobs.scheduling import halt_job
from judges.jobs.starting import start_job
from judges.models import Job, JobState
from tests.judges.factories import make_generator, make_image_pool, run_to_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.fixture
def job() -> Job:
    pool = make_image_pool()
    Document.objects.filter(docno="D2").update(image=None)
    return start_job(judge=make_generator(), pool=pool, by=pool.created_by)


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
    settings.EMAIL_BACKEND = "evaluation.mail.actions.OutboxBackend"
    with transaction.atomic():
        halt_job(job=job, state=JobState.PAUSED, note="It stops.")
        transaction.set_rollback(True)
    assert not Mail.objects.exists()

    run_to_end(job)

    assert Mail.objects.due().get().to == job.created_by.email
