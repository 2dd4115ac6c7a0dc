from __future__ import annotations

import pytest
from django.core import mail

from evaluation.models import Document
from judges.grades.finishing import mail_job
from judges.jobs.starting import start_job
from judges.jobs.stopping import halt_job
from judges.models import Job, JobState
from tests.judges.factories import make_generator, make_image_pool, run_to_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.fixture
def job() -> Job:
    pool = make_image_pool()
    Document.objects.filter(docno="D2").update(image=None)
    return start_job(judge=make_generator(), pool=pool, by=pool.created_by)


def test_mail_shows_how_the_job_ended(job: Job, queued: list[tuple[str, int]]) -> None:
    run_to_end(job)
    assert ("judges.mail_job", job.pk) in queued

    mail_job(job_id=job.pk)

    (sent,) = mail.outbox
    assert sent.to == [job.created_by.email]
    assert "completed with gaps" in sent.subject
    for words in ("ok: 4", "image_missing: 2", "Cost: 0.00", f"/jobs/{job.pk}/"):
        assert words in sent.body


def test_mail_gives_the_reason_a_job_was_halted(job: Job, queued: list[tuple[str, int]]) -> None:
    halt_job(job=job, state=JobState.PAUSED, note="The endpoint refuses us.")
    assert ("judges.mail_job", job.pk) in queued

    mail_job(job_id=job.pk)

    assert "The endpoint refuses us." in mail.outbox[0].body


def test_no_mail_while_the_job_is_at_work(job: Job) -> None:
    mail_job(job_id=job.pk)

    assert not mail.outbox
